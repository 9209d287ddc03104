// Refunds on request: never more than came, one key and one number for ever, effects once.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

// Payment 1 of 19.99 has paid; the shop wants to hear of refunds too.
RulesWorld paid_world(std::string const& provider = "sure") {
  RulesWorld world;
  world.terms.shop.effects = {
      {"ship"}, {"refunded", Trigger::refund_succeeded}, {"refund-refused", Trigger::refund_failed}};
  world.run(registration());
  world.run(beginning(1, "k-1", provider));
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  world.effects.clear();
  return world;
}

RecordRefundOutcome refund_outcome(int n, Evidence evidence, Outcome said) {
  return {order_key(), refund_id(n), evidence, answer(said, "said")};
}

Refund const& refund_in(RulesWorld const& world, int n) {
  Refund const* const found = world.order().find(refund_id(n));
  if (!found) throw std::logic_error("there is no such refund");
  return *found;
}

std::vector<std::string> effect_ids(RulesWorld const& world) {
  std::vector<std::string> ids;
  for (Effect const& effect : world.effects) ids.push_back(effect.id());
  return ids;
}

TEST(BeginRefund, IsReservedWithItsRequestBeforeTheOneCall) {
  RulesWorld world = paid_world();
  Decision const decision = world.run(refund_request(1, "r-1", 500));
  Reply const& reply = replied(decision);
  EXPECT_EQ(reply.kind, ReplyKind::created);
  ASSERT_TRUE(reply.refund);
  EXPECT_EQ(reply.refund->state, RefundState::processing);
  EXPECT_EQ(reply.refund->amount, usd(500));
  EXPECT_EQ(reply.refund->request, "refund " + refund_id(1).value + " of " + attempt_id(1).value + " 5.00 USD");
  EXPECT_TRUE(reply.refund->due_at);
  EXPECT_EQ(calls_of(decision), std::vector{CallKind::refund});
  EXPECT_EQ(event_types(decision), std::vector<std::string>{"refund.created"});
  EXPECT_EQ(decision.changes.events[0].actor, "ann");
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(BeginRefund, WhatIsLiveOrDoneNeverExceedsWhatCame) {
  RulesWorld world = paid_world();
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1", 2000))), ErrorCode::refund_exceeds_captured);
  world.run(refund_request(1, "r-1", 1000));
  world.run(refund_request(2, "r-2", 900));
  Decision const too_much = world.decide(refund_request(3, "r-3", 100));
  EXPECT_EQ(refused_with(too_much), ErrorCode::refund_exceeds_captured);
  EXPECT_TRUE(refusal(too_much).error.detail.starts_with("99 minor units of USD are left"));
  EXPECT_TRUE(too_much.changes.empty()) << "the key is not burnt";
  EXPECT_TRUE(too_much.calls.empty());
  world.run(refund_outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(refused_with(world.decide(refund_request(3, "r-3", 100))), ErrorCode::refund_exceeds_captured);
  world.run(refund_outcome(2, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(refused_with(world.decide(refund_request(3, "r-3", 100))), ErrorCode::refund_exceeds_captured)
      << "what may have gone back has gone back";
  EXPECT_EQ(replied(world.run(refund_request(3, "r-3", 99))).kind, ReplyKind::created);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(BeginRefund, ARefusalFreesItsShare) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1", 1999));
  world.run(refund_outcome(1, Evidence::response, Outcome::declined));
  EXPECT_FALSE(refund_in(world, 1).review.empty()) << "a person is told";
  EXPECT_EQ(replied(world.run(refund_request(2, "r-2", 1999))).kind, ReplyKind::created);
}

TEST(BeginRefund, OverNothingOrInOtherMoneyIsRefused) {
  RulesWorld const world = paid_world();
  for (std::int64_t const minor : {std::int64_t{0}, std::int64_t{-1}})
    EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1", minor))), ErrorCode::invalid_request) << minor;
  BeginRefund other = refund_request(1, "r-1", 500);
  other.currency = "EUR";
  EXPECT_EQ(refused_with(world.decide(other)), ErrorCode::amount_mismatch);
  EXPECT_EQ(refusal(world.decide(other)).error.field, "currency");
}

TEST(BeginRefund, OnlyMoneyThatPaidIsGivenBackOnRequest) {
  for (AttemptState const state : attempt_states) {
    RulesWorld const world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.decide(refund_request(1, "r-1"));
    ASSERT_EQ(decision.reply.has_value(), state == AttemptState::succeeded) << to_text(state);
    if (!decision.reply) {
      EXPECT_EQ(refused_with(decision), ErrorCode::payment_not_refundable) << to_text(state);
    }
  }
}

TEST(BeginRefund, SurplusGoesBackByItselfUnlessAPersonDecides) {
  for (SurplusPolicy const policy : {SurplusPolicy::automatic, SurplusPolicy::manual}) {
    RulesWorld world{order_with({attempt_in(AttemptState::failed, 1), attempt_in(AttemptState::succeeded, 2)})};
    world.terms.shop.surplus = policy;
    Decision const came = world.run(outcome(1, Evidence::notice, Outcome::succeeded));
    EXPECT_TRUE(world.attempt(1).surplus);
    Decision const asked = world.run(refund_request(1, "r-1", 1999));
    if (policy == SurplusPolicy::automatic) {
      EXPECT_EQ(calls_of(came), std::vector{CallKind::refund});
      EXPECT_EQ(refused_with(asked), ErrorCode::payment_not_refundable);
    } else {
      EXPECT_TRUE(came.calls.empty());
      EXPECT_NE(world.attempt(1).review, "") << "a person is told";
      EXPECT_EQ(calls_of(asked), std::vector{CallKind::refund});
      EXPECT_EQ(refused_with(world.decide(refund_request(2, "r-2", 1))), ErrorCode::refund_exceeds_captured);
    }
  }
}

TEST(BeginRefund, MoneyThatCameByOtherMeansGoesBackByHand) {
  RulesWorld world;
  world.run(registration());
  world.run(offline_payment(1, "k-1"));
  Decision const decision = world.decide(refund_request(1, "r-1"));
  EXPECT_EQ(refused_with(decision), ErrorCode::payment_not_refundable);
  EXPECT_TRUE(refusal(decision).error.detail.contains("by hand"));
}

TEST(BeginRefund, AnotherMerchantsPaymentDoesNotExist) {
  RulesWorld const world = paid_world();
  BeginRefund theirs = refund_request(1, "r-1");
  theirs.merchant = MerchantId{"other"};
  EXPECT_EQ(refused_with(world.decide(theirs)), ErrorCode::not_found);
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1", 500, 9))), ErrorCode::not_found);
}

TEST(BeginRefund, TheSameKeyGetsTheRefundAsItNowStands) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  world.run(refund_outcome(1, Evidence::response, Outcome::succeeded));
  BeginRefund again = refund_request(2, "r-1");
  again.reason = "said otherwise";
  Decision const decision = world.run(again);
  EXPECT_EQ(replied(decision).kind, ReplyKind::confirmed);
  EXPECT_EQ(replied(decision).refund->id, refund_id(1));
  EXPECT_EQ(replied(decision).refund->state, RefundState::succeeded);
  EXPECT_TRUE(decision.changes.empty());
  EXPECT_TRUE(decision.calls.empty());
}

TEST(BeginRefund, AnotherRequestUnderTheKeyIsRefusedByTheFieldThatDiffers) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  auto const field_of = [&](BeginRefund const& request) {
    EXPECT_EQ(refused_with(world.decide(request)), ErrorCode::idempotency_key_reused);
    return refusal(world.decide(request)).error.field;
  };
  EXPECT_EQ(field_of(refund_request(2, "r-1", 501)), "amount");
  EXPECT_EQ(field_of(refund_request(2, "r-1", 500, 2)), "payment_id");
  BeginRefund other = refund_request(2, "r-1");
  other.currency = "EUR";
  EXPECT_EQ(field_of(other), "currency");
}

TEST(BeginRefund, MayNameTheCurrencyOfItsPayment) {
  RulesWorld world = paid_world();
  BeginRefund request = refund_request(1, "r-1");
  request.currency = "USD";
  EXPECT_EQ(replied(world.run(request)).kind, ReplyKind::created);
  request.refund = refund_id(2);
  EXPECT_EQ(replied(world.decide(request)).kind, ReplyKind::confirmed);
}

TEST(BeginRefund, PaymentsAndRefundsShareTheirKeys) {
  RulesWorld world = paid_world();
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "k-1"))), ErrorCode::idempotency_key_reused);
  world.run(refund_request(1, "r-1"));
  EXPECT_EQ(refused_with(world.decide(beginning(2, "r-1"))), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refused_with(world.decide(offline_payment(2, "r-1"))), ErrorCode::idempotency_key_reused);
}

