// Money that is held: no money yet, never ended by time, and it gives way to money that came.
#include <gtest/gtest.h>

#include "support/held_world.h"

namespace payonce {
namespace {

TEST(Hold, IsNoMoneyYetAndKeepsThePlaceOfItsOrder) {
  RulesWorld world = held_world();
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  EXPECT_EQ(world.order().head.state, OrderState::open);
  EXPECT_EQ(world.order().head.paid_minor, 0);
  EXPECT_EQ(world.order().head.held_minor, 1999);
  EXPECT_EQ(effect_names(world), Names{"pack"}) << "nothing that waits for money";
  EXPECT_TRUE(world.journal.empty());
  EXPECT_EQ(refused_with(world.decide(beginning(2, "k-2"))), ErrorCode::order_has_live_payment);
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1"))), ErrorCode::payment_not_refundable);
  world.run(outcome(1, Evidence::query, Outcome::authorized));
  EXPECT_EQ(effect_names(world), Names{"pack"}) << "said twice, done once";
  EXPECT_EQ(unsound(world), "");
}

TEST(Hold, IsAskedForOnlyWhereAProviderCanHold) {
  RulesWorld world;
  RegisterOrder registered = registration();
  registered.capture = CaptureMode::manual;
  world.run(registered);
  Decision const refused = world.decide(beginning(1, "k-1", "blunt"));
  EXPECT_EQ(refused_with(refused), ErrorCode::invalid_request);
  EXPECT_EQ(refusal(refused).error.field, "provider");
  EXPECT_TRUE(world.decide(beginning(1, "k-1", "sure")).reply);
}

TEST(Hold, OfAnOrderThatIsToBePaidAtOnceDoesNotFit) {
  RulesWorld world;
  world.run(registration());
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::authorized));
  EXPECT_EQ(world.attempt(1).state, AttemptState::unknown);
  EXPECT_TRUE(world.attempt(1).review.contains("holds the money"));
}

TEST(Hold, OfAnotherAmountDoesNotFit) {
  RulesWorld world = begun_world();
  Answer said = answer(Outcome::authorized);
  said.amount = usd(1998);
  world.run(outcome(1, Evidence::response, said));
  EXPECT_EQ(world.attempt(1).state, AttemptState::unknown);
}

TEST(Hold, TheWayOfCaptureIsFixedWithTheOrder) {
  RulesWorld world = begun_world();
  Decision const decision = world.decide(registration());
  EXPECT_EQ(refused_with(decision), ErrorCode::order_conflict);
  EXPECT_EQ(refusal(decision).error.field, "capture");
}

