// Money that comes late, twice, or for a sum nobody asks for any more: in the books, never a second payment.
#include <gtest/gtest.h>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

TEST(C03SecondSuccess, IsStoredAsSurplusAndGivenBackOnce) {
  RulesWorld world{order_with({attempt_in(failed, 1), attempt_in(processing, 2)})};
  world.run(outcome(2, Evidence::notice, Outcome::succeeded));
  std::string const head = describe(world.order().head);
  for (int delivery = 0; delivery < 3; ++delivery) {
    Decision const decision = world.run(outcome(1, Evidence::notice, Outcome::succeeded));
    EXPECT_TRUE(decision.reply.has_value());
    EXPECT_EQ(calls_of(decision), delivery == 0 ? std::vector{CallKind::refund} : std::vector<CallKind>{});
  }
  EXPECT_EQ(describe(world.order().head), head);
  EXPECT_EQ(world.effects.size(), 3U);
  ASSERT_EQ(world.order().refunds.size(), 1U);
  Refund const& refund = world.order().refunds[0];
  EXPECT_EQ(refund.id, surplus_refund_id(attempt_id(1)));
  EXPECT_EQ(refund.amount, usd(1999));
  EXPECT_EQ(refund.reason, "surplus");
  EXPECT_EQ(refund.request, "refund " + refund.id.value + " of " + attempt_id(1).value + " 19.99 USD");
  EXPECT_TRUE(refund.due_at);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(LateSuccess, AfterFailedPaysAnOpenOrder) {
  for (AttemptState const from : {failed, canceled}) {
    RulesWorld world{order_with({attempt_in(from, 1)})};
    world.run(outcome(1, Evidence::notice, Outcome::succeeded));
    EXPECT_EQ(world.attempt(1).state, succeeded);
    EXPECT_EQ(world.order().head.state, OrderState::paid);
    EXPECT_EQ(world.order().head.paid_minor, 1999);
    EXPECT_EQ(world.effects.size(), 3U);
  }
}

TEST(LateSuccess, ReleasesTheLiveOneAndWhatItStillChargesIsSurplus) {
  RulesWorld world{order_with({attempt_in(failed, 1), attempt_in(unknown, 2)})};
  Decision const decision = world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.attempt(2).state, released);
  EXPECT_EQ(world.order().head.held_minor, 0);
  ASSERT_EQ(decision.calls.size(), 1U);
  EXPECT_EQ(decision.calls[0].kind, CallKind::close);
  EXPECT_EQ(decision.calls[0].attempt.id, attempt_id(2));

  world.run(outcome(2, Evidence::response, Outcome::succeeded));
  EXPECT_TRUE(world.attempt(2).surplus);
  EXPECT_NE(world.refund_of(2), nullptr);
  EXPECT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(LateSuccess, OfAReleasedAttemptIsNotClosedWithoutProof) {
  RulesWorld world{order_with({attempt_in(failed, 1), attempt_in(unknown, 2)})};
  world.orders.at(order_key()).attempts[1].provider = "blunt";
  Decision const decision = world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_EQ(world.attempt(2).state, released);
  EXPECT_TRUE(world.attempt(2).due_at) << "it is watched on";
}

TEST(C25ClosedOrder, MoneyThatComesLaterIsSurplus) {
  Order order = order_with({attempt_in(canceled, 1)});
  order.head.state = OrderState::closed;
  RulesWorld world{std::move(order)};
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.order().head.state, OrderState::closed);
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_NE(world.refund_of(1), nullptr);
  EXPECT_TRUE(world.effects.empty());
}

// The amount of a free order may change; the old attempt still stands for the old amount.
class AmountChangedSince : public testing::TestWithParam<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(DownAndUp, AmountChangedSince, testing::Values(500, 5'000));

TEST_P(AmountChangedSince, LateMoneyOfTheOldAmountIsGivenBackAndDoesNotPay) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  ASSERT_TRUE(world.run(registration(usd(GetParam()))).reply);
  Decision const decision = world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, succeeded);
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_EQ(world.order().head.state, OrderState::open);
  EXPECT_EQ(calls_of(decision), std::vector{CallKind::refund});
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST_P(AmountChangedSince, LateMoneyOfTheOldAmountDoesNotReleaseTheLiveOne) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  world.run(registration(usd(GetParam())));
  world.run(beginning(2, "k-2"));
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.attempt(2).state, processing);
  world.run(outcome(2, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.paid_minor, GetParam());
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(Surplus, OfAProviderThatIsGoneWaitsForRecovery) {
  Order order = order_with({attempt_in(failed, 1)});
  order.attempts[0].provider = "gone";
  order.head.state = OrderState::closed;
  RulesWorld world{std::move(order)};
  Decision const decision = world.run(outcome(1, Evidence::operator_, Outcome::succeeded));
  EXPECT_TRUE(decision.calls.empty());
  ASSERT_NE(world.refund_of(1), nullptr);
  EXPECT_EQ(world.refund(1).due_at, world.now);

  world.run(TakeUpRefund{order_key(), surplus_refund_id(attempt_id(1)), world.now});
  EXPECT_NE(world.refund(1).review, "");
  EXPECT_GT(world.refund(1).due_at.value(), world.now);
}

TEST(C63SeventyNotices, OneEffectOfEachName) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  for (int i = 0; i < 70; ++i) {
    Answer const paid = answer(Outcome::succeeded, "paid");
    world.run(notice("evt-" + std::to_string(i / 2), 1, paid));
    world.run(outcome(1, Evidence::query, paid));
    world.now += 5s;
  }
  EXPECT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(Effects, NameTheAttemptAndAreDueAtOnce) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  ASSERT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(world.effects[0].id(), attempt_id(1).value + ".ship");
  for (Effect const& effect : world.effects) {
    EXPECT_EQ(effect.key, order_key());
    EXPECT_EQ(effect.state, EffectState::pending);
    EXPECT_EQ(effect.due_at, world.now);
  }
}

}  // namespace
}  // namespace payonce
