// A provider or merchant that is not configured any more: nothing that is under way is lost or called a failure, money
// that comes is believed, and what can't be done is refused or told to a person.
#include <gtest/gtest.h>

#include "support/held_world.h"

namespace payonce {
namespace {

using enum AttemptState;

RulesWorld without_provider(RulesWorld world) {
  world.terms.providers.clear();
  return world;
}

RulesWorld without_provider(AttemptState state) {
  return without_provider(RulesWorld{order_with({attempt_in(state, 1)})});
}

RulesWorld without_merchant(std::vector<Attempt> attempts) {
  RulesWorld world{order_with(std::move(attempts))};
  world.terms.shop.id = MerchantId{"somebody else"};
  return world;
}

TEST(WithoutItsProvider, APaymentStaysDueAndItsMoneyIsBelieved) {
  for (AttemptState const state : {processing, requires_action, unknown, released}) {
    RulesWorld world = without_provider(state);
    Time const due_at = world.attempt(1).due_at.value();
    world.run(outcome(1, Evidence::notice, Outcome::pending));
    EXPECT_TRUE(is_watched(world.attempt(1).state)) << to_text(state);
    EXPECT_LE(world.attempt(1).due_at.value(), due_at) << "recovery finds it and tells a person";
    Answer wrong = answer(Outcome::succeeded);
    wrong.amount = usd(1);
    world.run(outcome(1, Evidence::notice, wrong));
    EXPECT_TRUE(is_watched(world.attempt(1).state)) << to_text(state);
    EXPECT_LE(world.attempt(1).due_at.value(), due_at);
    EXPECT_NE(world.attempt(1).review, "");
    world.run(outcome(1, Evidence::notice, Outcome::succeeded));
    EXPECT_EQ(world.attempt(1).state, succeeded) << to_text(state);
    EXPECT_EQ(world.order().head.state, OrderState::paid);
    EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
  }
}

TEST(WithoutItsProvider, AHoldIsAskedAboutAtOnceUnlessTheProviderSaidHowLongItLasts) {
  RulesWorld world = without_provider(begun_world());
  world.run(outcome(1, Evidence::notice, Outcome::authorized));
  EXPECT_EQ(world.attempt(1).state, authorized);
  EXPECT_EQ(world.attempt(1).expires_at, world.now);
  RulesWorld said = without_provider(begun_world());
  Answer until = answer(Outcome::authorized);
  until.hold_until = said.now + 48h;
  said.run(outcome(1, Evidence::notice, until));
  EXPECT_EQ(said.attempt(1).expires_at, said.now + 48h);
}

TEST(WithoutItsProvider, AWishToCancelIsKeptForWhenItIsBack) {
  RulesWorld world{order_with({attempt_in(requires_action, 1)})};
  auto const providers = std::exchange(world.terms.providers, {});
  Decision const decision = world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  EXPECT_EQ(replied(decision).kind, ReplyKind::accepted);
  EXPECT_TRUE(decision.calls.empty());
  EXPECT_TRUE(world.attempt(1).cancel_requested);
  EXPECT_EQ(world.attempt(1).state, requires_action);
  world.terms.providers = providers;
  EXPECT_EQ(calls_of(world.run(TakeUpAttempt{order_key(), attempt_id(1), *world.attempt(1).due_at})),
            std::vector{CallKind::close});
}

TEST(WithoutItsProvider, APaymentCannotBeClosedAndMayBeReleased) {
  RulesWorld world{order_with({attempt_in(requires_action, 1)})};
  world.terms.shop.switch_mode = SwitchMode::release;
  std::erase_if(world.terms.providers, [](ProviderTerms const& it) { return it.name == "sure"; });
  BeginAttempt other = beginning(2, "k-2", "blunt");
  other.replaces = true;
  EXPECT_EQ(calls_of(world.run(other)), std::vector{CallKind::create});
  EXPECT_EQ(world.attempt(1).state, released);
  EXPECT_TRUE(world.attempt(1).due_at) << "it is watched until it can't charge any more";
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(WithoutItsProvider, NothingIsCapturedOrGivenBack) {
  RulesWorld held = held_world();
  held.terms.providers[0].write_capture = nullptr;
  EXPECT_EQ(refused_with(held.decide(capture_request(1, "c-1"))), ErrorCode::payment_not_capturable);
  held = without_provider(std::move(held));
  Decision const capture = held.decide(capture_request(1, "c-1"));
  EXPECT_EQ(refused_with(capture), ErrorCode::payment_not_capturable);
  EXPECT_TRUE(refusal(capture).error.detail.contains("not configured"));
  RulesWorld paid{order_with({attempt_in(succeeded, 1)})};
  paid.terms.providers[0].write_refund = nullptr;
  EXPECT_EQ(refused_with(paid.decide(refund_request(1, "r-1"))), ErrorCode::payment_not_refundable);
  paid = without_provider(std::move(paid));
  Decision const refund = paid.decide(refund_request(1, "r-1"));
  EXPECT_EQ(refused_with(refund), ErrorCode::payment_not_refundable);
  EXPECT_TRUE(refusal(refund).error.detail.contains("not configured"));
  EXPECT_TRUE(capture.changes.empty() && refund.changes.empty()) << "no key is burnt";
}

TEST(WithoutItsProvider, ACaptureStaysDueAndRaisesAnAlarm) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world = without_provider(std::move(world));
  Time const due_at = *world.capture(1).due_at;
  world.run(capture_outcome(1, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(world.capture(1).state, CaptureState::unknown);
  EXPECT_EQ(world.capture(1).due_at, due_at);
  world.now = due_at;
  Decision const taken = world.run(TakeUpCapture{order_key(), capture_id(1), due_at});
  EXPECT_TRUE(taken.calls.empty());
  EXPECT_GT(*world.capture(1).due_at, world.now);
  EXPECT_TRUE(world.attempt(1).review.contains("sure is not configured")) << world.attempt(1).review;
  EXPECT_EQ(world.capture(1).state, CaptureState::unknown);
}

TEST(WithoutItsProvider, ARefundStaysDueAndRaisesAnAlarm) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_request(1, "r-1"));
  world = without_provider(std::move(world));
  Time const due_at = *world.refund(1).due_at;
  world.run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, answer(Outcome::in_doubt)});
  EXPECT_EQ(world.refund(1).state, RefundState::unknown);
  EXPECT_EQ(world.refund(1).due_at, due_at);
  world.now = due_at;
  Decision const taken = world.run(TakeUpRefund{order_key(), refund_id(1), due_at});
  EXPECT_TRUE(taken.calls.empty());
  EXPECT_GT(*world.refund(1).due_at, world.now);
  EXPECT_TRUE(world.refund(1).review.contains("sure is not configured")) << world.refund(1).review;
}

