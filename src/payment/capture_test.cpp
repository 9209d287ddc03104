// Captures: never more than is held, one after the other, one number for ever, and an order that is paid by what came.
#include <gtest/gtest.h>

#include "support/held_world.h"

namespace payonce {
namespace {

TEST(Capture, IsReservedWithItsRequestBeforeTheOneCall) {
  RulesWorld world = held_world();
  Decision const decision = world.run(capture_request(1, "c-1", 1500));
  Reply const& reply = replied(decision);
  EXPECT_EQ(reply.kind, ReplyKind::created);
  ASSERT_TRUE(reply.capture);
  EXPECT_EQ(reply.capture->state, CaptureState::processing);
  EXPECT_EQ(reply.capture->request,
            "capture " + capture_id(1).value + " of " + attempt_id(1).value + " 15.00 USD, final");
  EXPECT_TRUE(reply.capture->due_at);
  ASSERT_EQ(calls_of(decision), std::vector{CallKind::capture});
  EXPECT_EQ(decision.calls[0].capture->id, capture_id(1));
  EXPECT_EQ(event_types(decision), Names{"capture.created"});
  EXPECT_EQ(decision.changes.events[0].actor, "ann");
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, OfAllPaysTheOrder) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.capture(1).state, CaptureState::succeeded);
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.paid_minor, 1999);
  EXPECT_EQ(effect_names(world), (Names{"pack", "paid", "ship"}));
  world.run(capture_outcome(1, Evidence::query, Outcome::succeeded));
  world.run(captured_in_all(Evidence::notice, 1999));
  EXPECT_EQ(world.effects.size(), 3U) << "said again, by the payment's notice too";
  EXPECT_EQ(world.journal.size(), 1U);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, OfLessPaysTheOrderAtWhatCameAndLetsTheRestGo) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 1500));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.paid_minor, 1500);
  EXPECT_EQ(world.order().head.held_minor, 0);
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1", 1501))), ErrorCode::refund_exceeds_captured);
  EXPECT_TRUE(world.decide(refund_request(1, "r-1", 1500)).reply);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, InPartsPaysWithTheLastOne) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  EXPECT_EQ(world.order().head.paid_minor, 500);
  EXPECT_EQ(world.order().head.held_minor, 1499);
  EXPECT_EQ(effect_names(world), Names{"pack"});
  EXPECT_EQ(refused_with(world.decide(capture_request(2, "c-2", 1500))), ErrorCode::capture_exceeds_held);
  world.run(capture_request(2, "c-2", 1499, false));
  world.run(capture_outcome(2, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded) << "nothing is left to capture";
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(effect_names(world), (Names{"pack", "paid", "ship"}));
  EXPECT_EQ(world.journal.size(), 2U);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, TheRestOfAHoldCanBeGivenUp) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(calls_of(world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"})), std::vector{CallKind::close});
  EXPECT_EQ(refused_with(world.decide(capture_request(2, "c-2", 1))), ErrorCode::payment_not_capturable);
  world.run(outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded) << "some of it was taken";
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.paid_minor, 500);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, NeverPassesWhatIsHeld) {
  RulesWorld world = held_world();
  Decision const too_much = world.decide(capture_request(1, "c-1", 2000));
  EXPECT_EQ(refused_with(too_much), ErrorCode::capture_exceeds_held);
  EXPECT_TRUE(refusal(too_much).error.detail.starts_with("1999 minor units of USD are held"));
  EXPECT_TRUE(too_much.changes.empty()) << "the key is not burnt";
  for (std::int64_t const minor : {std::int64_t{0}, std::int64_t{-1}})
    EXPECT_EQ(refused_with(world.decide(capture_request(1, "c-1", minor))), ErrorCode::invalid_request);
  BeginCapture other = capture_request(1, "c-1", 500);
  other.currency = "EUR";
  EXPECT_EQ(refused_with(world.decide(other)), ErrorCode::amount_mismatch);
}

