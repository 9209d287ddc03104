#include "worker/periodic.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/manual_loop.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;
using Next = std::move_only_function<void(bool)>;

// Counts rounds and ends them when the test says so.
struct Rounds {
  test::ManualLoop loop;
  int begun = 0;
  std::optional<Next> open;
  Periodic job{loop, 100ms, [this](Next next) {
                 ++begun;
                 open = std::move(next);
               }};

  void end(bool has_more) {
    Next next = std::move(*open);
    open.reset();
    next(has_more);
  }
};

}  // namespace

TEST(Periodic, ARoundFollowsAfterThePause) {
  Rounds rounds;
  rounds.job.start();
  EXPECT_EQ(rounds.begun, 1);
  rounds.end(false);
  rounds.loop.pass(99ms);
  EXPECT_EQ(rounds.begun, 1);
  rounds.loop.pass(1ms);
  EXPECT_EQ(rounds.begun, 2);
}

TEST(Periodic, AtOnceWhileThereIsMore) {
  Rounds rounds;
  rounds.job.start();
  for (int i = 2; i < 5; ++i) {
    rounds.end(true);
    EXPECT_EQ(rounds.begun, i - 1) << "not inside the last round's callback";
    rounds.loop.run_posted();
    EXPECT_EQ(rounds.begun, i);
  }
}

TEST(Periodic, NoTwoRoundsAtOnce) {
  Rounds rounds;
  rounds.job.start();
  EXPECT_TRUE(rounds.job.is_running_a_round());
  rounds.loop.pass(10s);
  EXPECT_EQ(rounds.begun, 1);
  rounds.end(false);
  EXPECT_FALSE(rounds.job.is_running_a_round());
}

TEST(Periodic, NoRoundBeginsAfterStop) {
  Rounds waiting;
  waiting.job.start();
  waiting.end(false);
  waiting.job.stop();
  EXPECT_EQ(waiting.loop.timers(), 0u);
  waiting.loop.pass(10s);
  EXPECT_EQ(waiting.begun, 1);

  Rounds running;
  running.job.start();
  running.job.stop();
  EXPECT_TRUE(running.job.is_running_a_round());
  running.end(true);
  running.job.stop();
  running.loop.pass(10s);
  EXPECT_EQ(running.begun, 1);
  EXPECT_FALSE(running.job.is_running_a_round());

  Rounds never;
  never.job.stop();
}

TEST(Periodic, ARoundMayEndAfterItsJobIsGone) {
  test::ManualLoop loop;
  std::optional<Next> open;
  int begun = 0;
  {
    Periodic job{loop, 100ms, [&](Next next) {
                   ++begun;
                   open = std::move(next);
                 }};
    job.start();
  }
  (*open)(true);
  loop.pass(10s);
  EXPECT_EQ(begun, 1);
}

}  // namespace payonce
