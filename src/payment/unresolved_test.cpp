// What an unclear answer does: nothing is called a failure, nothing is sent twice to someone who would charge twice.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

RecordOutcome first_create_answer(Outcome said, int at_try) {
  RecordOutcome command = outcome(1, Evidence::response, said);
  command.first_create_at_try = at_try;
  return command;
}

RulesWorld world_with_attempt(std::string_view provider, AttemptState state = unknown) {
  Attempt attempt = attempt_in(state, 1);
  attempt.provider = provider;
  return RulesWorld{order_with({attempt})};
}

// After C23's time-out the query says "not found".
Decision not_found_after(RulesWorld& world, Millis age) {
  world.now = test_start + age;
  return world.run(outcome(1, Evidence::query, Outcome::not_found));
}

TEST(C23NotFound, IsNeverAFailureHoweverOften) {
  for (std::string_view const provider : {"sure", "forgetful", "blunt"}) {
    RulesWorld world = world_with_attempt(provider);
    for (Millis age = 1s; age < 1'000h; age *= 2) {
      not_found_after(world, age);
      EXPECT_EQ(world.attempt(1).state, unknown) << provider;
      EXPECT_TRUE(world.attempt(1).due_at);
    }
    ApplyNotice late = notice("evt-1", 1, answer(Outcome::succeeded));
    late.provider = provider;
    world.run(late);
    EXPECT_EQ(world.attempt(1).state, succeeded) << "the late success wins";
  }
}

TEST(C21KeyWindow, TheCreateIsSentAgainWordForWordOnlyWhileTheKeyIsSurelyRemembered) {
  RulesWorld world = world_with_attempt("sure");
  Attempt& attempt = world.orders.at(order_key()).attempts[0];
  attempt.expires_at = test_start + 1'000h;  // so that the window decides, and not the buyer's time
  std::string const request = attempt.request;
  for (Millis const age : {Millis{1s}, Millis{6h}, Millis{12h - 1ms}}) {
    Decision const decision = not_found_after(world, age);
    ASSERT_EQ(calls_of(decision), std::vector{CallKind::create}) << age.count();
    EXPECT_EQ(decision.calls[0].attempt.request, request);
    EXPECT_EQ(decision.calls[0].attempt.id, attempt_id(1));
    EXPECT_FALSE(decision.calls[0].first_create) << "what was sent before may have arrived";
    EXPECT_EQ(world.attempt(1).due_at, world.now + 12s) << "nobody else asks while the call may still answer";
  }
  for (Millis const age : {Millis{12h}, Millis{25h}, Millis{900h}})
    EXPECT_EQ(calls_of(not_found_after(world, age)), std::vector{CallKind::close}) << age.count();
}

TEST(C21KeyWindow, AfterTheBuyersTimeTheCreateIsNotSentAgain) {
  RulesWorld world = world_with_attempt("sure");
  EXPECT_EQ(calls_of(not_found_after(world, 15min - 1ms)), std::vector{CallKind::create});
  EXPECT_EQ(calls_of(not_found_after(world, 15min)), std::vector{CallKind::close});
}

TEST(C21KeyWindow, AfterAWishToCancelTheCreateIsNotSentAgain) {
  RulesWorld world = world_with_attempt("sure");
  world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  EXPECT_TRUE(not_found_after(world, 2s).calls.empty()) << "it may still be on its way inside the provider";
  EXPECT_EQ(calls_of(not_found_after(world, 61s)), std::vector{CallKind::close});
}

TEST(ForgetfulProvider, IsNeverSentACreateTwice) {
  for (std::string_view const provider : {"forgetful", "blunt"})
    for (Millis const age :
         {Millis{1s}, Millis{60s}, Millis{61s}, Millis{14min}, Millis{16min}, Millis{13h}, Millis{25h}}) {
      RulesWorld world = world_with_attempt(provider);
      for (CallKind const kind : calls_of(not_found_after(world, age))) EXPECT_EQ(kind, CallKind::close);
    }
}

TEST(ForgetfulProvider, IsAskedToCloseOnceTheRequestMustHaveArrivedOrDied) {
  RulesWorld world = world_with_attempt("forgetful");
  EXPECT_TRUE(not_found_after(world, 60s).calls.empty());
  EXPECT_FALSE(world.attempt(1).cancel_requested);
  EXPECT_EQ(calls_of(not_found_after(world, 60s + 1ms)), std::vector{CallKind::close});
  EXPECT_TRUE(world.attempt(1).cancel_requested);
  world.run(outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, canceled);
}

