// What the rules do with a provider's table of capabilities beyond the usual one.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

class Capabilities : public testing::Test {
 protected:
  ProviderTerms& sure() { return world.terms.providers[0]; }
  // An attempt that became unknown, at the time recovery looks at it.
  void begin_unknown() {
    world.orders.clear();
    Order order = order_with({attempt_in(unknown, 1)});
    world.orders.emplace(order.head.key, std::move(order));
    world.now = world.attempt(1).due_at.value();
  }
  std::vector<CallKind> take_up() {
    return calls_of(world.run(TakeUpAttempt{order_key(), attempt_id(1), world.attempt(1).due_at.value()}));
  }

  RulesWorld world;
};

TEST_F(Capabilities, MoneyTheProviderDoesNotTakeIsRefusedBeforeAnAttemptExists) {
  sure().refuses = [](Money amount) { return amount.minor > 1000 ? "too much" : ""; };
  world.run(registration());
  Decision const refused = world.run(beginning(1, "k-1"));
  EXPECT_EQ(refused_with(refused), ErrorCode::invalid_request);
  EXPECT_EQ(refusal(refused).error.field, "amount");
  EXPECT_TRUE(refused.changes.empty());
  EXPECT_TRUE(refused.calls.empty());
  world.run(beginning(2, "k-1", "forgetful"));
  EXPECT_EQ(world.attempt(2).provider, "forgetful") << "the key is free, and another provider takes it";
}

TEST_F(Capabilities, ARefundTheProviderDoesNotTakeIsRefused) {
  world.orders.emplace(order_key(), order_with({attempt_in(succeeded, 1)}));
  sure().refuses = [](Money amount) { return amount.minor % 10 != 0 ? "last digit" : ""; };
  EXPECT_EQ(refused_with(world.run(refund_request(1, "k-r", 505))), ErrorCode::invalid_request);
  EXPECT_EQ(calls_of(world.run(refund_request(1, "k-r", 500))), std::vector{CallKind::refund});
}

TEST_F(Capabilities, RefundsKeepTheirDistanceAndTheirNumber) {
  world.orders.emplace(order_key(), order_with({attempt_in(succeeded, 1)}));
  sure().refund_spacing = 1min;
  sure().refunds_max = 2;
  EXPECT_EQ(calls_of(world.run(refund_request(1, "r-1", 100))), std::vector{CallKind::refund});
  world.now += 20s;
  Decision const soon = world.run(refund_request(2, "r-2", 200));
  EXPECT_EQ(replied(soon).kind, ReplyKind::created);
  EXPECT_TRUE(soon.calls.empty()) << "too soon";
  Refund const& waiting = world.order().refunds.at(1);
  EXPECT_EQ(waiting.due_at, test_start + 1min);
  EXPECT_NE(waiting.request, "");
  world.now = *waiting.due_at;
  world.run(TakeUpRefund{order_key(), refund_id(2), world.now});
  RecordRefundOutcome unknown_there{order_key(), refund_id(2), Evidence::query, answer(Outcome::not_found)};
  EXPECT_EQ(calls_of(world.run(unknown_there)), std::vector{CallKind::refund});
  world.now += 1h;
  EXPECT_EQ(refused_with(world.run(refund_request(3, "r-3", 300))), ErrorCode::payment_not_refundable);
}

TEST_F(Capabilities, WhoCantBeAskedByOurNumberIsSentTheSameAgainEverySecondTime) {
  sure().finds_by_number = false;
  begin_unknown();
  EXPECT_EQ(take_up(), std::vector{CallKind::create});
  EXPECT_EQ(take_up(), std::vector{CallKind::query}) << "a first answer that told nothing is given again";
  EXPECT_EQ(take_up(), std::vector{CallKind::create});
}

TEST_F(Capabilities, NothingIsSentAgainOnceItsIdIsKnownItsKeyForgottenOrItIsGivenUp) {
  sure().finds_by_number = false;
  sure().attempt_life = 48h;
  begin_unknown();
  Attempt& attempt = world.orders.at(order_key()).attempts[0];
  attempt.provider_ref = "pi_1";
  EXPECT_EQ(take_up(), std::vector{CallKind::query});
  begin_unknown();
  world.orders.at(order_key()).attempts[0].expires_at = test_start + 48h;
  world.now = test_start + 13h;
  EXPECT_EQ(take_up(), std::vector{CallKind::query});
  begin_unknown();
  world.orders.at(order_key()).attempts[0].cancel_requested = true;
  EXPECT_EQ(take_up(), std::vector{CallKind::close});
}

TEST_F(Capabilities, UnknownToAProviderThatLetItsTimePassIsGivenUp) {
  sure().expiry_is_proof = true;
  for (AttemptState const state : {requires_action, unknown, released})
    for (Evidence const evidence : {Evidence::query, Evidence::response}) {
      world.orders.clear();
      Order order = order_with({attempt_in(state, 1)});
      Time const expires_at = order.attempts[0].expires_at;
      world.orders.emplace(order.head.key, std::move(order));
      world.now = expires_at + sure().request_life;
      world.run(outcome(1, evidence, Outcome::not_found));
      EXPECT_TRUE(is_watched(world.attempt(1).state)) << "the margin is for clocks that differ";
      world.now += 1ms;
      world.run(outcome(1, evidence, Outcome::in_doubt));
      EXPECT_TRUE(is_watched(world.attempt(1).state)) << "silence proves nothing";
      world.run(outcome(1, evidence, Outcome::not_found));
      EXPECT_EQ(world.attempt(1).state, canceled);
      EXPECT_EQ(broken_invariants(world.order(), {}), "");
    }
}

TEST_F(Capabilities, WithoutSuchATimeNotFoundNeverEndsAnything) {
  begin_unknown();
  world.now = test_start + 1000h;
  world.run(outcome(1, Evidence::query, Outcome::not_found));
  EXPECT_EQ(world.attempt(1).state, unknown);
}

}  // namespace
}  // namespace payonce
