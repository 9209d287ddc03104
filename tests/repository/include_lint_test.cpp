// The layers are kept, and the lint that says so can tell when they are not.
#include <gtest/gtest.h>

#include "repository/lint.h"

namespace payonce::lint {
namespace {

bool is_refused(std::string path, std::string include) {
  return !check_includes({std::move(path), "#pragma once\n#include " + include + "\n"}).empty();
}

TEST(IncludeLint, TheRepositoryKeepsItsLayers) { EXPECT_TRUE(is_clean(check_includes)); }

TEST(IncludeLint, ArrowsPointDownwards) {
  EXPECT_FALSE(is_refused("src/engine/pay.cpp", "\"store/committer.h\""));
  EXPECT_FALSE(is_refused("src/payment/order.h", "\"base/money.h\""));
  EXPECT_FALSE(is_refused("src/main.cpp", "\"cli/serve.h\""));
  EXPECT_TRUE(is_refused("src/payment/order.h", "\"engine/pay.h\""));
  EXPECT_TRUE(is_refused("src/base/id.h", "\"payment/order.h\""));
  EXPECT_TRUE(is_refused("src/net/session.h", "\"payment/order.h\""));
  EXPECT_TRUE(is_refused("src/store/committer.h", "\"provider/provider.h\""));
  EXPECT_TRUE(is_refused("src/store/committer.h", "\"net/server.h\""));
  EXPECT_TRUE(is_refused("src/http/router.h", "\"worker/recovery.h\""));
  EXPECT_TRUE(is_refused("src/engine/pay_test.cpp", "\"http/router.h\""));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "\"process/child_process.h\""));
  EXPECT_FALSE(is_refused("src/drill/kill.cpp", "\"process/child_process.h\""));
}

TEST(IncludeLint, DriversHideBehindTheirPort) {
  EXPECT_TRUE(is_refused("src/store/committer.cpp", "\"store/sqlite/store.h\""));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "\"store/sqlite/store.h\""));
  EXPECT_TRUE(is_refused("src/provider/provider.h", "\"provider/sandbox/connector.h\""));
  EXPECT_TRUE(is_refused("src/provider/instant/connector.cpp", "\"provider/sandbox/connector.h\""));
  EXPECT_FALSE(is_refused("src/provider/registry.cpp", "\"provider/sandbox/connector.h\""));
  EXPECT_FALSE(is_refused("src/store/sqlite/store.cpp", "\"store/sqlite/statement.h\""));
  EXPECT_FALSE(is_refused("src/store/committer_test.cpp", "\"store/sqlite/store.h\""));
  EXPECT_FALSE(is_refused("src/cli/serve.cpp", "\"store/sqlite/store.h\""));
}

TEST(IncludeLint, LibrariesStayInTheirCorner) {
  EXPECT_FALSE(is_refused("src/net/session.cpp", "<boost/asio/awaitable.hpp>"));
  EXPECT_TRUE(is_refused("src/http/router.cpp", "<boost/asio/awaitable.hpp>"));
  EXPECT_TRUE(is_refused("src/provider/sandbox/connector.cpp", "<curl/curl.h>"));
  EXPECT_FALSE(is_refused("src/store/sqlite/statement.cpp", "<sqlite3.h>"));
  EXPECT_TRUE(is_refused("src/store/committer.cpp", "<sqlite3.h>"));
  EXPECT_TRUE(is_refused("src/main.cpp", "<sqlite3.h>"));
  EXPECT_FALSE(is_refused("src/store/postgres/rows.h", "<libpq-fe.h>"));
  EXPECT_TRUE(is_refused("src/store/sqlite/rows.h", "<libpq-fe.h>"));
  EXPECT_FALSE(is_refused("src/base/log.cpp", "<spdlog/spdlog.h>"));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "<spdlog/spdlog.h>"));
}

TEST(IncludeLint, PureRulesUsePureHeaders) {
  EXPECT_FALSE(is_refused("src/payment/decide.cpp", "<optional>"));
  EXPECT_FALSE(is_refused("src/payment/decide.cpp", "<fmt/format.h>"));
  EXPECT_TRUE(is_refused("src/payment/decide.cpp", "<thread>"));
  EXPECT_TRUE(is_refused("src/payment/decide.cpp", "\"base/log.h\""));
  EXPECT_TRUE(is_refused("src/payment/decide.cpp", "<openssl/sha.h>"));
  EXPECT_FALSE(is_refused("src/payment/decide_test.cpp", "<gtest/gtest.h>"));
}

TEST(IncludeLint, ProductionDoesNotKnowTheTests) {
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "\"support/fake_store.h\""));
  EXPECT_TRUE(is_refused("src/engine/pay.cpp", "<gtest/gtest.h>"));
  EXPECT_FALSE(is_refused("src/engine/pay_test.cpp", "\"support/fake_store.h\""));
}

TEST(IncludeLint, AFolderThatNobodyNamedIsRefused) { EXPECT_TRUE(is_refused("src/helpers/x.h", "<string>")); }

TEST(IncludeLint, CommentsIncludeNothing) {
  EXPECT_TRUE(check_includes({"src/base/id.h", "// #include \"payment/order.h\"\n"}).empty());
}

}  // namespace
}  // namespace payonce::lint
