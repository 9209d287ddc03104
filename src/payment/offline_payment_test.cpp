// Support books money that came by other means, while the buyer, the job and the provider do what they do.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

TEST(OfflinePayment, PaysTheOrderWithItsEffectsOnAPersonsWord) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  Decision const decision = world.run(offline_payment(2, "k-2"));
  EXPECT_EQ(replied(decision).kind, ReplyKind::created);
  EXPECT_TRUE(decision.calls.empty());
  Attempt const& attempt = world.attempt(2);
  EXPECT_EQ(attempt.state, succeeded);
  EXPECT_EQ(attempt.evidence, Evidence::operator_);
  EXPECT_EQ(attempt.answer_code, "R-7");
  EXPECT_EQ(attempt.answer, "paid at the counter");
  EXPECT_EQ(decision.changes.events.at(0).actor, "ann");
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(OfflinePayment, TwiceUnderOneKeyIsOnePayment) {
  RulesWorld world{order_with({})};
  world.run(offline_payment(1, "k-1"));
  Decision const again = world.run(offline_payment(2, "k-1"));
  EXPECT_EQ(replied(again).kind, ReplyKind::confirmed);
  EXPECT_EQ(replied(again).attempt->id, attempt_id(1));
  EXPECT_TRUE(again.changes.empty());

  Decision const lost_commit = world.run(offline_payment(1, "k-1"));
  EXPECT_EQ(replied(lost_commit).kind, ReplyKind::created);
  EXPECT_TRUE(lost_commit.changes.empty());
  EXPECT_TRUE(lost_commit.calls.empty());
}

TEST(OfflinePayment, OfAnotherPaperUnderTheSameKeyIsRefused) {
  RulesWorld world{order_with({})};
  world.run(offline_payment(1, "k-1"));
  RecordOfflinePayment other = offline_payment(2, "k-1");
  other.document = "R-8";
  EXPECT_EQ(refused_with(world.decide(other)), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refused_with(world.decide(beginning(2, "k-1"))), ErrorCode::idempotency_key_reused);
}

TEST(OfflinePayment, IsRefusedWhileAnAttemptMayStillCharge) {
  for (AttemptState const state : {processing, requires_action, unknown}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.decide(offline_payment(2, "k-2"));
    EXPECT_EQ(refused_with(decision), ErrorCode::order_has_live_payment);
    EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
    EXPECT_TRUE(decision.changes.empty());
  }
}

TEST(OfflinePayment, IsRefusedForAPaidAClosedAndAnUnknownOrder) {
  EXPECT_EQ(refused_with(RulesWorld{order_with({attempt_in(succeeded, 1)})}.decide(offline_payment(2, "k-2"))),
            ErrorCode::order_already_paid);
  RulesWorld closed{order_with({})};
  closed.orders.at(order_key()).head.state = OrderState::closed;
  EXPECT_EQ(refused_with(closed.decide(offline_payment(2, "k-2"))), ErrorCode::order_closed);
  EXPECT_EQ(refused_with(RulesWorld{}.decide(offline_payment(2, "k-2"))), ErrorCode::not_found);
}

TEST(OfflinePayment, NeedsTheOrdersAmount) {
  RulesWorld world{order_with({})};
  RecordOfflinePayment wrong = offline_payment(1, "k-1");
  wrong.amount = usd(1998);
  EXPECT_EQ(refused_with(world.decide(wrong)), ErrorCode::amount_mismatch);
  wrong.amount = cny(1999);
  EXPECT_EQ(refused_with(world.decide(wrong)), ErrorCode::amount_mismatch);
}

TEST(OfflinePayment, MakesTheProvidersLateMoneyASurplus) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  world.run(offline_payment(2, "k-2"));
  world.run(notice("evt-1", 1, answer(Outcome::succeeded)));
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_NE(world.refund_of(1), nullptr);
  EXPECT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

}  // namespace
}  // namespace payonce