TEST(Capture, ASecondOneWaitsForTheEndOfTheFirst) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  EXPECT_EQ(refused_with(world.decide(capture_request(2, "c-2", 500))), ErrorCode::capture_in_progress);
  world.run(capture_outcome(1, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(refused_with(world.decide(capture_request(2, "c-2", 500))), ErrorCode::capture_in_progress);
  world.run(capture_outcome(1, Evidence::query, Outcome::declined));
  EXPECT_TRUE(world.decide(capture_request(2, "c-2", 1999)).reply) << "a refusal frees its share";
}

TEST(Capture, IsRefusedForWhatIsNotHeld) {
  for (AttemptState const state : attempt_states) {
    Order order = order_with({attempt_in(state, 1)});
    order.head.capture = CaptureMode::manual;
    RulesWorld const world{order};
    Decision const decision = world.decide(capture_request(1, "c-1", 500));
    ASSERT_EQ(decision.reply.has_value(), state == AttemptState::authorized) << to_text(state);
    if (!decision.reply) {
      EXPECT_EQ(refused_with(decision), ErrorCode::payment_not_capturable) << to_text(state);
    }
  }
  BeginCapture theirs = capture_request(1, "c-1");
  theirs.merchant = MerchantId{"other"};
  EXPECT_EQ(refused_with(held_world().decide(theirs)), ErrorCode::not_found);
}

TEST(Capture, MustBeFinalWhereAProviderTakesNoMore) {
  RulesWorld const world = held_world("forgetful");
  Decision const decision = world.decide(capture_request(1, "c-1", 500, false));
  EXPECT_EQ(refused_with(decision), ErrorCode::invalid_request);
  EXPECT_EQ(refusal(decision).error.field, "final");
  EXPECT_TRUE(world.decide(capture_request(1, "c-1", 500, true)).reply);
  EXPECT_TRUE(world.decide(capture_request(1, "c-1", 1999, false)).reply) << "nothing would be left";
}

TEST(Capture, TheSameKeyGetsTheCaptureAsItNowStands) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 1500));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  Decision const decision = world.run(capture_request(2, "c-1", 1500));
  EXPECT_EQ(replied(decision).kind, ReplyKind::confirmed);
  EXPECT_EQ(replied(decision).capture->id, capture_id(1));
  EXPECT_EQ(replied(decision).capture->state, CaptureState::succeeded);
  EXPECT_TRUE(decision.changes.empty());
  EXPECT_TRUE(decision.calls.empty());
}

TEST(Capture, AnotherRequestUnderTheKeyIsRefusedByTheFieldThatDiffers) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500));
  auto const field_of = [&](BeginCapture const& request) {
    EXPECT_EQ(refused_with(world.decide(request)), ErrorCode::idempotency_key_reused);
    return refusal(world.decide(request)).error.field;
  };
  EXPECT_EQ(field_of(capture_request(2, "c-1", 501)), "amount");
  EXPECT_EQ(field_of(capture_request(2, "c-1", 500, false)), "final");
  BeginCapture of_another = capture_request(2, "c-1", 500);
  of_another.attempt = attempt_id(2);
  EXPECT_EQ(field_of(of_another), "payment_id");
  EXPECT_EQ(refused_with(world.decide(capture_request(2, "k-1"))), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "c-1"))), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refused_with(world.decide(beginning(2, "c-1"))), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refused_with(world.decide(offline_payment(2, "c-1"))), ErrorCode::idempotency_key_reused);
}

TEST(Capture, ALostCommitAnswerRecognisesItselfAndCallsAgain) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  Decision const again = world.run(capture_request(1, "c-1"));
  EXPECT_EQ(replied(again).kind, ReplyKind::created);
  EXPECT_EQ(calls_of(again), std::vector{CallKind::capture});
  EXPECT_TRUE(again.changes.empty());
  world.run(TakeUpCapture{order_key(), capture_id(1), *world.capture(1).due_at});
  EXPECT_TRUE(world.decide(capture_request(1, "c-1")).calls.empty()) << "recovery has it";
}

TEST(Capture, WhoseAnswerIsThereIsNotCalledForAgainAfterALostCommitAnswer) {
  for (Outcome const said : {Outcome::pending, Outcome::in_doubt, Outcome::succeeded, Outcome::declined}) {
    RulesWorld world = held_world();
    world.run(capture_request(1, "c-1"));
    world.run(capture_outcome(1, Evidence::response, said));
    Decision const again = world.decide(capture_request(1, "c-1"));
    EXPECT_EQ(replied(again).kind, ReplyKind::created) << to_text(said);
    EXPECT_TRUE(again.calls.empty()) << to_text(said);
    EXPECT_TRUE(again.changes.empty()) << to_text(said);
  }
}

TEST(Capture, ThatStandsOtherwiseThanItBeganIsNotCalledForAgain) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world.orders.at(order_key()).captures[0].state = CaptureState::unknown;
  EXPECT_TRUE(world.decide(capture_request(1, "c-1")).calls.empty());
}

