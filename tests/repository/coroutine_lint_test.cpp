// The shapes that GCC 12.2 compiles wrongly are refused, and what it compiles well is let through.
#include <gtest/gtest.h>

#include "repository/lint.h"

namespace payonce::lint {
namespace {

bool is_refused(std::string const& statement) {
  return !check_coroutines({"src/net/a.cpp", "awaitable<void> f() {\n  " + statement + "\n}\n"}).empty();
}

TEST(CoroutineLint, TheRepositoryHasNoShapeThatMiscompiles) { EXPECT_TRUE(is_clean(check_coroutines)); }

TEST(CoroutineLint, BracedValuesAreRefused) {
  EXPECT_TRUE(is_refused("co_await f({.key = k});"));
  EXPECT_TRUE(is_refused("co_await f(Options{key, 3});"));
  EXPECT_TRUE(is_refused("auto r = co_await f({std::string(a), std::string(b)});"));
  EXPECT_TRUE(is_refused("std::vector<int> v{co_await f(), co_await g()};"));
  EXPECT_TRUE(is_refused("if (co_await f(Options{key})) { g(); }"));
}

TEST(CoroutineLint, CapturingLambdasAreRefused) {
  EXPECT_TRUE(is_refused("co_await f([key] { return key; });"));
  EXPECT_TRUE(is_refused("co_await [key]() -> awaitable<void> { co_return; }();"));
  EXPECT_TRUE(is_refused("co_spawn(co_await this_coro::executor, [x]() -> awaitable<void> { co_return; });"));
  EXPECT_TRUE(is_refused("co_await f([&, key](int n) mutable { return n; });"));
}

TEST(CoroutineLint, ConditionalsAndBindingsAreRefused) {
  EXPECT_TRUE(is_refused("auto r = good ? co_await f() : std::string();"));
  EXPECT_TRUE(is_refused("auto [a, b] = co_await f();"));
  EXPECT_TRUE(is_refused("auto& [a, b] = co_await f();"));
}

TEST(CoroutineLint, NamesLiteralsAndCallsPass) {
  EXPECT_FALSE(is_refused("co_await f(key, \"text{?}\", '?', g(1), std::move(options));"));
  EXPECT_FALSE(is_refused("co_await f([&] { return a ? b : Options{c}; });"));
  EXPECT_FALSE(is_refused("if (auto r = co_await f(); r) { auto o = Options{key}; }"));
  EXPECT_FALSE(is_refused("for (auto const& row : co_await rows(table[i])) { use(Row{row}); }"));
  EXPECT_FALSE(is_refused("Options o{key}; co_await f(o); co_return Answer{o};"));
  EXPECT_FALSE(is_refused("auto f = [key]() -> awaitable<void> { co_await g(key); };"));
  EXPECT_FALSE(is_refused("while (a) { co_await f(); } int const n = c ? 1 : 2;"));
  EXPECT_FALSE(is_refused("// co_await f({1});"));
}

TEST(CoroutineLint, ItReadsOnBehindWhatItFound) {
  auto const findings = check_coroutines({"src/net/a.cpp",
                                          "#include <x>\n"
                                          "class A : public B {\n"
                                          "  A() : a_{1} {}\n"
                                          "  awaitable<int> f() const {\n"
                                          "    co_await g({1});\n"
                                          "    co_await h(\n"
                                          "        a ? 1 : 2);\n"
                                          "    co_return 1;\n"
                                          "  }\n"
                                          "};\n"});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].line, 5u);
  EXPECT_EQ(findings[1].line, 6u);
}

}  // namespace
}  // namespace payonce::lint
