// One key is one attempt, one order has one live attempt, and only the commit that made an attempt calls the provider.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

RulesWorld registered() {
  RulesWorld world;
  world.run(registration());
  return world;
}

TEST(Begin, CommitsTheAttemptWithItsRequestAndThenCallsOnce) {
  RulesWorld world = registered();
  Decision const decision = world.run(beginning(1, "k-1", "", "tok_a"));
  ASSERT_TRUE(decision.reply);
  EXPECT_EQ(replied(decision).kind, ReplyKind::created);
  EXPECT_EQ(replied(decision).attempt->id, attempt_id(1));
  Attempt const& attempt = world.attempt(1);
  EXPECT_EQ(attempt.state, processing);
  EXPECT_EQ(attempt.provider, "sure") << "the merchant's first provider is the default";
  EXPECT_EQ(attempt.amount, usd(1999)) << "C54: the amount is the order's";
  EXPECT_TRUE(attempt.exposed) << "from the commit on, the call may have been made";
  EXPECT_EQ(attempt.due_at, world.now + 12s) << "the provider's time-out and a margin";
  EXPECT_EQ(attempt.expires_at, world.now + 15min);
  EXPECT_EQ(world.order().head.held_minor, 1999);
  ASSERT_EQ(decision.calls.size(), 1U);
  EXPECT_EQ(decision.calls[0].kind, CallKind::create);
  EXPECT_TRUE(decision.calls[0].first_create);
  EXPECT_EQ(decision.calls[0].attempt.request, attempt.request);
  EXPECT_EQ(attempt.request,
            "create " + attempt_id(1).value + " PA-1001 19.99 USD tok_a until 2025-10-09T09:08:20.000Z");
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
}

TEST(C19Replay, TheSameKeyIsTheSameAttemptAndNoSecondCall) {
  RulesWorld world = registered();
  world.run(beginning(1, "k-1"));
  for (int caller = 2; caller < 52; ++caller) {
    Decision const decision = world.run(beginning(caller, "k-1"));
    ASSERT_TRUE(decision.reply);
    EXPECT_EQ(replied(decision).kind, ReplyKind::confirmed);
    EXPECT_EQ(replied(decision).attempt->id, attempt_id(1));
    EXPECT_TRUE(decision.calls.empty());
    EXPECT_TRUE(decision.changes.empty());
  }
  EXPECT_EQ(world.order().attempts.size(), 1U);
}

TEST(C22Replay, GivesTheAttemptAsItStandsAndNeverCalls) {
  for (AttemptState const state : attempt_states) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.run(beginning(2, "k-1"));
    ASSERT_TRUE(decision.reply) << to_text(state);
    EXPECT_EQ(describe(*replied(decision).attempt), describe(world.attempt(1)));
    EXPECT_TRUE(decision.calls.empty()) << to_text(state);
    EXPECT_TRUE(decision.changes.empty()) << to_text(state);
  }
}

struct OtherContent {
  std::string_view field;
  void (*change)(BeginAttempt& request);
};
class KeyReused : public testing::TestWithParam<OtherContent> {};
INSTANTIATE_TEST_SUITE_P(EachField, KeyReused,
                         testing::Values(OtherContent{"order_id",
                                                      [](BeginAttempt& it) { it.key = order_key("PA-1002"); }},
                                         OtherContent{"amount", [](BeginAttempt& it) { it.amount_minor = 1; }},
                                         OtherContent{"currency", [](BeginAttempt& it) { it.currency = "CNY"; }},
                                         OtherContent{"provider", [](BeginAttempt& it) { it.provider = "blunt"; }},
                                         OtherContent{"method", [](BeginAttempt& it) { it.method = "tok_b"; }}),
                         [](auto const& info) { return std::string{info.param.field}; });

TEST_P(KeyReused, WithOtherContentIsRefusedInEveryStateNamingTheField) {
  for (AttemptState const state : attempt_states) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    BeginAttempt request = beginning(2, "k-1");
    GetParam().change(request);
    Decision const decision = world.decide(request);
    EXPECT_EQ(refused_with(decision), ErrorCode::idempotency_key_reused);
    EXPECT_EQ(refusal(decision).error.field, GetParam().field);
    EXPECT_TRUE(decision.calls.empty());
    EXPECT_TRUE(decision.changes.empty());
  }
}

