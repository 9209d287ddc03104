// The buyer changes the method: another attempt takes the place of one that is live.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

BeginAttempt replacing(int n) {
  BeginAttempt command = beginning(n, "k-" + std::to_string(n));
  command.replaces = true;
  return command;
}

// Attempt 1 in this state at this provider.
RulesWorld world_with(AttemptState state, std::string provider, SwitchMode mode) {
  Attempt attempt = attempt_in(state, 1);
  attempt.provider = std::move(provider);
  RulesWorld world{order_with({attempt})};
  world.terms.shop.switch_mode = mode;
  return world;
}

TEST(Replace, WhatNeverLeftUsGivesItsPlaceAtOnce) {
  RulesWorld world = world_with(processing, "sure", SwitchMode::strict);
  world.orders.at(order_key()).attempts[0].exposed = false;
  EXPECT_EQ(replied(world.run(replacing(2))).kind, ReplyKind::created);
  EXPECT_EQ(world.attempt(1).state, canceled);
  EXPECT_EQ(world.attempt(2).state, processing);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(Replace, WithNobodyInTheWayJustBegins) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  EXPECT_EQ(calls_of(world.run(replacing(2))), std::vector{CallKind::create});
  EXPECT_EQ(world.attempt(1).state, failed);
}

TEST(Replace, StrictKeepsTheLiveOneUntilItsProof) {
  for (AttemptState const state : {processing, requires_action, unknown})
    for (std::string const provider : {"sure", "blunt"}) {
      RulesWorld world = world_with(state, provider, SwitchMode::strict);
      world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
      Decision const decision = world.decide(replacing(2));
      EXPECT_EQ(refused_with(decision), ErrorCode::order_has_live_payment);
      EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
      EXPECT_TRUE(decision.changes.empty());
    }
}

TEST(Replace, ReleaseNeedsThatOnlyTheBuyerCouldMakeItCharge) {
  for (AttemptState const state : {processing, unknown}) {
    RulesWorld world = world_with(state, "blunt", SwitchMode::release);
    world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
    EXPECT_EQ(refused_with(world.decide(replacing(2))), ErrorCode::order_has_live_payment)
        << "it may charge by itself: " << to_text(state);
  }
}

TEST(Replace, ReleaseTriesToCloseFirstWhereThatProves) {
  RulesWorld world = world_with(requires_action, "sure", SwitchMode::release);
  EXPECT_EQ(refused_with(world.decide(replacing(2))), ErrorCode::order_has_live_payment);
  world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  EXPECT_TRUE(world.run(replacing(2)).reply);
  EXPECT_EQ(world.attempt(1).state, released);
}

TEST(Replace, AReleasedOneIsWatchedAndItsMoneyIsSurplusGivenBackOnce) {
  RulesWorld world = world_with(requires_action, "blunt", SwitchMode::release);
  ASSERT_TRUE(world.run(replacing(2)).reply);
  EXPECT_EQ(world.attempt(1).state, released);
  EXPECT_TRUE(world.attempt(1).due_at);
  EXPECT_EQ(world.attempt(1).action_url, "");
  EXPECT_EQ(world.order().head.held_minor, 1999) << "the new one holds the place, and nothing else";

  world.run(outcome(2, Evidence::response, Outcome::succeeded));
  Decision const late = world.run(outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_EQ(calls_of(late), std::vector{CallKind::refund});
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.order().refunds.size(), 1U);
  EXPECT_EQ(world.effects.size(), 3U) << "one order, one set of effects";
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(Replace, AlreadyPaidWins) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  Decision const decision = world.decide(replacing(2));
  EXPECT_EQ(refused_with(decision), ErrorCode::order_already_paid);
  EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
}

TEST(Replace, ItsKeyIsReplayedLikeAnyOther) {
  RulesWorld world = world_with(requires_action, "blunt", SwitchMode::release);
  world.run(replacing(2));
  BeginAttempt again = replacing(3);
  again.idempotency_key = "k-2";
  EXPECT_EQ(replied(world.decide(again)).kind, ReplyKind::confirmed);
  EXPECT_TRUE(world.decide(again).changes.empty()) << "a replay releases nothing";
}

// A provider that lets nobody pay after the expiry that was named: not found then means never.
class ExpiryIsProof : public testing::Test {
 protected:
  ExpiryIsProof() {
    for (ProviderTerms& it : world.terms.providers) it.expiry_is_proof = it.name == "blunt";
  }
  RulesWorld world = world_with(requires_action, "blunt", SwitchMode::strict);
};

TEST_F(ExpiryIsProof, NotFoundAfterTheExpiryEndsIt) {
  world.now = test_start + 15min + 61s;  // the attempt's life and the provider's request life
  world.run(outcome(1, Evidence::query, Outcome::not_found));
  EXPECT_EQ(world.attempt(1).state, canceled);
  EXPECT_EQ(world.attempt(1).answer_code, "not_found");
  EXPECT_TRUE(world.decide(beginning(2, "k-2")).reply);
}

TEST_F(ExpiryIsProof, NotFoundBeforeOrWithoutTheProvidersWordEndsNothing) {
  world.now = test_start + 15min + 59s;
  world.run(outcome(1, Evidence::query, Outcome::not_found));
  EXPECT_EQ(world.attempt(1).state, requires_action) << "a payment may still be on its way";
  world.now = test_start + 24h;
  world.run(outcome(1, Evidence::query, answer(Outcome::not_found, "")));
  EXPECT_EQ(world.attempt(1).state, requires_action) << "an answer without a code proves nothing";
  for (ProviderTerms& it : world.terms.providers) it.expiry_is_proof = false;
  world.run(outcome(1, Evidence::query, Outcome::not_found));
  EXPECT_EQ(world.attempt(1).state, requires_action);
}

}  // namespace
}  // namespace payonce