TEST(WithoutItsProvider, SurplusIsGivenBackOnceItIsThereAgain) {
  RulesWorld world{order_with({attempt_in(failed, 1), attempt_in(succeeded, 2)})};
  auto const providers = std::exchange(world.terms.providers, {});
  EXPECT_TRUE(world.run(outcome(1, Evidence::notice, Outcome::succeeded)).calls.empty());
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_EQ(world.refund(1).request, "") << "nobody could write it";
  world.terms.providers = providers;
  Decision const taken = world.run(TakeUpRefund{order_key(), world.refund(1).id, *world.refund(1).due_at});
  ASSERT_EQ(calls_of(taken), std::vector{CallKind::query_refund});
  EXPECT_EQ(taken.calls[0].refund->request,
            "refund " + world.refund(1).id.value + " of " + attempt_id(1).value + " 19.99 USD");
  EXPECT_EQ(world.refund(1).request, taken.calls[0].refund->request) << "from now on unchanged";
}

TEST(WithoutItsMerchant, NothingNewBeginsAndNothingIsReleased) {
  RulesWorld fresh = without_merchant({});
  EXPECT_EQ(refused_with(fresh.decide(beginning(1, "k-1"))), ErrorCode::provider_unknown);
  RulesWorld world = without_merchant({attempt_in(requires_action, 1)});
  world.terms.shop.switch_mode = SwitchMode::release;
  world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  BeginAttempt other = beginning(2, "k-2");
  other.replaces = true;
  Decision const decision = world.decide(other);
  EXPECT_EQ(refused_with(decision), ErrorCode::order_has_live_payment);
  EXPECT_TRUE(decision.changes.empty());
}

TEST(WithoutItsMerchant, MoneyPaysTheOrderThoughNobodyIsThereToHearOfIt) {
  RulesWorld world = without_merchant({attempt_in(processing, 1)});
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_TRUE(world.effects.empty());
}

TEST(WithoutItsMerchant, SurplusGoesBackByItself) {
  RulesWorld world = without_merchant({attempt_in(failed, 1), attempt_in(succeeded, 2)});
  world.terms.shop.surplus = SurplusPolicy::manual;
  EXPECT_EQ(calls_of(world.run(outcome(1, Evidence::notice, Outcome::succeeded))), std::vector{CallKind::refund});
  EXPECT_EQ(world.refund(1).amount, usd(1999));
}

}  // namespace
}  // namespace payonce
