// Recovery: two workers never double a step, the buyer's time ends with a closing, and nobody is forgotten.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

TakeUpAttempt take_up(Time due_at) { return {order_key(), attempt_id(1), due_at}; }

RulesWorld world_due_now(AttemptState state, std::string_view provider = "sure") {
  Attempt attempt = attempt_in(state, 1);
  attempt.provider = provider;
  RulesWorld world{order_with({attempt})};
  world.now = *attempt.due_at;
  return world;
}

TEST(C26TwoTakers, TheSecondWithTheSameDueTimeGetsNothing) {
  for (AttemptState const state : {processing, requires_action, unknown, released}) {
    RulesWorld world = world_due_now(state);
    Time const seen = world.now;
    Decision const first = world.run(take_up(seen));
    EXPECT_EQ(first.calls.size(), 1U);
    EXPECT_EQ(world.attempt(1).due_at, world.now + 12s) << "the lease is longer than the call can take";
    EXPECT_EQ(world.attempt(1).tries, 1);
    EXPECT_EQ(world.attempt(1).state, state);
    Decision const second = world.run(take_up(seen));
    EXPECT_EQ(replied(second).kind, ReplyKind::nothing);
    EXPECT_TRUE(second.changes.empty());
    EXPECT_TRUE(second.calls.empty());
  }
}

TEST(C26DeadWorker, IsFollowedByAnotherAfterItsLease) {
  RulesWorld world = world_due_now(unknown);
  world.run(take_up(world.now));
  world.now = world.attempt(1).due_at.value();
  Decision const next = world.run(take_up(world.now));
  EXPECT_EQ(calls_of(next), std::vector{CallKind::query});
  EXPECT_EQ(world.attempt(1).tries, 2);
}

TEST(TakeUp, AsksBeforeAnythingElse) {
  for (std::string_view const provider : {"sure", "forgetful", "blunt"})
    for (AttemptState const state : {processing, requires_action, unknown}) {
      RulesWorld world = world_due_now(state, provider);
      EXPECT_EQ(calls_of(world.run(take_up(world.now))), std::vector{CallKind::query});
    }
}

TEST(TakeUp, OfWhatEndedOrIsUnknownIsNothing) {
  for (AttemptState const state : {succeeded, failed, canceled}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.decide(take_up(world.now));
    EXPECT_EQ(replied(decision).kind, ReplyKind::nothing);
    EXPECT_TRUE(decision.changes.empty());
    EXPECT_TRUE(decision.calls.empty());
  }
  EXPECT_EQ(replied(RulesWorld{}.decide(take_up(test_start))).kind, ReplyKind::nothing);
}

TEST(C25Expiry, ClosesAtTheProviderFirst) {
  for (AttemptState const state : {processing, requires_action, unknown})
    for (Millis const late : {Millis{0}, Millis{1h}}) {
      RulesWorld world = world_due_now(state);
      world.now = world.attempt(1).expires_at + late;
      Decision const decision = world.run(take_up(world.attempt(1).due_at.value()));
      EXPECT_EQ(calls_of(decision), std::vector{CallKind::close});
      EXPECT_TRUE(world.attempt(1).cancel_requested);
      EXPECT_EQ(world.attempt(1).state, state) << "time alone ends nothing";
    }
  RulesWorld before = world_due_now(requires_action);
  before.now = before.attempt(1).expires_at - 1ms;
  EXPECT_EQ(calls_of(before.run(take_up(before.attempt(1).due_at.value()))), std::vector{CallKind::query});
}

TEST(C25Expiry, WithoutProofByClosingOnlyAsks) {
  RulesWorld world = world_due_now(requires_action, "blunt");
  world.now = world.attempt(1).expires_at + 24h;
  EXPECT_EQ(calls_of(world.run(take_up(world.attempt(1).due_at.value()))), std::vector{CallKind::query});
  EXPECT_FALSE(world.attempt(1).cancel_requested);
}

RulesWorld never_sent() {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  RecordOutcome never_left = outcome(1, Evidence::response, Outcome::not_sent);
  never_left.first_create_at_try = 0;
  world.run(never_left);
  world.now = world.attempt(1).due_at.value();
  return world;
}

TEST(TakeUpNeverSent, SendsTheStoredRequestAsTheFirst) {
  RulesWorld world = never_sent();
  std::string const request = world.attempt(1).request;
  Decision const decision = world.run(take_up(world.now));
  ASSERT_EQ(calls_of(decision), std::vector{CallKind::create});
  EXPECT_TRUE(decision.calls[0].first_create);
  EXPECT_EQ(decision.calls[0].attempt.request, request);
  EXPECT_EQ(decision.calls[0].attempt.tries, 1) << "what the answer has to name to prove that nothing left";
  EXPECT_TRUE(world.attempt(1).exposed);
  EXPECT_EQ(world.attempt(1).first_sent_at, world.now) << "the provider's key window begins here";

  RecordOutcome again = outcome(1, Evidence::response, Outcome::not_sent);
  again.first_create_at_try = 1;
  world.run(again);
  EXPECT_FALSE(world.attempt(1).exposed);
  EXPECT_GT(world.attempt(1).due_at.value(), world.now + 1s) << "the wait doubles";
}

