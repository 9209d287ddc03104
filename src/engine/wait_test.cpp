#include "engine/wait.h"

#include "support/engine_world.h"

namespace payonce::test {

namespace {

bool has_ended(Attempt const& attempt) { return !is_watched(attempt.state); }
bool refund_has_ended(Refund const& refund) { return !is_watched(refund.state); }
bool capture_has_ended(Capture const& capture) { return !is_watched(capture.state); }

// What the engine is told is all there is: its books do not have this payment.
class WaitTest : public EngineWorld {
 protected:
  void wait_for_end(Millis wait) {
    wait_until(engine, attempt_in(AttemptState::processing, 1), wait, has_ended, [this](Attempt now) {
      ++ends;
      end = now.state;
    });
  }
  void publish(AttemptState state, int n = 1) { engine.hub<Attempt>().publish(attempt_in(state, n)); }

  int ends = 0;
  std::optional<AttemptState> end;
};

}  // namespace

TEST_F(WaitTest, NothingToWaitForIsAnsweredAtOnce) {
  wait_for_end(0ms);
  EXPECT_EQ(ends, 1);
  wait_until(engine, attempt_in(AttemptState::failed, 1), 60s, has_ended, [this](Attempt const&) { ++ends; });
  EXPECT_EQ(ends, 2);
  EXPECT_EQ(engine.hub<Attempt>().listeners(), 0u);
}

TEST_F(WaitTest, EndsAtTheChangeThatIsEnough) {
  wait_for_end(60s);
  publish(AttemptState::unknown);
  publish(AttemptState::succeeded, 2);
  EXPECT_EQ(ends, 0);
  publish(AttemptState::succeeded);
  EXPECT_EQ(end, AttemptState::succeeded);
  publish(AttemptState::succeeded);
  EXPECT_EQ(ends, 1) << "only once";
  EXPECT_EQ(engine.hub<Attempt>().listeners(), 0u);
  EXPECT_EQ(loop.timers(), 0U);
}

TEST_F(WaitTest, EndsAtItsTimeWithWhatItLastSaw) {
  wait_for_end(3500ms);
  publish(AttemptState::unknown);
  pass(1s);
  pass(1s);
  pass(1s);
  EXPECT_EQ(ends, 0);
  pass(500ms);
  EXPECT_EQ(end, AttemptState::unknown);
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(engine.hub<Attempt>().listeners(), 0u);
}

TEST_F(WaitTest, SeesWhatAnotherNodeDid) {
  begin(1);
  wait_for_end(60s);
  // Committed past this engine, so that nobody here is told.
  committer.submit(outcome(1, Evidence::notice, Outcome::succeeded), [](Result<Committed> const&) {});
  settle();
  EXPECT_EQ(ends, 0);
  pass(1s);
  EXPECT_EQ(end, AttemptState::succeeded);
  EXPECT_EQ(loop.timers(), 0U);
}

TEST_F(WaitTest, SeesWhatAnotherNodeDidToARefund) {
  begin(1);
  say(Outcome::succeeded);
  EXPECT_TRUE(run(refund_request(1, "r-1")));
  std::optional<RefundState> told;
  wait_until(engine, Refund{.id = refund_id(1), .amount = usd(500)}, 60s, refund_has_ended,
             [&told](Refund const& it) { told = it.state; });
  committer.submit(RecordRefundOutcome{order_key(), refund_id(1), Evidence::notice, answer(Outcome::succeeded)},
                   [](Result<Committed> const&) {});
  pass(1s);
  EXPECT_EQ(told, RefundState::succeeded);
}

TEST_F(WaitTest, SeesWhatAnotherNodeDidToACapture) {
  RegisterOrder const held = begin_hold();
  EXPECT_TRUE(run(capture_request(1, "c-1")));
  std::optional<CaptureState> told;
  wait_until(engine, Capture{.id = capture_id(1), .amount = usd(1999)}, 60s, capture_has_ended,
             [&told](Capture const& it) { told = it.state; });
  committer.submit(RecordCaptureOutcome{held.key, capture_id(1), Evidence::query, answer(Outcome::succeeded)},
                   [](Result<Committed> const&) {});
  pass(1s);
  EXPECT_EQ(told, CaptureState::succeeded);
}

TEST_F(WaitTest, GoesOnWhileTheBooksAreAway) {
  wait_for_end(60s);
  store.are_gone = true;
  pass(1s);
  EXPECT_EQ(ends, 0);
  store.are_gone = false;
  publish(AttemptState::succeeded);
  EXPECT_EQ(end, AttemptState::succeeded);
}

TEST_F(WaitTest, ALookThatIsAnsweredAfterTheEndChangesNothing) {
  wait_for_end(60s);
  clock.at += 1s;
  loop.pass(1s);
  ASSERT_FALSE(turns.waiting.empty()) << "it is looking";
  publish(AttemptState::succeeded);
  EXPECT_EQ(ends, 1);
  settle();
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(loop.timers(), 0U);
}

TEST_F(WaitTest, NewsThatIsTellingItselfWhenTheEndComesIsNotToldAfterIt) {
  // Listens before it, and has more to tell while it is being told.
  bool has_spoken = false;
  engine.hub<Attempt>().listen(attempt_id(1), [&](Attempt const&) {
    if (!std::exchange(has_spoken, true)) publish(AttemptState::succeeded);
  });
  wait_for_end(60s);
  publish(AttemptState::failed);
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(end, AttemptState::succeeded);
}

TEST_F(WaitTest, EndsSoonWhenTheEngineDrainsAndNothingIsUnderWay) {
  wait_for_end(60s);
  begin(2);
  engine.begin_drain();
  pass(1s);
  EXPECT_EQ(ends, 0) << "a call is under way that may bring its end";
  say(Outcome::declined);
  pass(1s);
  EXPECT_EQ(ends, 1);
}

TEST_F(WaitTest, ARefundOrCaptureThatIsNotThereOrCannotBeReadIsWaitedForAllTheSame) {
  int refunds = 0;
  int captures = 0;
  wait_until(
      engine, Refund{.id = refund_id(1), .amount = usd(1)}, 2s, [](Refund const&) { return false; },
      [&refunds](Refund const&) { ++refunds; });
  wait_until(
      engine, Capture{.id = capture_id(1), .amount = usd(1)}, 2s, [](Capture const&) { return false; },
      [&captures](Capture const&) { ++captures; });
  pass(1s);
  EXPECT_EQ(refunds + captures, 0);
  store.are_gone = true;
  pass(1s);
  EXPECT_EQ(refunds, 1);
  EXPECT_EQ(captures, 1);
}

TEST(NeedsNoWaiting, OnlyProcessingAndUnknownDo) {
  for (AttemptState const state : attempt_states)
    EXPECT_EQ(needs_no_waiting(attempt_in(state, 1)),
              state != AttemptState::processing && state != AttemptState::unknown)
        << to_text(state);
}

}  // namespace payonce::test