TEST(BeginRefund, ALostCommitAnswerRecognisesItselfAndCallsAgain) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  Decision const again = world.run(refund_request(1, "r-1"));
  EXPECT_EQ(replied(again).kind, ReplyKind::created);
  EXPECT_EQ(calls_of(again), std::vector{CallKind::refund});
  EXPECT_TRUE(again.changes.empty());
  world.run(TakeUpRefund{order_key(), refund_id(1), *refund_in(world, 1).due_at});
  EXPECT_TRUE(world.decide(refund_request(1, "r-1")).calls.empty()) << "recovery has it";
}

TEST(BeginRefund, WhoseAnswerIsThereIsNotCalledForAgainAfterALostCommitAnswer) {
  for (Outcome const said : {Outcome::pending, Outcome::in_doubt, Outcome::succeeded, Outcome::declined}) {
    RulesWorld world = paid_world();
    world.run(refund_request(1, "r-1"));
    world.run(refund_outcome(1, Evidence::response, said));
    Decision const again = world.decide(refund_request(1, "r-1"));
    EXPECT_EQ(replied(again).kind, ReplyKind::created) << to_text(said);
    EXPECT_TRUE(again.calls.empty()) << to_text(said);
    EXPECT_TRUE(again.changes.empty()) << to_text(said);
  }
}