TEST(C17OtherCardUnderTheSameKey, IsRefusedWithAdvice) {
  RulesWorld world = registered();
  world.run(beginning(1, "k-9", "", "tok_a"));
  world.run(outcome(1, Evidence::response, Outcome::declined));
  Decision const decision = world.run(beginning(2, "k-9", "", "tok_b"));
  EXPECT_EQ(refused_with(decision), ErrorCode::idempotency_key_reused);
  EXPECT_EQ(refusal(decision).error.field, "method");
  EXPECT_NE(refusal(decision).error.detail.find("use a new key"), std::string::npos);
  EXPECT_TRUE(decision.calls.empty());

  Decision const second_card = world.run(beginning(2, "k-10", "", "tok_b"));
  EXPECT_EQ(calls_of(second_card), std::vector{CallKind::create});
  EXPECT_NE(world.attempt(2).id, world.attempt(1).id) << "another attempt goes under another number";
  EXPECT_EQ(world.attempt(1).state, failed);
}

TEST(C12KeyOfAMissingValue, NeverGivesAnotherOrdersPayment) {
  RulesWorld world = registered();
  world.run(beginning(1, "pay_undefined"));
  world.run(RegisterOrder{order_key("PA-1002"), usd(1999), Policy::single, ""});
  BeginAttempt other = beginning(2, "pay_undefined");
  other.key = order_key("PA-1002");
  EXPECT_EQ(refusal(world.decide(other)).error.field, "order_id");
}

TEST(C14KeyCase, OtherBytesAreAnotherKey) {
  RulesWorld world = registered();
  world.run(RegisterOrder{order_key("pa-1001"), usd(1999), Policy::single, ""});
  world.run(beginning(1, "Abc-1"));
  BeginAttempt other = beginning(2, "abc-1");
  other.key = order_key("pa-1001");
  EXPECT_EQ(replied(world.run(other)).kind, ReplyKind::created);
}

TEST(C15KeyScope, IsTheMerchant) {
  RulesWorld world = registered();
  world.run(beginning(1, "k-1"));
  BeginAttempt other = beginning(2, "k-1");
  other.key = {MerchantId{"other"}, OrderId{"PA-1001"}};
  EXPECT_EQ(refused_with(world.decide(other)), ErrorCode::not_found)
      << "it sees nothing of the first merchant's payment";
}

TEST(KeyFirst, AReplayIsAnsweredWhateverHasChangedSince) {
  RulesWorld world{order_with({attempt_in(canceled, 1)})};
  world.orders.at(order_key()).head.state = OrderState::closed;
  EXPECT_EQ(replied(world.decide(beginning(2, "k-1"))).kind, ReplyKind::confirmed) << "closed order";
  world.terms.providers.clear();
  EXPECT_EQ(replied(world.decide(beginning(2, "k-1"))).kind, ReplyKind::confirmed) << "provider gone";
  world.terms.shop.id = MerchantId{"somebody else"};
  EXPECT_EQ(replied(world.decide(beginning(2, "k-1"))).kind, ReplyKind::confirmed) << "merchant gone";

  BeginAttempt elsewhere = beginning(2, "k-1");
  elsewhere.key = order_key("PA-none");
  EXPECT_EQ(refused_with(world.decide(elsewhere)), ErrorCode::idempotency_key_reused) << "order not registered";
}

TEST(KeyFirst, AnAmountThatOnlyNowDiffersFromTheOrdersIsStillTheReplay) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  world.run(registration(usd(5000)));
  BeginAttempt replay = beginning(2, "k-1");
  replay.amount_minor = 1999;
  EXPECT_EQ(replied(world.decide(replay)).kind, ReplyKind::confirmed);
}