TEST(Capture, ATimeOutIsAskedAboutAndSentAgainUnderItsNumber) {
  RulesWorld world = held_world();
  std::string const request = replied(world.run(capture_request(1, "c-1", 1500))).capture->request;
  world.run(capture_outcome(1, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(world.capture(1).state, CaptureState::unknown);
  EXPECT_EQ(world.order().head.paid_minor, 0) << "not believed either way";
  Time const due_at = *world.capture(1).due_at;
  EXPECT_EQ(calls_of(world.run(TakeUpCapture{order_key(), capture_id(1), due_at})),
            std::vector{CallKind::query_capture});
  EXPECT_TRUE(world.run(TakeUpCapture{order_key(), capture_id(1), due_at}).changes.empty()) << "who comes second";
  Decision const not_found = world.run(capture_outcome(1, Evidence::query, Outcome::not_found));
  ASSERT_EQ(calls_of(not_found), std::vector{CallKind::capture});
  EXPECT_EQ(not_found.calls[0].capture->request, request);
  world.now += 1h;
  world.run(TakeUpCapture{order_key(), capture_id(1), *world.capture(1).due_at});
  EXPECT_TRUE(world.attempt(1).review.contains("is unresolved since"));
}

TEST(Capture, ThePaymentsOwnNewsEndIt) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 1500));
  world.run(capture_outcome(1, Evidence::response, Outcome::in_doubt));
  world.run(captured_in_all(Evidence::notice, 1500));
  EXPECT_EQ(world.capture(1).state, CaptureState::succeeded);
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded);
  EXPECT_EQ(world.order().head.paid_minor, 1500);
  EXPECT_EQ(world.journal.size(), 1U);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, NewsOfAnotherAmountThanWasAskedForCallAPerson) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 1500));
  world.run(captured_in_all(Evidence::notice, 1700));
  EXPECT_EQ(world.capture(1).state, CaptureState::processing);
  EXPECT_EQ(world.capture(1).due_at, world.now) << "it is asked";
  EXPECT_NE(world.attempt(1).review, "");
  RecordCaptureOutcome other = capture_outcome(1, Evidence::response, Outcome::succeeded);
  other.answer.amount = usd(1499);
  world.run(other);
  EXPECT_EQ(world.capture(1).state, CaptureState::processing);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, MadeAtTheProviderWithoutPayonceIsBelieved) {
  RulesWorld world = held_world();
  world.run(captured_in_all(Evidence::notice, 1200));
  ASSERT_EQ(world.order().captures.size(), 1U);
  EXPECT_EQ(world.order().captures[0].key, "");
  EXPECT_EQ(world.order().captures[0].amount, usd(1200));
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.paid_minor, 1200);
  world.run(captured_in_all(Evidence::query, 1200));
  EXPECT_EQ(world.order().captures.size(), 1U) << "heard of again";
  EXPECT_EQ(effect_names(world), (Names{"pack", "paid", "ship"}));
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, RefusedBecauseTheHoldIsGoneAsksForThePayment) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world.run(capture_outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(world.capture(1).state, CaptureState::failed);
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized) << "only the provider's word about the payment ends it";
  EXPECT_EQ(world.attempt(1).due_at, world.now);
  EXPECT_TRUE(world.attempt(1).review.contains("was refused"));
  world.run(outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, ABareRefusalProvesNothing) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  Answer bare;
  bare.outcome = Outcome::declined;
  world.run(RecordCaptureOutcome{order_key(), capture_id(1), Evidence::response, bare});
  EXPECT_EQ(world.capture(1).state, CaptureState::unknown);
}

TEST(Capture, ThatEndsBehindTheEndOfItsHoldIsBelieved) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world.run(capture_outcome(1, Evidence::response, Outcome::in_doubt));
  world.run(outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed);
  EXPECT_EQ(world.capture(1).state, CaptureState::unknown) << "the capture has its own number and its own proof";
  world.run(capture_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(unsound(world), "");
}

TEST(Capture, AndVoidNeverRunSideBySide) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  EXPECT_EQ(refused_with(world.decide(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"})),
            ErrorCode::capture_in_progress);
  RulesWorld other = held_world();
  other.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  EXPECT_EQ(refused_with(other.decide(capture_request(1, "c-1"))), ErrorCode::payment_not_capturable);
  other.run(outcome(1, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(other.attempt(1).state, AttemptState::authorized) << "a void in doubt is tried again";
  EXPECT_EQ(calls_of(other.run(TakeUpAttempt{order_key(), attempt_id(1), *other.attempt(1).due_at})),
            std::vector{CallKind::close});
  other.run(outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(other.attempt(1).state, AttemptState::canceled);
  EXPECT_EQ(unsound(other), "");
}

TEST(Capture, OfAPartOfASplitOrderPaysThatPart) {
  RulesWorld world = begun_world("sure", Policy::split);
  world.run(outcome(1, Evidence::response, Outcome::authorized));
  world.run(capture_request(1, "c-1", 1500));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.order().head.state, OrderState::open) << "4.99 are not paid by anything";
  BeginAttempt rest = beginning(2, "k-2");
  rest.part = "rest";
  EXPECT_EQ(replied(world.run(rest)).attempt->amount, usd(499));
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
}

TEST(Capture, TakenBackLaterIsTakenBackAtWhatCame) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 1500));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  world.run(outcome(1, Evidence::notice, Outcome::dispute_opened));
  EXPECT_EQ(world.attempt(1).state, AttemptState::disputed);
  EXPECT_EQ(world.journal.back().amount, usd(1500));
  EXPECT_EQ(world.order().head.paid_minor, 1500);
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
}

}  // namespace
}  // namespace payonce
