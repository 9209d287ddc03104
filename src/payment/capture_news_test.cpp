// What is said of captures late, out of order, or by somebody else: no money is counted twice, none is passed over, and
// a person is told of what does not fit.
#include <gtest/gtest.h>

#include "support/held_world.h"

namespace payonce {
namespace {

// A hold of 19.99 of which 5.00 have been captured.
RulesWorld partly_captured_world() {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  return world;
}

TEST(CaptureNews, OfAnotherAccountDoNotFit) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  RecordCaptureOutcome elsewhere = capture_outcome(1, Evidence::query, Outcome::succeeded);
  elsewhere.answer.misfit = "it is of account acct_9";
  world.run(elsewhere);
  EXPECT_EQ(world.capture(1).state, CaptureState::processing);
  EXPECT_EQ(world.order().head.paid_minor, 0);
  EXPECT_TRUE(world.attempt(1).review.starts_with("does not fit: capture")) << world.attempt(1).review;
  EXPECT_TRUE(world.attempt(1).review.contains("acct_9")) << world.attempt(1).review;
}

TEST(CaptureNews, OfMoneyAfterARefusalFitOnlyIntoWhatIsStillHeld) {
  for (std::int64_t const meanwhile : {500, 1500}) {
    RulesWorld world = held_world();
    world.run(capture_request(1, "c-1", 1000, false));
    world.run(capture_outcome(1, Evidence::response, Outcome::declined));
    world.run(capture_request(2, "c-2", meanwhile, false));
    world.run(capture_outcome(2, Evidence::response, Outcome::succeeded));
    world.run(capture_outcome(1, Evidence::query, Outcome::succeeded));
    bool const fits = meanwhile == 500;
    EXPECT_EQ(world.capture(1).state, fits ? CaptureState::succeeded : CaptureState::failed);
    EXPECT_EQ(world.order().head.paid_minor, 1500) << "never more than was held";
    EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
    EXPECT_EQ(world.attempt(1).review.contains("after it had been refused"), !fits) << world.attempt(1).review;
    EXPECT_EQ(unsound(world), "");
  }
}

TEST(CaptureNews, OfMoneyAfterThePaymentWasCompleteCountItAndTellAPerson) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  world.run(capture_outcome(1, Evidence::response, Outcome::declined));
  world.run(capture_request(2, "c-2", 1000));
  world.run(capture_outcome(2, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded);
  world.run(capture_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_EQ(world.capture(1).state, CaptureState::succeeded);
  EXPECT_EQ(world.order().head.paid_minor, 1500);
  EXPECT_TRUE(world.attempt(1).review.contains("5.00 USD after the payment was complete")) << world.attempt(1).review;
  EXPECT_EQ(effect_names(world), (Names{"pack", "paid", "ship"})) << "the order is paid once";
  EXPECT_EQ(unsound(world), "");
}

// A capture of part of a hold is in doubt when the provider says that the hold is over.
RulesWorld in_doubt_behind_its_hold() {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  world.run(capture_outcome(1, Evidence::response, Outcome::in_doubt));
  world.run(outcome(1, Evidence::query, Outcome::declined));
  return world;
}

TEST(CaptureNews, OfAPartBehindTheEndOfItsHoldCompleteThePayment) {
  RulesWorld world = in_doubt_behind_its_hold();
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed);
  world.run(capture_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded) << "nothing more is held that could follow";
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.paid_minor, 500);
  EXPECT_EQ(unsound(world), "");
}

TEST(CaptureNews, OfARefusalBehindTheEndOfItsHoldLeaveNothingToAsk) {
  RulesWorld world = in_doubt_behind_its_hold();
  world.run(capture_outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(world.capture(1).state, CaptureState::failed);
  EXPECT_EQ(world.attempt(1).state, AttemptState::failed);
  EXPECT_EQ(world.attempt(1).due_at, std::nullopt);
  EXPECT_EQ(unsound(world), "");
}

TEST(CaptureNews, ThatItIsBeingWorkedOnAreKeptWithTheProvidersIdAndToldOnce) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  RecordCaptureOutcome pending = capture_outcome(1, Evidence::response, Outcome::pending);
  pending.answer.provider_ref = "cap-9";
  EXPECT_EQ(event_types(world.run(pending)), Names{"capture.processing"});
  EXPECT_EQ(world.capture(1).provider_ref, "cap-9");
  EXPECT_EQ(world.capture(1).state, CaptureState::processing);
  EXPECT_TRUE(world.run(pending).changes.events.empty());
  pending.answer.code = "in_review";
  EXPECT_EQ(event_types(world.run(pending)), Names{"capture.processing"});
  EXPECT_EQ(world.capture(1).answer_code, "in_review");
}