TEST(LostCommitAnswer, TheSameCommandRecognisesItsAttemptAndCalls) {
  RulesWorld world = registered();
  Decision const first = world.run(beginning(1, "k-1"));
  Decision const again = world.run(beginning(1, "k-1"));
  EXPECT_EQ(replied(again).kind, ReplyKind::created);
  EXPECT_TRUE(again.changes.empty());
  ASSERT_EQ(calls_of(again), std::vector{CallKind::create});
  EXPECT_TRUE(again.calls[0].first_create);
  EXPECT_EQ(again.calls[0].attempt.request, first.calls[0].attempt.request);
}

TEST(LostCommitAnswer, WhatSomebodyTouchedIsNotCalledAgain) {
  struct Touch {
    std::string_view by;
    Command command;
  };
  RecordOutcome never_left = outcome(1, Evidence::response, answer(Outcome::not_sent, ""));
  never_left.first_create_at_try = 0;
  std::vector<Touch> const touches{
      {"recovery", TakeUpAttempt{order_key(), attempt_id(1), test_start + 12s}},
      {"an answer", outcome(1, Evidence::response, Outcome::pending)},
      {"an answer without a code", outcome(1, Evidence::response, answer(Outcome::pending, ""))},
      {"a time-out", outcome(1, Evidence::response, Outcome::in_doubt)},
      {"a call that never left", never_left},
      {"a notice", notice("evt-1", 1, answer(Outcome::succeeded))},
      {"a wish to cancel", CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"}},
  };
  for (Touch const& touch : touches) {
    RulesWorld world = registered();
    world.run(beginning(1, "k-1"));
    world.run(touch.command);
    Decision const again = world.run(beginning(1, "k-1"));
    EXPECT_EQ(replied(again).kind, ReplyKind::created) << touch.by;
    EXPECT_TRUE(again.calls.empty()) << touch.by;
    EXPECT_TRUE(again.changes.empty()) << touch.by;
  }
}

TEST(LostCommitAnswer, WhatIsNotMarkedAsPossiblySentIsNotCalledAgain) {
  RulesWorld world = registered();
  world.run(beginning(1, "k-1"));
  world.orders.at(order_key()).attempts[0].exposed = false;
  EXPECT_TRUE(world.run(beginning(1, "k-1")).calls.empty())
      << "who finds it so would take it for never sent, and end it while the call charges";
}

TEST(C02SecondTab, ALiveAttemptIsInTheWayAndIsNamed) {
  for (AttemptState const state : {processing, requires_action, unknown}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.decide(beginning(2, "k-2"));
    EXPECT_EQ(refused_with(decision), ErrorCode::order_has_live_payment);
    ASSERT_TRUE(refusal(decision).live);
    EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
    EXPECT_TRUE(decision.calls.empty());
    EXPECT_TRUE(decision.changes.empty()) << "a refusal burns no key";
  }
}

TEST(Begin, AfterAnEndedAttemptIsAllowed) {
  for (AttemptState const state : {failed, canceled, released}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    EXPECT_EQ(replied(world.run(beginning(2, "k-2"))).kind, ReplyKind::created) << to_text(state);
    EXPECT_EQ(broken_invariants(world.order(), {}), "");
  }
}

TEST(Begin, APaidOrderIsNotPaidAgain) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  Decision const decision = world.decide(beginning(2, "k-2"));
  EXPECT_EQ(refused_with(decision), ErrorCode::order_already_paid);
  EXPECT_EQ(refusal(decision).live->id, attempt_id(1)) << "it says by which payment";
}

TEST(Begin, AClosedOrAnUnknownOrderIsNotPaid) {
  RulesWorld world{order_with({})};
  world.orders.at(order_key()).head.state = OrderState::closed;
  EXPECT_EQ(refused_with(world.decide(beginning(1, "k-1"))), ErrorCode::order_closed);
  EXPECT_EQ(refused_with(RulesWorld{}.decide(beginning(1, "k-1"))), ErrorCode::not_found);
}

// A request that brings its order along.
BeginAttempt registering(int n, std::string key, std::int64_t amount_minor = 1999) {
  BeginAttempt command = beginning(n, std::move(key));
  command.amount_minor = amount_minor;
  command.currency = "USD";
  command.registers_order = true;
  return command;
}

