#include "engine/wait.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "net/asio_loop.h"
#include "store/sqlite/sqlite_store.h"
#include "support/rules_world.h"

namespace payonce {

namespace {

bool has_ended(Attempt const& attempt) { return !is_watched(attempt.state); }

std::unique_ptr<Store> open_new(std::string const& path) {
  std::filesystem::remove(path);
  auto store = std::move(*open_sqlite(path));
  EXPECT_TRUE(store->migrate());
  return store;
}

// An engine over an empty database: what it is told is all there is.
class WaitTest : public testing::Test {
 protected:
  ~WaitTest() override {
    committer.stop();
    reads.stop();
    std::filesystem::remove(path);
  }

  void begin(Millis wait) {
    wait_until(engine, attempt_in(AttemptState::processing, 1), wait, has_ended, [this](Attempt now) {
      ++calls;
      end = now.state;
      loop.stop();
    });
  }

  std::string const path = testing::TempDir() + "wait_" + std::to_string(::getpid()) + ".db";
  AsioLoop loop;
  SystemClock clock;
  SystemRandom random;
  std::unique_ptr<Store> store = open_new(path);
  TestTerms terms;
  Providers providers;
  Metrics metrics;
  FaultPoints fault_points;
  ReadLane reads{*store, loop};
  Committer committer{*store, terms, clock, loop};
  Engine engine{{loop, clock, random, committer, reads, providers, metrics, fault_points}};
  int calls = 0;
  std::optional<AttemptState> end;
};

}  // namespace

TEST_F(WaitTest, NothingToWaitForIsAnsweredAtOnce) {
  begin(0ms);
  EXPECT_EQ(calls, 1);
  wait_until(engine, attempt_in(AttemptState::failed, 1), 60s, has_ended, [this](Attempt const&) { ++calls; });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(engine.hub<Attempt>().listeners(), 0u);
}

TEST_F(WaitTest, EndsAtTheChangeThatIsEnough) {
  begin(60s);
  engine.hub<Attempt>().publish(attempt_in(AttemptState::unknown, 1));
  engine.hub<Attempt>().publish(attempt_in(AttemptState::succeeded, 2));
  EXPECT_EQ(calls, 0);
  engine.hub<Attempt>().publish(attempt_in(AttemptState::succeeded, 1));
  EXPECT_EQ(end, AttemptState::succeeded);
  engine.hub<Attempt>().publish(attempt_in(AttemptState::succeeded, 1));
  EXPECT_EQ(calls, 1) << "only once";
  EXPECT_EQ(engine.hub<Attempt>().listeners(), 0u);
}

TEST_F(WaitTest, EndsAtItsTimeWithWhatItLastSaw) {
  auto const started = clock.monotonic();
  begin(50ms);
  engine.hub<Attempt>().publish(attempt_in(AttemptState::unknown, 1));
  loop.run();
  EXPECT_EQ(end, AttemptState::unknown);
  EXPECT_GE(clock.monotonic() - started, 50ms);
  EXPECT_EQ(engine.hub<Attempt>().listeners(), 0u);
}

TEST_F(WaitTest, EndsSoonWhenTheEngineDrainsAndNothingIsUnderWay) {
  auto const started = clock.monotonic();
  begin(60s);
  engine.begin_drain();
  loop.run();
  EXPECT_EQ(calls, 1);
  EXPECT_LT(clock.monotonic() - started, 10s);
}

TEST(NeedsNoWaiting, OnlyProcessingAndUnknownDo) {
  for (AttemptState const state : attempt_states)
    EXPECT_EQ(needs_no_waiting(attempt_in(state, 1)),
              state != AttemptState::processing && state != AttemptState::unknown)
        << to_text(state);
}

}  // namespace payonce