TEST(CaptureNews, FromAQuestionSendItAgainOnlyIfTheProviderDoesNotKnowIt) {
  for (Outcome const said : {Outcome::in_doubt, Outcome::pending}) {
    RulesWorld world = held_world();
    world.run(capture_request(1, "c-1"));
    EXPECT_TRUE(world.run(capture_outcome(1, Evidence::query, said)).calls.empty()) << to_text(said);
    EXPECT_TRUE(world.capture(1).due_at) << to_text(said);
  }
}

TEST(CaptureNews, ThatAnEvidenceCannotBringAreRefused) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  Decision const decision = world.decide(capture_outcome(1, Evidence::operator_, Outcome::pending));
  EXPECT_EQ(refused_with(decision), ErrorCode::evidence_refused);
  EXPECT_TRUE(decision.changes.empty());
}

TEST(CaptureNews, OfAnUnknownCaptureAreRefused) {
  EXPECT_EQ(refused_with(held_world().decide(capture_outcome(1, Evidence::query, Outcome::succeeded))),
            ErrorCode::not_found);
  EXPECT_EQ(refused_with(RulesWorld{}.decide(capture_outcome(1, Evidence::query, Outcome::succeeded))),
            ErrorCode::not_found);
}

TEST(CapturedInAll, FromBeforeTheLastCaptureIsOldNews) {
  RulesWorld world = partly_captured_world();
  for (std::int64_t const minor : {300, 500}) {
    if (minor == 500) world.run(capture_request(2, "c-2", 700, false));
    std::string const before = describe(world.attempt(1));
    EXPECT_TRUE(world.run(captured_in_all(Evidence::notice, minor)).changes.empty()) << minor;
    EXPECT_EQ(describe(world.attempt(1)), before);
  }
  EXPECT_EQ(world.capture(2).state, CaptureState::processing) << "what came before it says nothing of it";
}

TEST(CapturedInAll, ThatIsWhatAPartAsksForEndsThePartAndThePayment) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 500, false));
  world.run(captured_in_all(Evidence::query, 500));
  EXPECT_EQ(world.capture(1).state, CaptureState::succeeded);
  EXPECT_EQ(world.attempt(1).state, AttemptState::succeeded) << "it is of the payment that the provider says so";
  EXPECT_EQ(world.order().captures.size(), 1U);
  EXPECT_EQ(world.order().head.paid_minor, 500);
  EXPECT_EQ(world.journal.size(), 1U);
  EXPECT_EQ(unsound(world), "");
}

TEST(CapturedInAll, AllOfItAfterAPartAddsTheRest) {
  RulesWorld world = partly_captured_world();
  world.run(captured_in_all(Evidence::notice, 1999));
  ASSERT_EQ(world.order().captures.size(), 2U);
  EXPECT_EQ(world.order().captures[1].amount, usd(1499)) << "not the whole once more";
  EXPECT_EQ(world.order().head.paid_minor, 1999);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(unsound(world), "");
}

TEST(CapturedInAll, MoreThanTheBooksHaveOfACompletePaymentIsForAPerson) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1", 1500));
  world.run(capture_outcome(1, Evidence::response, Outcome::succeeded));
  std::string const before = describe(world.capture(1));
  world.run(captured_in_all(Evidence::query, 1999));
  EXPECT_TRUE(world.attempt(1).review.contains("499 minor units more")) << world.attempt(1).review;
  EXPECT_EQ(describe(world.capture(1)), before);
  EXPECT_EQ(world.order().captures.size(), 1U);
  EXPECT_EQ(world.order().head.paid_minor, 1500);
  EXPECT_EQ(unsound(world), "");
}

TEST(CapturedInAll, OfOtherMoneyNothingOrMoreThanIsHeldDoesNotFit) {
  for (Money const wrong : {cny(500), usd(0), usd(-500), usd(2000)}) {
    RulesWorld world = held_world();
    Answer said = answer(Outcome::succeeded);
    said.amount = wrong;
    world.run(outcome(1, Evidence::query, said));
    EXPECT_EQ(world.attempt(1).state, AttemptState::authorized) << to_text(wrong);
    EXPECT_TRUE(world.attempt(1).review.contains(to_text(wrong))) << world.attempt(1).review;
    EXPECT_EQ(world.order().head.paid_minor, 0);
    EXPECT_TRUE(world.order().captures.empty());
    EXPECT_EQ(unsound(world), "");
  }
}

