// Time and chance come in through their ports, and the lint notices when they do not.
#include <gtest/gtest.h>

#include "repository/lint.h"

namespace payonce::lint {
namespace {

bool is_refused(std::string path, std::string text) {
  return !check_time_and_chance({std::move(path), std::move(text)}).empty();
}

TEST(TimeLint, TheRepositoryReadsNoClockAndThrowsNoDice) { EXPECT_TRUE(is_clean(check_time_and_chance)); }

TEST(TimeLint, CodeAsksThePorts) {
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "auto t = std::chrono::system_clock::now();"));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "auto t = steady_clock::now();"));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "auto t = time(nullptr);"));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "std::random_device seed;"));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "int n = rand() % 6;"));
  EXPECT_FALSE(is_refused("src/engine/pay.cpp", "auto t = clock_.now();"));
  EXPECT_FALSE(is_refused("src/engine/pay.cpp", "operand(1); settle_time(order);"));
  EXPECT_FALSE(is_refused("src/engine/pay.cpp", "// not system_clock::now\nlog(\"rand() is not called\");"));
  EXPECT_FALSE(is_refused("src/base/clock.cpp", "auto t = system_clock::now();"));
}

TEST(TimeLint, SqlTakesParameters) {
  EXPECT_TRUE(is_refused("src/store/sqlite/sql/a.sql", "INSERT INTO t VALUES (CURRENT_TIMESTAMP)"));
  EXPECT_TRUE(is_refused("src/store/sqlite/sql/a.sql", "SELECT datetime('now')"));
  EXPECT_TRUE(is_refused("src/store/sqlite/sql/a.sql", "SELECT Random()"));
  EXPECT_FALSE(is_refused("src/store/sqlite/sql/a.sql", "-- not now()\nSELECT known(1) FROM t"));
}

}  // namespace
}  // namespace payonce::lint