TEST(Hold, IsNotEndedByANoticeThatMayBeFromBeforeIt) {
  RulesWorld world = held_world();
  world.run(outcome(1, Evidence::notice, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  EXPECT_EQ(world.attempt(1).due_at, world.now) << "the provider is asked at once";
  world.run(outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed) << "and its answer ends it";
}

TEST(Hold, IsAskedAboutAtItsEndAndNeverEndedByTime) {
  RulesWorld world = begun_world();
  Answer said = answer(Outcome::authorized);
  said.hold_until = world.now + 48h;
  world.run(outcome(1, Evidence::response, said));
  EXPECT_EQ(world.attempt(1).expires_at, *said.hold_until);
  EXPECT_EQ(world.attempt(1).due_at, said.hold_until) << "until then there is nothing to ask";
  world.now = *said.hold_until;
  Decision const taken = world.run(TakeUpAttempt{order_key(), attempt_id(1), world.now});
  EXPECT_EQ(calls_of(taken), std::vector{CallKind::query}) << "the provider says when it is over";
  world.run(outcome(1, Evidence::query, Outcome::in_doubt));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  world.run(outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed);
  EXPECT_EQ(world.order().head.held_minor, 0);
  EXPECT_TRUE(world.decide(beginning(2, "k-2")).reply) << "the order can be paid again";
}

TEST(Hold, LastsAsLongAsTheProvidersTermsSayWhenItDoesNotSaySo) {
  RulesWorld const world = held_world();
  EXPECT_EQ(world.attempt(1).expires_at, world.now + 24h * 7);
}

TEST(Hold, OutlivesTheTimeOfItsOrder) {
  RulesWorld world = held_world();
  RegisterOrder registered = registration();
  registered.capture = CaptureMode::manual;
  registered.expires_at = world.now + 1h;
  world.run(registered);
  world.now += 1h;
  Decision const decision = world.run(ExpireOrder{order_key(), *world.order().head.due_at});
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_FALSE(world.attempt(1).cancel_requested) << "it was given in time";
  EXPECT_TRUE(world.order().head.due_at);
}

TEST(Hold, IsGivenUpByTheShopAndNotByTheBuyer) {
  RulesWorld world = held_world();
  CancelAttempt by_buyer{MerchantId{"shop"}, attempt_id(1), "buyer", true};
  EXPECT_EQ(refused_with(world.decide(by_buyer)), ErrorCode::payment_not_cancelable);
  by_buyer.spares_holds = false;
  EXPECT_EQ(calls_of(world.decide(by_buyer)), std::vector{CallKind::close});
}

// An older attempt turns out to have charged while a newer one is held.
RulesWorld overtaken_world(bool is_capturing) {
  Attempt old = attempt_in(AttemptState::canceled, 2);
  Attempt held = attempt_in(AttemptState::authorized, 1);
  Order order = order_with({old, held});
  order.head.capture = CaptureMode::manual;
  RulesWorld world{order};
  world.terms.shop.effects = {{"give-back", Trigger::payment_surplus}};
  if (is_capturing) world.run(capture_request(1, "c-1", 1500));
  world.run(outcome(2, Evidence::notice, Outcome::succeeded));
  return world;
}

TEST(Hold, GivesWayToMoneyThatCame) {
  RulesWorld world = overtaken_world(false);
  EXPECT_EQ(world.attempt(1).state, AttemptState::released);
  EXPECT_TRUE(world.attempt(1).cancel_requested);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(refused_with(world.decide(capture_request(1, "c-1"))), ErrorCode::payment_not_capturable);
}

TEST(Hold, WhoseCaptureCameTooLateGivesBackWhatWasCaptured) {
  RulesWorld world = overtaken_world(true);
  EXPECT_EQ(world.attempt(1).state, AttemptState::released);
  world.run(capture_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_EQ(world.refund(1).amount, usd(1500)) << "what came, not what was held";
  EXPECT_EQ(world.order().head.paid_minor, 1999);
  EXPECT_EQ(unsound(world), "");
}

TEST(Hold, OfWhichSomethingWasCapturedStaysBesideMoneyThatComesLater) {
  Attempt old = attempt_in(AttemptState::canceled, 2);
  Attempt held = attempt_in(AttemptState::authorized, 1);
  Order order = order_with({old, held});
  order.head.capture = CaptureMode::manual;
  RulesWorld world{order};
  world.run(capture_request(1, "c-1", 500, false));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  world.run(outcome(2, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  EXPECT_TRUE(world.attempt(2).surplus);
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
}

TEST(Hold, OfAnEndedPaymentIsLetGo) {
  RulesWorld world = begun_world();
  world.run(outcome(1, Evidence::response, Outcome::declined));
  Decision const late = world.run(outcome(1, Evidence::notice, Outcome::authorized));
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed);
  EXPECT_EQ(calls_of(late), std::vector{CallKind::close});
  EXPECT_TRUE(late.changes.empty() || late.changes.attempts.empty()) << "it may be an old message";
}

TEST(Hold, IsNotEndedByItsExpiryWhereThatIsProofForAPayment) {
  RulesWorld world = begun_world();
  for (ProviderTerms& it : world.terms.providers) it.expiry_is_proof = true;
  world.run(outcome(1, Evidence::response, Outcome::authorized));
  world.now = world.attempt(1).expires_at + 24h;
  world.run(outcome(1, Evidence::query, Outcome::not_found));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized) << "the buyer has paid in time";
  EXPECT_TRUE(world.attempt(1).due_at);
}

TEST(Hold, ThatIsBeingGivenUpEndsWithTheProvidersNotice) {
  RulesWorld world = held_world();
  world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  world.run(outcome(1, Evidence::notice, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::canceled) << "it is the answer to what was asked for";
  EXPECT_EQ(unsound(world), "");
}

TEST(Hold, OfWhatIsWantedNoMoreIsNotToldToTheShop) {
  RulesWorld world = begun_world();
  world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  world.run(outcome(1, Evidence::response, Outcome::authorized));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  EXPECT_TRUE(world.effects.empty()) << "nothing is packed for what is being closed";
}

TEST(Hold, ToldOfAfterItsMoneyCameClosesNothing) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  Decision const late = world.run(outcome(1, Evidence::notice, Outcome::authorized));
  EXPECT_TRUE(late.calls.empty());
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded);
}

}  // namespace
}  // namespace payonce