TEST(CapturesLeft, AreCountedByPaymentAndWithoutThoseThatFailed) {
  RulesWorld world;
  RegisterOrder registered = registration();
  registered.capture = CaptureMode::manual;
  registered.policy = Policy::split;
  world.run(registered);
  for (int const n : {1, 2}) {
    BeginAttempt part = beginning(n, "k-" + std::to_string(n));
    part.part = "part " + std::to_string(n);
    part.amount_minor = 900;
    world.run(part);
    world.run(outcome(n, Evidence::response, Outcome::authorized));
  }
  // "sure" takes three of one payment.
  auto const capture = [&](int n, int of_attempt, Outcome said) {
    BeginCapture request = capture_request(n, "c-" + std::to_string(n), 100, false);
    request.attempt = attempt_id(of_attempt);
    Decision const decision = world.run(request);
    if (decision.reply) world.run(capture_outcome(n, Evidence::response, said));
    return decision.reply.has_value();
  };
  EXPECT_TRUE(capture(1, 1, Outcome::succeeded));
  EXPECT_TRUE(capture(2, 2, Outcome::succeeded));
  EXPECT_TRUE(capture(3, 1, Outcome::declined));
  EXPECT_TRUE(capture(4, 1, Outcome::succeeded)) << "one is left after it";
  EXPECT_FALSE(capture(5, 1, Outcome::succeeded)) << "it would be the third, and leave some";
  EXPECT_TRUE(capture(6, 2, Outcome::succeeded));
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
}

TEST(CaptureRequest, MayNameTheCurrencyOfItsPaymentAndNoOther) {
  RulesWorld world = held_world();
  BeginCapture request = capture_request(1, "c-1", 500);
  request.currency = "USD";
  EXPECT_EQ(replied(world.run(request)).kind, ReplyKind::created);
  request.capture = capture_id(2);
  EXPECT_EQ(replied(world.decide(request)).kind, ReplyKind::confirmed);
  request.currency = "EUR";
  EXPECT_EQ(refused_with(world.decide(request)), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refusal(world.decide(request)).error.field, "currency");
}

TEST(CaptureRequest, OfAnAmountThatTheProviderDoesNotTakeIsRefused) {
  RulesWorld world = held_world();
  world.terms.providers[0].refuses = [](Money amount) {
    return amount.minor < 50 ? std::string{"at least 0.50"} : std::string{};
  };
  Decision const decision = world.decide(capture_request(1, "c-1", 49));
  EXPECT_EQ(refused_with(decision), ErrorCode::invalid_request);
  EXPECT_EQ(refusal(decision).error.detail, "at least 0.50");
  EXPECT_EQ(refusal(decision).error.field, "amount");
  EXPECT_TRUE(world.decide(capture_request(1, "c-1", 50)).reply);
}

TEST(TakeUpCapture, OfWhatEndedOrIsUnknownIsNothing) {
  RulesWorld world = partly_captured_world();
  // As if the end had left its due time behind.
  world.orders.at(order_key()).captures[0].due_at = world.now;
  for (int const n : {1, 9}) {
    Decision const decision = world.decide(TakeUpCapture{order_key(), capture_id(n), world.now});
    EXPECT_EQ(replied(decision).kind, ReplyKind::nothing);
    EXPECT_TRUE(decision.changes.empty());
    EXPECT_TRUE(decision.calls.empty());
  }
  EXPECT_EQ(replied(RulesWorld{}.decide(TakeUpCapture{order_key(), capture_id(1), test_start})).kind,
            ReplyKind::nothing);
}

TEST(TakeUpCapture, LeavesAnEarlierAlarmAsItIs) {
  RulesWorld world = held_world();
  world.run(capture_request(1, "c-1"));
  world.run(outcome(1, Evidence::notice, Outcome::dispute_opened));
  std::string const alarm = world.attempt(1).review;
  EXPECT_NE(alarm, "");
  world.now += 2h;
  Decision const taken = world.run(TakeUpCapture{order_key(), capture_id(1), *world.capture(1).due_at});
  EXPECT_EQ(calls_of(taken), std::vector{CallKind::query_capture});
  EXPECT_EQ(world.attempt(1).review, alarm);
}

TEST(Hold, ThatSomethingHappenedToIsAskedAboutAtOnce) {
  RulesWorld world = held_world();
  world.now += 1min;
  world.run(outcome(1, Evidence::notice, Outcome::pending));
  EXPECT_EQ(world.attempt(1).state, AttemptState::authorized);
  EXPECT_EQ(world.attempt(1).due_at, world.now);
}

}  // namespace
}  // namespace payonce
