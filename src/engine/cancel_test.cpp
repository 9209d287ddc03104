// What needs an order without live payments closes them at the provider first; "already paid" and "cannot tell" win.
#include "engine/cancel.h"

#include "support/engine_world.h"

namespace payonce::test {

namespace {

class CancelTest : public EngineWorld {
 protected:
  // The order at another price, once nothing of it can charge any more.
  void change_price(Millis wait = 60s) {
    answered.reset();
    RegisterOrder change = registration(usd(2'500));
    change.capture = mode;
    execute_once_free(engine, std::move(change), "ann", wait, [this](Answered it) { answered = std::move(it); });
  }
  std::optional<ErrorCode> refused() const {
    if (!answered || *answered) return std::nullopt;
    return answered->error().error.code;
  }
  // Payment 1 waits for the buyer.
  void begin_and_wait_for_buyer() {
    begin(1);
    say(Outcome::requires_action);
  }

  std::optional<Answered> answered;
  CaptureMode mode = CaptureMode::automatic;
};

}  // namespace

TEST_F(CancelTest, WaitsForTheProvidersProof) {
  begin_and_wait_for_buyer();
  std::optional<AttemptState> told;
  cancel(engine, {MerchantId{"shop"}, attempt_id(1), "ann"}, 60s,
         [&told](Answered const& it) { told = it->attempt->state; });
  settle();
  EXPECT_EQ(called().back(), CallKind::close);
  EXPECT_EQ(told, std::nullopt);
  say(Outcome::declined);
  EXPECT_EQ(told, AttemptState::canceled);
}

TEST_F(CancelTest, OfWhatCannotBeCanceledIsRefusedAtOnce) {
  std::optional<ErrorCode> code;
  cancel(engine, {MerchantId{"shop"}, attempt_id(7), "ann"}, 60s,
         [&code](Answered const& it) { code = it.error().error.code; });
  settle();
  EXPECT_EQ(code, ErrorCode::not_found);
}

TEST_F(CancelTest, TheLivePaymentIsClosedAndThenTheCommandIsDone) {
  begin_and_wait_for_buyer();
  change_price();
  settle();
  EXPECT_EQ(called().back(), CallKind::close);
  EXPECT_FALSE(answered);
  say(Outcome::declined);
  ASSERT_TRUE(answered && *answered);
  EXPECT_EQ(order().head.amount, usd(2'500));
  EXPECT_EQ(state(1), AttemptState::canceled);
}

TEST_F(CancelTest, AlreadyPaidWins) {
  begin_and_wait_for_buyer();
  change_price();
  settle();
  say(Outcome::succeeded);
  EXPECT_EQ(refused(), ErrorCode::order_conflict);
  EXPECT_EQ(order().head.state, OrderState::paid);
  EXPECT_EQ(order().head.amount, usd(1999));
}

TEST_F(CancelTest, WithoutProofInTimeItIsRefusedAndTheClosingGoesOn) {
  begin_and_wait_for_buyer();
  change_price(5s);
  settle();
  pass(5s);
  EXPECT_EQ(refused(), ErrorCode::order_conflict);
  EXPECT_EQ(order().head.amount, usd(1999));
  EXPECT_TRUE(order().find(attempt_id(1))->cancel_requested);
  EXPECT_EQ(called(), (std::vector{CallKind::create, CallKind::close})) << "closed once";
}

TEST_F(CancelTest, APaymentThatEndedJustBeforeItsClosingIsOutOfTheWay) {
  begin_and_wait_for_buyer();
  change_price();
  turns.take_all();
  // In the same batch, before the wish to cancel.
  engine.execute(outcome(1, Evidence::query, Outcome::declined), [](Answered const& it) { EXPECT_TRUE(it); });
  settle();
  EXPECT_EQ(state(1), AttemptState::failed);
  ASSERT_TRUE(answered && *answered);
  EXPECT_EQ(order().head.amount, usd(2'500));
  EXPECT_EQ(called(), std::vector{CallKind::create}) << "there was nothing to close";
}

TEST_F(CancelTest, APaymentThatIsBeingCapturedStaysInTheWay) {
  mode = CaptureMode::manual;
  RegisterOrder held = begin_hold();
  EXPECT_TRUE(run(capture_request(1, "c-1")));
  held.amount = usd(2'500);
  execute_once_free(engine, held, "ann", 60s, [this](Answered it) { answered = std::move(it); });
  settle();
  EXPECT_EQ(refused(), ErrorCode::order_conflict) << "at once: the capture decides";
  EXPECT_EQ(called(), (std::vector{CallKind::create, CallKind::capture}));
}

TEST_F(CancelTest, TheLivePaymentsOfASplitOrderAreClosedOneAfterTheOther) {
  RegisterOrder split = registration();
  split.policy = Policy::split;
  split.key = order_key("PA-2");
  EXPECT_TRUE(run(split));
  for (int const n : {1, 2}) {
    BeginAttempt part = beginning(n, "k-" + std::to_string(n));
    part.key = split.key;
    part.part = "part " + std::to_string(n);
    part.amount_minor = 900;
    EXPECT_TRUE(run(part));
  }
  say(Outcome::requires_action);
  execute_once_free(engine, CloseOrder{split.key, "ann"}, "ann", 60s,
                    [this](Answered it) { answered = std::move(it); });
  settle();
  say(Outcome::declined);
  EXPECT_FALSE(answered) << "the other one may still charge";
  say(Outcome::declined);
  ASSERT_TRUE(answered && *answered);
  EXPECT_EQ((*answered)->order->state, OrderState::closed);
  EXPECT_EQ(called(), (std::vector{CallKind::create, CallKind::create, CallKind::close, CallKind::close}));
}

TEST_F(CancelTest, WhatNoPaymentStandsInTheWayOfIsAnsweredAsTheRulesAnswer) {
  CloseOrder close{order_key("PA-none"), "ann"};
  execute_once_free(engine, close, "ann", 60s, [this](Answered it) { answered = std::move(it); });
  settle();
  EXPECT_EQ(refused(), ErrorCode::not_found);
  begin(1);
  say(Outcome::succeeded);
  change_price();
  settle();
  EXPECT_EQ(refused(), ErrorCode::order_conflict) << "the payment that paid is not closed";
  EXPECT_EQ(called(), std::vector{CallKind::create});
}

}  // namespace payonce::test
