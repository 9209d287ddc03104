// Giving a payment up: only with the provider's proof, or when surely nothing ever reached it.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

CancelAttempt const cancel{MerchantId{"shop"}, attempt_id(1), "ann"};

TEST(Cancel, AsksTheProviderToCloseAndWaitsForItsProof) {
  for (AttemptState const state : {processing, requires_action, unknown}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.run(cancel);
    EXPECT_EQ(replied(decision).kind, ReplyKind::accepted);
    EXPECT_EQ(calls_of(decision), std::vector{CallKind::close});
    EXPECT_EQ(world.attempt(1).state, state) << "a wish is no proof";
    EXPECT_EQ(world.attempt(1).due_at, world.now + 12s);
    EXPECT_EQ(decision.changes.events.at(0).actor, "ann");

    Decision const again = world.run(cancel);
    EXPECT_EQ(replied(again).kind, ReplyKind::accepted);
    EXPECT_TRUE(again.changes.empty());
    EXPECT_TRUE(again.calls.empty());

    world.run(outcome(1, Evidence::response, Outcome::declined));
    EXPECT_EQ(world.attempt(1).state, canceled);
    EXPECT_EQ(world.order().head.held_minor, 0);
  }
}

TEST(C25AlreadyPaid, WinsOverTheWishToCancel) {
  RulesWorld world{order_with({attempt_in(requires_action, 1)})};
  world.run(cancel);
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, succeeded);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.effects.size(), 3U);
  EXPECT_EQ(refused_with(world.decide(cancel)), ErrorCode::payment_not_cancelable);
}

TEST(C25CloseTimesOut, LeavesThePaymentUnknownAndIsAskedAgain) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(cancel);
  world.run(outcome(1, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(world.attempt(1).state, unknown);
  world.now = world.attempt(1).due_at.value();
  EXPECT_EQ(calls_of(world.run(TakeUpAttempt{order_key(), attempt_id(1), world.now})), std::vector{CallKind::close});
}

TEST(Cancel, WithoutAProviderThatProvesClosingsIsOnlyNoted) {
  Attempt attempt = attempt_in(processing, 1);
  attempt.provider = "blunt";
  RulesWorld world{order_with({attempt})};
  Decision const decision = world.run(cancel);
  EXPECT_EQ(replied(decision).kind, ReplyKind::accepted);
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_TRUE(world.attempt(1).cancel_requested);
  EXPECT_EQ(world.attempt(1).state, processing);
}

RulesWorld never_sent() {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  RecordOutcome never_left = outcome(1, Evidence::response, Outcome::not_sent);
  never_left.first_create_at_try = 0;
  world.run(never_left);
  return world;
}

TEST(CancelBeforeSent, EndsWithoutACall) {
  RulesWorld world = never_sent();
  Decision const decision = world.run(cancel);
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_EQ(world.attempt(1).state, canceled);
  EXPECT_EQ(world.attempt(1).answer_code, "never_sent");
  EXPECT_EQ(world.order().head.held_minor, 0);
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
  EXPECT_EQ(replied(world.run(cancel)).kind, ReplyKind::confirmed);
  EXPECT_TRUE(world.decide(cancel).changes.empty());
}

TEST(CancelBeforeSent, ClearsTheAlarmOfWaiting) {
  RulesWorld world = never_sent();
  world.orders.at(order_key()).attempts[0].review = "unresolved since long";
  world.run(cancel);
  EXPECT_EQ(world.attempt(1).review, "") << "nobody has to look at it any more";
}

TEST(CancelBeforeSent, IsNoMoreOnceRecoveryTookItUp) {
  RulesWorld world = never_sent();
  world.now = world.attempt(1).due_at.value();
  EXPECT_EQ(calls_of(world.run(TakeUpAttempt{order_key(), attempt_id(1), world.now})), std::vector{CallKind::create});
  EXPECT_EQ(calls_of(world.run(cancel)), std::vector{CallKind::close});
  EXPECT_EQ(world.attempt(1).state, processing);
}

TEST(Cancel, WhatEndedIsNotCanceled) {
  for (AttemptState const state : {succeeded, failed}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.decide(cancel);
    EXPECT_EQ(refused_with(decision), ErrorCode::payment_not_cancelable);
    EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
    EXPECT_TRUE(decision.changes.empty());
  }
  RulesWorld canceled_one{order_with({attempt_in(canceled, 1)})};
  EXPECT_EQ(replied(canceled_one.decide(cancel)).kind, ReplyKind::confirmed);
  EXPECT_TRUE(canceled_one.decide(cancel).changes.empty());
  EXPECT_EQ(refused_with(RulesWorld{}.decide(cancel)), ErrorCode::not_found);
}

TEST(Cancel, TheProvidersProofMayComeByAnyRoad) {
  for (Evidence const evidence : evidences) {
    RulesWorld world{order_with({attempt_in(processing, 1)})};
    world.run(cancel);
    world.run(outcome(1, evidence, Outcome::declined));
    EXPECT_EQ(world.attempt(1).state, canceled);
  }
}

}  // namespace
}  // namespace payonce
