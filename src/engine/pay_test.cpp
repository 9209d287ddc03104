// To pay: a new number each time, an answer as soon as the caller need not wait, and another method in place of the
// live payment once that is closed.
#include "engine/pay.h"

#include "support/engine_world.h"

namespace payonce::test {

namespace {

class PayTest : public EngineWorld {
 protected:
  void ask(std::string key, bool replaces = false, Millis wait = 60s, std::string_view of_order = "PA-1001") {
    answered.reset();
    PayRequest request{.key = order_key(of_order), .idempotency_key = std::move(key)};
    request.replaces = replaces;
    request.wait = wait;
    pay(engine, std::move(request), [this](Answered it) { answered = std::move(it); });
    settle();
  }
  Attempt const& told() const { return *(*answered)->attempt; }

  std::optional<Answered> answered;
};

}  // namespace

TEST_F(PayTest, IsAnsweredAsSoonAsThereIsNothingToWaitFor) {
  ask("k-1");
  EXPECT_FALSE(answered);
  say(Outcome::in_doubt);
  EXPECT_FALSE(answered) << "the provider will be asked";
  EXPECT_TRUE(run(outcome(1, Evidence::query, Outcome::succeeded)).error().error.code == ErrorCode::not_found)
      << "its number is its own";
  RecordOutcome paid = outcome(1, Evidence::query, Outcome::succeeded);
  paid.attempt = order().attempts.at(0).id;
  EXPECT_TRUE(run(paid));
  ASSERT_TRUE(answered && *answered);
  EXPECT_EQ(told().state, AttemptState::succeeded);
}

TEST_F(PayTest, WithoutAWaitIsAnsweredAsItStandsAndReplayedUnderItsKey) {
  ask("k-1", false, 0s);
  ASSERT_TRUE(answered && *answered);
  AttemptId const first = told().id;
  EXPECT_EQ(told().state, AttemptState::processing);
  ask("k-1", false, 0s);
  EXPECT_EQ((*answered)->kind, ReplyKind::confirmed);
  EXPECT_EQ(told().id, first);
  EXPECT_EQ(called(), std::vector{CallKind::create}) << "called once";
}

TEST_F(PayTest, ThatIsRefusedIsAnsweredAtOnce) {
  ask("k-1", false, 60s, "PA-none");
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->error().error.code, ErrorCode::not_found);
}

TEST_F(PayTest, BesideALivePaymentIsRefusedAndThatIsLeftAlone) {
  ask("k-1");
  say(Outcome::requires_action);
  AttemptId const first = told().id;
  ask("k-2");
  ASSERT_TRUE(answered && !*answered);
  EXPECT_EQ(answered->error().error.code, ErrorCode::order_has_live_payment);
  EXPECT_EQ(answered->error().live->id, first);
  EXPECT_EQ(called(), std::vector{CallKind::create}) << "nobody asked for its closing";
}

TEST_F(PayTest, InPlaceOfALivePaymentBeginsWhenThatIsClosed) {
  ask("k-1");
  say(Outcome::requires_action);
  AttemptId const first = told().id;
  ask("k-2", true);
  EXPECT_EQ(called(), (std::vector{CallKind::create, CallKind::close}));
  EXPECT_FALSE(answered);
  say(Outcome::declined);
  EXPECT_EQ(called().back(), CallKind::create);
  say(Outcome::succeeded);
  ASSERT_TRUE(answered && *answered);
  EXPECT_NE(told().id, first);
  EXPECT_EQ(told().state, AttemptState::succeeded);
  EXPECT_EQ(order().find(first)->state, AttemptState::canceled);
}

}  // namespace payonce::test
