// Orders that several payments pay: deposits, instalments, several methods.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

class SplitOrder : public testing::Test {
 protected:
  SplitOrder() {
    RegisterOrder command = registration(usd(1'000));
    command.policy = Policy::split;
    world.run(command);
  }
  static BeginAttempt part(int n, std::string name, std::optional<std::int64_t> amount_minor) {
    BeginAttempt command = beginning(n, "k-" + std::to_string(n));
    command.part = std::move(name);
    command.amount_minor = amount_minor;
    return command;
  }
  void pay(int n, std::string name, std::optional<std::int64_t> amount_minor) {
    ASSERT_TRUE(world.run(part(n, std::move(name), amount_minor)).reply);
    world.run(outcome(n, Evidence::response, Outcome::succeeded));
  }
  void expect_sound() {
    EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
    EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
  }

  RulesWorld world;
};

TEST_F(SplitOrder, IsPaidExactlyWhenAllOfItCame) {
  pay(1, "deposit", 300);
  EXPECT_EQ(world.order().head.state, OrderState::open);
  EXPECT_EQ(world.order().head.paid_minor, 300);
  EXPECT_TRUE(world.effects.empty()) << "nothing is shipped for a deposit";
  pay(2, "rest", std::nullopt);
  EXPECT_EQ(world.attempt(2).amount, usd(700)) << "what is open, when nothing is said";
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  ASSERT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(world.effects[0].attempt, attempt_id(2)) << "the payment that made it complete";
  expect_sound();
}

TEST_F(SplitOrder, PaidAndHeldNeverExceedTheAmount) {
  pay(1, "deposit", 300);
  ASSERT_TRUE(world.run(part(2, "card", 500)).reply);
  EXPECT_EQ(refused_with(world.decide(part(3, "wallet", 201))), ErrorCode::amount_mismatch);
  ASSERT_TRUE(world.run(part(3, "wallet", 200)).reply);
  EXPECT_EQ(refused_with(world.decide(part(4, "more", 1))), ErrorCode::amount_mismatch);
  EXPECT_EQ(refused_with(world.decide(part(4, "more", std::nullopt))), ErrorCode::order_has_live_payment);
  expect_sound();
}

TEST_F(SplitOrder, APartIsPaidOnce) {
  ASSERT_TRUE(world.run(part(1, "deposit", 300)).reply);
  Decision const while_live = world.decide(part(2, "deposit", 300));
  EXPECT_EQ(refused_with(while_live), ErrorCode::order_has_live_payment);
  EXPECT_EQ(refusal(while_live).live->id, attempt_id(1));
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(refused_with(world.decide(part(2, "deposit", 300))), ErrorCode::order_already_paid);
}

TEST_F(SplitOrder, ADeclinedPartIsFreeAgain) {
  ASSERT_TRUE(world.run(part(1, "deposit", 300)).reply);
  world.run(outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(world.order().head.held_minor, 0);
  pay(2, "deposit", 300);
  EXPECT_EQ(world.order().head.paid_minor, 300);
  expect_sound();
}

TEST_F(SplitOrder, LateMoneyThatStillFitsPaysAndOtherIsSurplus) {
  ASSERT_TRUE(world.run(part(1, "deposit", 300)).reply);
  world.run(outcome(1, Evidence::response, Outcome::declined));
  pay(2, "card", 800);
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_TRUE(world.attempt(1).surplus) << "300 do not fit beside 800 of 1000";
  EXPECT_EQ(world.order().head.paid_minor, 800);
  ASSERT_TRUE(world.run(part(3, "wallet", 200)).reply);
  world.run(outcome(3, Evidence::response, Outcome::declined));
  world.run(outcome(3, Evidence::notice, Outcome::succeeded));
  EXPECT_FALSE(world.attempt(3).surplus);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  expect_sound();
}

TEST_F(SplitOrder, LateMoneyOfAPaidPartIsSurplus) {
  ASSERT_TRUE(world.run(part(1, "deposit", 300)).reply);
  world.run(outcome(1, Evidence::response, Outcome::declined));
  pay(2, "deposit", 300);
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_NE(world.refund_of(1), nullptr);
  expect_sound();
}

TEST_F(SplitOrder, LateMoneyOfAPartTakesThePlaceOfItsLiveAttempt) {
  pay(1, "deposit", 300);
  ASSERT_TRUE(world.run(part(2, "rest", 700)).reply);
  world.run(outcome(2, Evidence::response, Outcome::declined));
  ASSERT_TRUE(world.run(part(3, "rest", 700)).reply);
  world.run(outcome(2, Evidence::notice, Outcome::succeeded));
  EXPECT_FALSE(world.attempt(2).surplus) << "the live one holds the same 700 and gives way";
  EXPECT_EQ(world.attempt(3).state, released);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.held_minor, 0);
  expect_sound();
}

TEST_F(SplitOrder, RefundsNameThePaymentTheyTakeFrom) {
  pay(1, "deposit", 300);
  pay(2, "rest", std::nullopt);
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1", 301, 1))), ErrorCode::refund_exceeds_captured);
  EXPECT_TRUE(world.run(refund_request(1, "r-1", 300, 1)).reply);
  EXPECT_TRUE(world.run(refund_request(2, "r-2", 700, 2)).reply);
  expect_sound();
}

TEST_F(SplitOrder, ItsPriceCanFallToWhatIsPaidAndNoFurther) {
  pay(1, "deposit", 300);
  RegisterOrder change = registration(usd(299));
  change.policy = Policy::split;
  EXPECT_EQ(refused_with(world.decide(change)), ErrorCode::order_conflict);
  change.amount = usd(300);
  world.run(change);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.effects.size(), 3U);
  expect_sound();
}

TEST_F(SplitOrder, ItsPriceChangesBesideALivePaymentThatItStillCovers) {
  ASSERT_TRUE(world.run(part(1, "deposit", 300)).reply);
  RegisterOrder change = registration(usd(300));
  change.policy = Policy::split;
  EXPECT_EQ(replied(world.run(change)).kind, ReplyKind::confirmed);
  EXPECT_EQ(world.order().head.amount, usd(300));
  EXPECT_EQ(world.order().head.state, OrderState::open) << "it is held and not paid";
  change.amount = cny(5'000);
  EXPECT_EQ(refused_with(world.decide(change)), ErrorCode::order_conflict) << "no two currencies in one order";
  expect_sound();
}

TEST_F(SplitOrder, OfWhichNothingIsPaidOrHeldMayChangeToAnyPrice) {
  RegisterOrder change = registration(cny(1));
  change.policy = Policy::split;
  EXPECT_EQ(replied(world.run(change)).kind, ReplyKind::confirmed);
  EXPECT_EQ(world.order().head.amount, cny(1));
}

TEST_F(SplitOrder, ThatExpiresHalfPaidIsClosedAndCallsAPerson) {
  pay(1, "deposit", 300);
  RegisterOrder expiring = registration(usd(1'000));
  expiring.policy = Policy::split;
  expiring.expires_at = world.now + 1h;
  world.run(expiring);
  world.now += 1h;
  world.run(ExpireOrder{order_key(), world.now});
  EXPECT_EQ(world.order().head.state, OrderState::closed);
  EXPECT_TRUE(world.attempt(1).review.contains("300 of 1000")) << world.attempt(1).review;
  expect_sound();
}

TEST(SinglePolicy, HasNoParts) {
  RulesWorld world{order_with({})};
  BeginAttempt command = beginning(1, "k-1");
  command.part = "deposit";
  Decision const decision = world.decide(command);
  EXPECT_EQ(refused_with(decision), ErrorCode::invalid_request);
  EXPECT_EQ(refusal(decision).error.field, "part");
}

TEST(Policy, NeverChanges) {
  RulesWorld world{order_with({})};
  RegisterOrder change = registration();
  change.policy = Policy::split;
  EXPECT_EQ(refused_with(world.decide(change)), ErrorCode::order_conflict);
}

TEST_F(SplitOrder, OfflineMoneyPaysAPart) {
  RecordOfflinePayment offline = offline_payment(1, "k-1");
  offline.amount = usd(400);
  offline.part = "cash";
  ASSERT_TRUE(world.run(offline).reply);
  EXPECT_EQ(world.order().head.paid_minor, 400);
  EXPECT_EQ(world.order().head.state, OrderState::open);
  pay(2, "card", std::nullopt);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  expect_sound();
}

}  // namespace
}  // namespace payonce