TEST(TakeUpNeverSent, EndsWhenTheBuyersTimeIsOver) {
  RulesWorld world = never_sent();
  world.now = world.attempt(1).expires_at;
  Decision const decision = world.run(take_up(world.attempt(1).due_at.value()));
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_EQ(world.attempt(1).state, canceled);
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
}

TEST(TakeUpNeverSent, EndsWithoutALeftoverAlarm) {
  RulesWorld world = never_sent();
  world.now = test_start + 2h;
  world.run(take_up(world.attempt(1).due_at.value()));
  EXPECT_EQ(world.attempt(1).state, canceled);
  EXPECT_EQ(world.attempt(1).review, "");
}

TEST(C26Alarm, ComesOnceForAnOldUnknownAndAskingGoesOn) {
  RulesWorld world = world_due_now(unknown, "blunt");
  world.now = test_start + 1h - 1ms;
  world.run(take_up(world.attempt(1).due_at.value()));
  EXPECT_EQ(world.attempt(1).review, "");
  int alarms = 0;
  for (int round = 0; round < 100; ++round) {
    world.now = std::max(world.attempt(1).due_at.value(), test_start + 1h);
    Decision const taken = world.run(take_up(world.attempt(1).due_at.value()));
    alarms += int(std::ranges::count(event_types(taken), "payment.alarm"));
    EXPECT_EQ(calls_of(taken), std::vector{CallKind::query});
    world.run(outcome(1, Evidence::query, Outcome::in_doubt));
    ASSERT_TRUE(world.attempt(1).due_at);
    EXPECT_LE(world.attempt(1).due_at.value(), world.now + 5min);
  }
  EXPECT_EQ(alarms, 1);
  EXPECT_NE(world.attempt(1).review, "");
  EXPECT_EQ(world.attempt(1).state, unknown) << "unknown never becomes failed by waiting";
}

TEST(C26Alarm, IsNotRaisedWhileTheBuyerHasTime) {
  RulesWorld world = world_due_now(requires_action);
  world.orders.at(order_key()).attempts[0].expires_at = test_start + 48h;
  world.now = test_start + 24h;
  world.run(take_up(world.attempt(1).due_at.value()));
  EXPECT_EQ(world.attempt(1).review, "");
}

TEST(TakeUp, WithoutItsProviderRaisesAnAlarmAndStaysDue) {
  RulesWorld world = world_due_now(unknown, "gone");
  Decision const decision = world.run(take_up(world.now));
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_NE(world.attempt(1).review.find("gone"), std::string::npos);
  EXPECT_GT(world.attempt(1).due_at.value(), world.now);
  EXPECT_EQ(world.attempt(1).state, unknown);
}

TEST(TakeUpRefund, AsksFirstAndFencesLikeAnAttempt) {
  RulesWorld world{order_with({attempt_in(failed, 1), attempt_in(succeeded, 2)})};
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  ASSERT_NE(world.refund_of(1), nullptr);
  world.now = world.refund(1).due_at.value();
  TakeUpRefund const command{order_key(), surplus_refund_id(attempt_id(1)), world.now};
  Decision const first = world.run(command);
  EXPECT_EQ(calls_of(first), std::vector{CallKind::query_refund});
  EXPECT_EQ(first.calls[0].refund->id, command.refund);
  EXPECT_EQ(world.refund(1).tries, 1);
  Decision const second = world.run(command);
  EXPECT_EQ(replied(second).kind, ReplyKind::nothing);
  EXPECT_TRUE(second.changes.empty());
  EXPECT_TRUE(second.calls.empty());
}

TEST(TakeUpRefund, OfWhatEndedOrIsUnknownIsNothing) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_request(1, "r-1"));
  world.run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, answer(Outcome::succeeded)});
  // As if the end had left its due time behind.
  world.orders.at(order_key()).refunds[0].due_at = world.now;
  for (int const n : {1, 9}) {
    Decision const decision = world.decide(TakeUpRefund{order_key(), refund_id(n), world.now});
    EXPECT_EQ(replied(decision).kind, ReplyKind::nothing);
    EXPECT_TRUE(decision.changes.empty());
    EXPECT_TRUE(decision.calls.empty());
  }
  EXPECT_EQ(replied(RulesWorld{}.decide(TakeUpRefund{order_key(), refund_id(1), test_start})).kind, ReplyKind::nothing);
}

}  // namespace
}  // namespace payonce