TEST(BluntProvider, IsOnlyEverAsked) {
  RulesWorld world = world_with_attempt("blunt");
  for (Millis age = 1s; age < 1'000h; age *= 2) EXPECT_TRUE(not_found_after(world, age).calls.empty());
  EXPECT_EQ(world.attempt(1).state, unknown);
}

TEST(C23NotFound, AsTheAnswerToACallIsNoReasonToAct) {
  RulesWorld world = world_with_attempt("sure");
  EXPECT_TRUE(world.run(outcome(1, Evidence::response, Outcome::not_found)).calls.empty());
  EXPECT_EQ(world.attempt(1).state, unknown);
}

TEST(C23ScanOrder, ThatNobodyScannedYetIsLeftToTheBuyer) {
  for (std::string_view const provider : {"sure", "forgetful"}) {
    RulesWorld world = world_with_attempt(provider, requires_action);
    EXPECT_TRUE(not_found_after(world, 5min).calls.empty()) << provider;
    EXPECT_FALSE(world.attempt(1).cancel_requested);
    EXPECT_EQ(world.attempt(1).state, requires_action);
    EXPECT_NE(world.attempt(1).action_url, "");
  }
}

TEST(NotSent, ProvesItselfOnlyForTheFirstCreateThatNobodyTookUp) {
  RulesWorld world = world_with_attempt("sure", processing);
  world.run(outcome(1, Evidence::response, Outcome::not_sent));
  EXPECT_TRUE(world.attempt(1).exposed) << "a later call that did not leave says nothing about the first";
  world.run(first_create_answer(Outcome::not_sent, 1));
  EXPECT_TRUE(world.attempt(1).exposed) << "somebody took it up in between, or will have";
  for (Outcome const said : {Outcome::in_doubt, Outcome::pending, Outcome::not_found}) {
    RulesWorld other = world_with_attempt("sure", processing);
    other.run(first_create_answer(said, 0));
    EXPECT_TRUE(other.attempt(1).exposed) << to_text(said);
  }
  world.run(first_create_answer(Outcome::not_sent, 0));
  EXPECT_FALSE(world.attempt(1).exposed);
  EXPECT_EQ(world.attempt(1).state, processing);
}

TEST(NotSent, SaidAgainOfWhatNeverLeftExposesNothing) {
  RulesWorld world = world_with_attempt("sure", processing);
  world.run(first_create_answer(Outcome::not_sent, 0));
  world.run(outcome(1, Evidence::response, Outcome::not_sent));
  EXPECT_FALSE(world.attempt(1).exposed);
  world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
  EXPECT_EQ(world.attempt(1).state, canceled);
}

TEST(NotSent, AfterATakeUpProvesNothing) {
  RulesWorld world = world_with_attempt("sure", processing);
  world.now += 12s;
  world.run(TakeUpAttempt{order_key(), attempt_id(1), world.now});
  world.run(first_create_answer(Outcome::not_sent, 0));
  EXPECT_TRUE(world.attempt(1).exposed) << "recovery's query is on its way, and a re-send may follow";
}

TEST(NotSent, AfterTheProviderSpokeOfTheNumberProvesNothing) {
  RulesWorld pending = world_with_attempt("sure", processing);
  pending.run(notice("evt-1", 1, answer(Outcome::pending, "")));
  pending.run(first_create_answer(Outcome::not_sent, 0));
  EXPECT_TRUE(pending.attempt(1).exposed);

  RulesWorld misfit = world_with_attempt("sure", processing);
  Answer wrong = answer(Outcome::succeeded);
  wrong.amount = usd(1);
  misfit.run(notice("evt-1", 1, wrong));
  misfit.run(first_create_answer(Outcome::not_sent, 0));
  EXPECT_TRUE(misfit.attempt(1).exposed);
}

TEST(NotSent, IsTakenBackByAnyWordOfTheProvider) {
  Answer wrong = answer(Outcome::succeeded);
  wrong.amount = usd(1);
  for (Answer const& said : {answer(Outcome::pending), answer(Outcome::requires_action), wrong}) {
    RulesWorld world = world_with_attempt("sure", processing);
    world.run(first_create_answer(Outcome::not_sent, 0));
    world.run(notice("evt-1", 1, said));
    EXPECT_TRUE(world.attempt(1).exposed) << to_text(said.outcome);
    world.run(CancelAttempt{MerchantId{"shop"}, attempt_id(1), "ann"});
    EXPECT_NE(world.attempt(1).state, canceled) << "it takes the provider's proof now";
  }
}

TEST(Decline, WithoutAnAnswerToStoreIsNoProof) {
  Answer bare = answer(Outcome::declined, "");
  bare.text.clear();
  for (AttemptState const state : {processing, unknown, requires_action}) {
    RulesWorld world = world_with_attempt("sure", state);
    world.run(outcome(1, Evidence::response, bare));
    EXPECT_EQ(world.attempt(1).state, state == requires_action ? requires_action : unknown);
    EXPECT_EQ(broken_invariants(world.order(), {}), "");
  }
}

TEST(RequiresAction, ANewAddressForTheBuyerIsKept) {
  RulesWorld world = world_with_attempt("sure", processing);
  Answer early = answer(Outcome::requires_action, "wait");
  early.action_url.clear();
  world.run(notice("evt-1", 1, early));
  EXPECT_EQ(world.attempt(1).action_url, "");
  Answer late = answer(Outcome::requires_action, "wait");
  late.provider_ref = "ch_1";
  world.run(outcome(1, Evidence::response, late));
  EXPECT_EQ(world.attempt(1).action_url, "https://bank.example/act");
  EXPECT_EQ(world.attempt(1).provider_ref, "ch_1");
  late.action_url = "https://bank.example/other";
  world.run(outcome(1, Evidence::query, late));
  EXPECT_EQ(world.attempt(1).action_url, "https://bank.example/other");
  world.run(outcome(1, Evidence::query, Outcome::pending));
  EXPECT_EQ(world.attempt(1).action_url, "") << "nothing is left for the buyer to do";
}

TEST(Answer, IsCutToItsLimit) {
  RulesWorld world = world_with_attempt("sure", processing);
  Answer long_answer = answer(Outcome::declined);
  long_answer.text = std::string(1'000'000, 'x');
  world.run(outcome(1, Evidence::response, long_answer));
  EXPECT_EQ(world.attempt(1).answer.size(), 16U * 1024);
}

TEST(Unresolved, IsDueSoonerThanTheBuyersEndAndAskedForEver) {
  RulesWorld world = world_with_attempt("sure");
  world.orders.at(order_key()).attempts[0].tries = 1'000;
  world.now = test_start + 14min;
  world.run(outcome(1, Evidence::query, Outcome::in_doubt));
  EXPECT_EQ(world.attempt(1).due_at, world.attempt(1).expires_at);
  world.now = test_start + 500h;
  world.run(outcome(1, Evidence::query, Outcome::in_doubt));
  EXPECT_GT(world.attempt(1).due_at.value(), world.now);
  EXPECT_LE(world.attempt(1).due_at.value(), world.now + 5min);
}

TEST(C53WrongAmount, NeedsAPersonAndIsSettledByTheRightAnswer) {
  Attempt attempt = attempt_in(processing, 1);
  attempt.amount = cny(8800);
  Order order = order_with({attempt});
  order.head.amount = cny(8800);
  RulesWorld world{std::move(order)};
  for (Money const wrong : {cny(1), usd(8800), cny(8801), cny(-8800)}) {
    Answer said = answer(Outcome::succeeded);
    said.amount = wrong;
    world.run(notice("evt-" + to_text(wrong), 1, said));
    EXPECT_EQ(world.attempt(1).state, unknown);
    EXPECT_NE(world.attempt(1).review.find(to_text(wrong)), std::string::npos) << world.attempt(1).review;
    EXPECT_EQ(world.notices.at({"sure", "evt-" + to_text(wrong)}).disposition, NoticeDisposition::misfit);
  }
  EXPECT_TRUE(world.effects.empty());
  Answer right = answer(Outcome::succeeded);
  right.amount = cny(8800);
  world.run(outcome(1, Evidence::query, right));
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.attempt(1).review, "");
}

TEST(C53WrongAmount, StaysInViewUntilAPersonSettlesIt) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  Answer wrong = answer(Outcome::succeeded);
  wrong.amount = usd(1);
  world.run(notice("evt-wrong", 1, wrong));
  world.run(outcome(1, Evidence::query, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, failed);
  EXPECT_TRUE(world.attempt(1).review.starts_with("does not fit"))
      << "a refusal does not say where the other money went";
}

}  // namespace
}  // namespace payonce
