// Every statement file is run by somebody.
#include <gtest/gtest.h>

#include "repository/lint.h"

namespace payonce::lint {
namespace {

SourceFile const statement{"src/store/sqlite/sql/find_order.sql", "SELECT 1"};

bool is_dead(std::string path, std::string text) {
  return !check_dead_sql(statement, {statement, {std::move(path), std::move(text)}}).empty();
}

TEST(SqlLint, TheRepositoryHasNoDeadStatement) {
  EXPECT_TRUE(is_clean([](SourceFile const& file) { return check_dead_sql(file, repository()); }));
}

TEST(SqlLint, AStatementIsAliveWhenCodeOfItsDatabaseNamesIt) {
  EXPECT_FALSE(is_dead("src/store/sqlite/reader.cpp", "prepare(sql::find_order);"));
  EXPECT_TRUE(is_dead("src/store/sqlite/reader.cpp", "prepare(sql::find_orders);"));
  EXPECT_TRUE(is_dead("src/store/sqlite/reader.cpp", "// sql::find_order"));
  EXPECT_TRUE(is_dead("src/store/sqlite/reader_test.cpp", "prepare(sql::find_order);"));
  EXPECT_TRUE(is_dead("src/store/postgres/reader.cpp", "prepare(sql::find_order);"));
}

}  // namespace
}  // namespace payonce::lint
