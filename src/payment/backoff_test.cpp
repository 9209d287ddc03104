// Waits double, spread, and never grow into silence.
#include "payment/backoff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <set>

namespace payonce {
namespace {

using namespace std::chrono_literals;

TEST(Backoff, DoublesUpToTheLongest) {
  struct Row {
    int tries;
    Millis nominal;
  };
  for (Row const& row : {Row{0, 1s}, Row{1, 2s}, Row{2, 4s}, Row{5, 32s}, Row{6, 60s}, Row{7, 60s}, Row{1'000, 60s}}) {
    Millis const wait = backoff(1s, 60s, row.tries, "pay_1");
    EXPECT_LE(wait, row.nominal) << row.tries;
    EXPECT_GE(wait, row.nominal - row.nominal / 4) << row.tries;
  }
}

TEST(Backoff, IsTheSameForTheSameArguments) {
  EXPECT_EQ(backoff(1s, 60s, 3, "pay_1"), backoff(1s, 60s, 3, "pay_1"));
  EXPECT_EQ(backoff(1s, 60s, 3, "pay_1"), Millis{6'698}) << "on every machine";
}

TEST(Backoff, SpreadsThoseWhoFailedTogether) {
  std::set<Millis> waits;
  for (int i = 0; i < 1'000; ++i) waits.insert(backoff(60s, 60s, 0, "pay_" + std::to_string(i)));
  EXPECT_GT(waits.size(), 900U);
  EXPECT_LT(*waits.begin(), 46s);
  EXPECT_GT(*waits.rbegin(), 59s);
}

TEST(Backoff, TakesExtremesWithoutHarm) {
  EXPECT_EQ(backoff(0ms, 0ms, 5, "x"), 0ms);
  EXPECT_EQ(backoff(0ms, 60s, std::numeric_limits<int>::max(), "x"), 0ms);
  EXPECT_LE(backoff(60s, 1s, 0, "x"), 1s) << "the longest wins over the first";
  EXPECT_EQ(backoff(1ms, 1ms, 3, "x"), 1ms);
  EXPECT_LE(backoff(1s, 60s, -1, "x"), 1s);
  Millis const for_ever = Millis::max();
  EXPECT_GE(backoff(3s, for_ever, std::numeric_limits<int>::max(), "x"), for_ever / 4 * 3);
  EXPECT_GT(backoff(3s, for_ever, 62, "x"), 0ms);
}

RC_GTEST_PROP(BackoffProperty, StaysWithinItsBounds, (std::string const& who)) {
  Millis const first{*rc::gen::inRange<std::int64_t>(1, 100'000)};
  Millis const longest = first + Millis{*rc::gen::inRange<std::int64_t>(0, 100'000'000)};
  auto const tries = *rc::gen::inRange(0, 100'000);
  Millis const wait = backoff(first, longest, tries, who);
  RC_ASSERT(wait <= longest);
  RC_ASSERT(wait >= first - first / 4);
}

}  // namespace
}  // namespace payonce