TEST(BeginRefund, ThatStandsOtherwiseThanItBeganIsNotCalledForAgain) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  world.orders.at(order_key()).refunds[0].state = RefundState::unknown;
  EXPECT_TRUE(world.decide(refund_request(1, "r-1")).calls.empty());
}

TEST(BeginRefund, C57_ASecondClickUnderAnotherKeyWaitsForTheFirst) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  world.run(refund_outcome(1, Evidence::response, Outcome::in_doubt));
  BeginRefund click = refund_request(2, "r-2");
  click.reason = "line 1";
  EXPECT_EQ(refused_with(world.decide(click)), ErrorCode::refund_in_progress);
  EXPECT_TRUE(refusal(world.decide(click)).error.detail.contains(refund_id(1).value));
  EXPECT_TRUE(world.decide(refund_request(2, "r-2")).reply) << "another reason is another refund";
  world.run(refund_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_TRUE(world.decide(click).reply) << "once the first has ended it is meant";
}

TEST(RefundOnRequest, ATimeOutIsAskedAboutAndSentAgainUnderItsNumber) {
  RulesWorld world = paid_world();
  std::string const request = replied(world.run(refund_request(1, "r-1"))).refund->request;
  world.run(refund_outcome(1, Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(refund_in(world, 1).state, RefundState::unknown);
  Decision const taken = world.run(TakeUpRefund{order_key(), refund_id(1), *refund_in(world, 1).due_at});
  EXPECT_EQ(calls_of(taken), std::vector{CallKind::query_refund});
  Decision const not_found = world.run(refund_outcome(1, Evidence::query, Outcome::not_found));
  ASSERT_EQ(calls_of(not_found), std::vector{CallKind::refund});
  EXPECT_EQ(not_found.calls[0].refund->id, refund_id(1));
  EXPECT_EQ(not_found.calls[0].refund->request, request);
}

TEST(RefundOnRequest, WhatIsUnknownForTooLongRaisesAnAlarm) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  world.run(refund_outcome(1, Evidence::response, Outcome::in_doubt));
  world.run(TakeUpRefund{order_key(), refund_id(1), *refund_in(world, 1).due_at});
  EXPECT_EQ(refund_in(world, 1).review, "");
  world.now += 1h;
  world.run(TakeUpRefund{order_key(), refund_id(1), *refund_in(world, 1).due_at});
  EXPECT_TRUE(refund_in(world, 1).review.starts_with("unresolved since"));
  world.now += 1h;
  Decision const later = world.run(TakeUpRefund{order_key(), refund_id(1), *refund_in(world, 1).due_at});
  EXPECT_TRUE(later.changes.events.empty()) << "said once";
  EXPECT_EQ(calls_of(later), std::vector{CallKind::query_refund}) << "and asked for ever";
}

TEST(RefundOnRequest, ItsEndHasItsEffectsOnce) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1"));
  world.run(refund_outcome(1, Evidence::response, Outcome::pending));
  EXPECT_TRUE(world.effects.empty());
  world.run(refund_outcome(1, Evidence::query, Outcome::succeeded));
  world.run(refund_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_EQ(effect_ids(world), std::vector{refund_id(1).value + ".refunded"});
  world.run(refund_request(2, "r-2"));
  world.run(refund_outcome(2, Evidence::response, Outcome::declined));
  world.run(refund_outcome(2, Evidence::query, Outcome::declined));
  EXPECT_EQ(effect_ids(world).size(), 2U);
  EXPECT_EQ(effect_ids(world).back(), refund_id(2).value + ".refund-refused");
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST(RefundOnRequest, TakenBackAfterItsSuccessIsAskedAboutBeforeItIsBelieved) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1", 1999));
  world.run(refund_outcome(1, Evidence::response, Outcome::succeeded));
  Decision const said = world.run(refund_outcome(1, Evidence::notice, Outcome::declined));
  EXPECT_EQ(event_types(said), std::vector<std::string>{"refund.alarm"});
  EXPECT_EQ(calls_of(said), std::vector{CallKind::query_refund});
  EXPECT_EQ(refund_in(world, 1).state, RefundState::succeeded) << "a message may be old: nothing takes its place yet";
  EXPECT_EQ(refused_with(world.decide(refund_request(2, "r-2", 1))), ErrorCode::refund_exceeds_captured);

  world.run(refund_outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(refund_in(world, 1).state, RefundState::returned);
  EXPECT_NE(refund_in(world, 1).review, "");
  EXPECT_EQ(effect_ids(world).back(), refund_id(1).value + ".refund-refused");
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
  EXPECT_TRUE(world.run(refund_outcome(1, Evidence::query, Outcome::declined)).changes.events.empty()) << "said once";
  EXPECT_TRUE(world.decide(refund_request(2, "r-2", 1999)).reply) << "the money is the shop's again";
  world.run(refund_outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(refund_in(world, 1).state, RefundState::returned) << "and no old message takes it back";
  EXPECT_EQ(effect_ids(world).size(), 2U);
}

TEST(RefundOnRequest, GivenBackAfterItsRefusalIsBelieved) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1", 1999));
  world.run(refund_outcome(1, Evidence::response, Outcome::declined));
  world.run(refund_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_EQ(refund_in(world, 1).state, RefundState::succeeded);
  EXPECT_EQ(refund_in(world, 1).review, "");
  EXPECT_EQ(effect_ids(world).size(), 2U);
}

TEST(RefundOnRequest, GivenBackAfterAnotherTookItsPlaceCallsAPerson) {
  RulesWorld world = paid_world();
  world.run(refund_request(1, "r-1", 1999));
  world.run(refund_outcome(1, Evidence::response, Outcome::declined));
  world.run(refund_request(2, "r-2", 1));
  Decision const late = world.run(refund_outcome(1, Evidence::query, Outcome::succeeded));
  EXPECT_EQ(refund_in(world, 1).state, RefundState::failed) << "the books never show more back than came";
  EXPECT_TRUE(refund_in(world, 1).review.contains("more went back than came"));
  EXPECT_EQ(event_types(late), std::vector<std::string>{"refund.alarm"});
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

}  // namespace
}  // namespace payonce
