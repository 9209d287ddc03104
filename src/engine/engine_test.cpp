// What a commit asks for is called once, what cannot be called or saved is left to recovery, and nothing of it is lost.
#include "engine/engine.h"

#include "engine/capture.h"
#include "engine/refund.h"
#include "engine/resolve.h"
#include "support/engine_world.h"

namespace payonce::test {

namespace {

class EngineTest : public EngineWorld {
 protected:
  // How many things recovery took up.
  std::size_t resolve() {
    std::size_t count = 99;
    int ends = 0;
    resolve_due(engine, 100, [&](std::size_t taken) {
      count = taken;
      ++ends;
    });
    settle();
    EXPECT_EQ(ends, 1);
    return count;
  }
};

}  // namespace

TEST_F(EngineTest, ACallIsMadeOnceAfterItsCommitAndItsAnswerIsSaved) {
  engine.execute(beginning(1, "k-1"), [](Answered const& answered) { EXPECT_TRUE(answered); });
  turns.take_all();
  EXPECT_TRUE(teller->calls.empty()) << "the commit is durable, and nobody here knows it yet";
  settle();
  EXPECT_EQ(called(), std::vector{CallKind::create});
  EXPECT_EQ(engine.under_way(), 1U);
  EXPECT_EQ(state(1), AttemptState::processing);
  say(Outcome::succeeded);
  EXPECT_EQ(state(1), AttemptState::succeeded);
  EXPECT_EQ(order().head.state, OrderState::paid);
  EXPECT_EQ(engine.under_way(), 0U);
  EXPECT_EQ(called(), std::vector{CallKind::create});
}

TEST_F(EngineTest, ACallWhoseLeaseIsOverBeforeItIsMadeIsRecoverys) {
  engine.execute(beginning(1, "k-1"), [](Answered const&) {});
  turns.take_all();
  clock.at += 12s;  // the loop was held up for longer than the lease
  settle();
  EXPECT_TRUE(teller->calls.empty()) << "somebody else may be asking by now";
  EXPECT_EQ(engine.under_way(), 0U);
  EXPECT_EQ(resolve(), 1U);
  EXPECT_EQ(called(), std::vector{CallKind::query}) << "the provider is asked first";
}

TEST_F(EngineTest, ACallToAProviderThatIsNotThereIsRecoverys) {
  EXPECT_TRUE(run(beginning(1, "k-1", "forgetful")));
  EXPECT_TRUE(teller->calls.empty());
  EXPECT_EQ(engine.under_way(), 0U);
  EXPECT_EQ(state(1), AttemptState::processing);
  clock.at += 12s;
  EXPECT_EQ(resolve(), 1U);
  EXPECT_EQ(state(1), AttemptState::processing) << "it is never called a failure";
}

TEST_F(EngineTest, AnAnswerThatCannotBeSavedIsAskedForAgain) {
  begin(1);
  store.are_gone = true;
  say(Outcome::succeeded);
  EXPECT_EQ(engine.under_way(), 0U);
  store.are_gone = false;
  EXPECT_EQ(state(1), AttemptState::processing);
  clock.at += 12s;
  EXPECT_EQ(resolve(), 1U);
  EXPECT_EQ(called(), (std::vector{CallKind::create, CallKind::query}));
  say(Outcome::succeeded);
  EXPECT_EQ(state(1), AttemptState::succeeded);
}

TEST_F(EngineTest, ACommandThatCannotBeCommittedSaysSoAndCallsNobody) {
  store.are_gone = true;
  Answered const answered = run(beginning(1, "k-1"));
  ASSERT_FALSE(answered);
  EXPECT_EQ(answered.error().error.code, ErrorCode::unavailable);
  EXPECT_TRUE(teller->calls.empty());
  EXPECT_EQ(engine.under_way(), 0U);
  store.are_gone = false;
  begin(1);
  EXPECT_EQ(called(), std::vector{CallKind::create}) << "the key is not burnt";
}

TEST_F(EngineTest, WhoWaitsForARefundIsToldOfItsEnd) {
  begin(1);
  say(Outcome::succeeded);
  std::optional<RefundState> told;
  RefundRequest request;
  request.merchant = MerchantId{"shop"};
  request.attempt = attempt_id(1);
  request.idempotency_key = "r-1";
  request.amount_minor = 500;
  request.wait = 60s;
  refund_payment(engine, request, [&told](Answered const& answered) { told = answered->refund->state; });
  settle();
  EXPECT_EQ(told, std::nullopt);
  say(Outcome::pending);
  EXPECT_EQ(told, std::nullopt) << "neither done nor failed";
  pass(1s);
  EXPECT_EQ(resolve(), 1U);
  say(Outcome::succeeded);
  EXPECT_EQ(told, RefundState::succeeded);
}

TEST_F(EngineTest, WhoWaitsForACaptureIsToldOfItsEnd) {
  begin_hold();
  std::optional<CaptureState> told;
  CaptureRequest request;
  request.merchant = MerchantId{"shop"};
  request.attempt = attempt_id(1);
  request.idempotency_key = "c-1";
  request.amount_minor = 500;
  request.wait = 60s;
  capture_payment(engine, request, [&told](Answered const& answered) { told = answered->capture->state; });
  settle();
  say(Outcome::in_doubt);
  EXPECT_EQ(told, std::nullopt) << "in doubt is no end";
  pass(1s);
  EXPECT_EQ(resolve(), 1U);
  EXPECT_EQ(called().back(), CallKind::query_capture);
  say(Outcome::succeeded);
  EXPECT_EQ(told, CaptureState::succeeded);
}

TEST_F(EngineTest, RecoveryThatFindsNothingOrCannotLookTakesNothingUp) {
  EXPECT_EQ(resolve(), 0U);
  begin(1);
  clock.at += 12s;
  store.are_gone = true;
  EXPECT_EQ(resolve(), 0U);
  store.are_gone = false;
  EXPECT_EQ(resolve(), 1U);
  EXPECT_EQ(resolve(), 0U) << "what was taken up is not due";
}

TEST_F(EngineTest, RecoveryEndsOrdersWhoseTimeIsOver) {
  RegisterOrder expiring = registration();
  expiring.expires_at = test_start + 5min;
  EXPECT_TRUE(run(expiring));
  begin(1);
  say(Outcome::requires_action);
  clock.at += 5min;
  EXPECT_EQ(resolve(), 2U) << "the order, and its payment";
  EXPECT_EQ(called().back(), CallKind::close);
  say(Outcome::declined);
  pass(2min);
  resolve();
  EXPECT_EQ(order().head.state, OrderState::closed);
}

}  // namespace payonce::test
