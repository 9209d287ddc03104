// Ids fit the providers' numbers, sort by their time, and a surplus has one refund number only.
#include "base/id.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace payonce {
namespace {

Time const start = from_epoch_ms(1'760'000'000'000);

TEST(AttemptIdShape, FitsTheMerchantNumbersOfProviders) {
  SeededRandom random{1};
  AttemptId const id = mint_attempt_id(start, random);
  EXPECT_EQ(id.value.size(), 30U);
  EXPECT_TRUE(id.value.starts_with("pay_"));
  EXPECT_TRUE(std::ranges::all_of(id.value,
                                  [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_'; }));
  EXPECT_TRUE(is_attempt_id(id.value));
}

TEST(AttemptIdShape, SortsByTheTimeItWasMade) {
  SeededRandom random{2};
  std::vector<std::string> ids;
  for (std::int64_t const later : {0LL, 1LL, 31LL, 32LL, 1'000LL, 86'400'000LL, 400'000'000'000LL})
    ids.push_back(mint_attempt_id(start + Millis{later}, random).value);
  EXPECT_TRUE(std::ranges::is_sorted(ids));
}

TEST(AttemptIdShape, IsItsOwnAlsoWithinAMillisecond) {
  SeededRandom random{3};
  std::set<std::string> ids;
  for (int i = 0; i < 10'000; ++i) ids.insert(mint_attempt_id(start, random).value);
  EXPECT_EQ(ids.size(), 10'000U);
}

TEST(AttemptIdShape, RepeatsFromItsSeed) {
  SeededRandom a{7};
  SeededRandom b{7};
  EXPECT_EQ(mint_attempt_id(start, a), mint_attempt_id(start, b));
  EXPECT_NE(mint_attempt_id(start, a).value, mint_suffix(start, b));
}

TEST(AttemptIdShape, OthersAreNotOurs) {
  std::string const good = "pay_0123456789abcdefghjkmnpqrs";
  ASSERT_TRUE(is_attempt_id(good));
  std::vector<std::string> others{
      "", "pay_", "PA-1001", good + "0", good.substr(0, 29), "ref_" + good.substr(4), "PAY_" + good.substr(4)};
  for (char const c : {'i', 'l', 'o', 'u', 'A', '_', '-', ' ', '\0', '\xff'}) {
    others.push_back(good);
    others.back()[29] = c;
  }
  for (std::string const& text : others) EXPECT_FALSE(is_attempt_id(text)) << text;
}

TEST(RefundIdShape, IsThatOfPaymentsUnderItsOwnPrefix) {
  SeededRandom random{5};
  RefundId const id = mint_refund_id(start, random);
  EXPECT_TRUE(is_refund_id(id.value)) << id.value;
  EXPECT_FALSE(is_attempt_id(id.value));
  EXPECT_FALSE(is_refund_id(mint_attempt_id(start, random).value));
  EXPECT_TRUE(is_refund_id(surplus_refund_id(mint_attempt_id(start, random)).value));
}

TEST(SurplusRefundId, IsAFunctionOfTheAttempt) {
  SeededRandom random{4};
  AttemptId const one = mint_attempt_id(start, random);
  AttemptId const other = mint_attempt_id(start, random);
  EXPECT_EQ(surplus_refund_id(one), surplus_refund_id(one));
  EXPECT_NE(surplus_refund_id(one), surplus_refund_id(other));
  EXPECT_EQ(surplus_refund_id(one).value, "ref_" + one.value.substr(4));
  EXPECT_EQ(surplus_refund_id(one).value.size(), 30U);
}

}  // namespace
}  // namespace payonce