TEST(BeginWithItsOrder, RegistersTheOrderInTheSameStep) {
  RulesWorld world;
  Decision const decision = world.run(registering(1, "k-1"));
  ASSERT_TRUE(decision.reply);
  EXPECT_EQ(event_types(decision), (std::vector<std::string>{"order.registered", "payment.created"}));
  EXPECT_EQ(calls_of(decision), std::vector{CallKind::create});
  EXPECT_EQ(world.order().head.amount, usd(1999));
  EXPECT_EQ(world.order().head.held_minor, 1999);
  EXPECT_EQ(world.attempt(1).amount, usd(1999));
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
  // The same command after a lost commit answer, and the same request of a caller who repeats it.
  EXPECT_EQ(replied(world.run(registering(1, "k-1"))).kind, ReplyKind::created);
  EXPECT_EQ(replied(world.run(registering(2, "k-1"))).kind, ReplyKind::confirmed);
  EXPECT_EQ(refused_with(world.run(registering(2, "k-1", 2500))), ErrorCode::idempotency_key_reused);
}

TEST(BeginWithItsOrder, NeverChangesAnOrderThatIsThere) {
  RulesWorld world = registered();
  EXPECT_EQ(refused_with(world.run(registering(1, "k-1", 2500))), ErrorCode::amount_mismatch);
  EXPECT_EQ(world.order().head.amount, usd(1999));
  EXPECT_EQ(event_types(world.run(registering(1, "k-1"))), std::vector<std::string>{"payment.created"});
  EXPECT_EQ(refused_with(world.run(registering(2, "k-2"))), ErrorCode::order_has_live_payment);
}

TEST(BeginWithItsOrder, WithoutAnAmountOrItsCurrencyThereIsNoOrder) {
  RulesWorld world;
  BeginAttempt command = registering(1, "k-1");
  command.amount_minor.reset();
  EXPECT_EQ(refused_with(world.run(command)), ErrorCode::not_found);
  command = registering(1, "k-1");
  command.currency.reset();
  EXPECT_EQ(refused_with(world.run(command)), ErrorCode::not_found);
  EXPECT_TRUE(world.orders.empty());
}

TEST(Begin, OnlyTheMerchantsOwnProviders) {
  RulesWorld world = registered();
  Decision const unknown_name = world.decide(beginning(1, "k-1", "bank-x"));
  EXPECT_EQ(refused_with(unknown_name), ErrorCode::provider_unknown);
  EXPECT_NE(refusal(unknown_name).error.detail.find("sure, forgetful, blunt"), std::string::npos);
  world.terms.shop.providers = {"blunt"};
  EXPECT_EQ(refused_with(world.decide(beginning(1, "k-1", "sure"))), ErrorCode::provider_unknown);
  EXPECT_EQ(refused_with(world.decide(beginning(1, "k-1", "offline"))), ErrorCode::provider_unknown);
  world.terms.shop.providers = {};
  EXPECT_EQ(refused_with(world.decide(beginning(1, "k-1", ""))), ErrorCode::provider_unknown);
}

TEST(C54ClientNamesThePrice, TheOrdersAmountStands) {
  RulesWorld world;
  world.run(registration(cny(8800)));
  BeginAttempt request = beginning(1, "k-1");
  request.amount_minor = 1;
  Decision const decision = world.decide(request);
  EXPECT_EQ(refused_with(decision), ErrorCode::amount_mismatch);
  EXPECT_EQ(refusal(decision).error.field, "amount");
  EXPECT_TRUE(decision.calls.empty());
  request.amount_minor = 8800;
  for (std::string_view const currency : {"USD", "cny", ""}) {
    request.currency = currency;
    EXPECT_EQ(refused_with(world.decide(request)), ErrorCode::amount_mismatch);
    EXPECT_EQ(refusal(world.decide(request)).error.field, "currency");
  }
  request.currency = "CNY";
  EXPECT_EQ(replied(world.run(request)).kind, ReplyKind::created);
  EXPECT_EQ(world.attempt(1).amount, cny(8800));
}

}  // namespace
}  // namespace payonce
