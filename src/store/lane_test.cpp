// How a lane keeps what waits short: by the pace of its own batches, and without refusing what ends something.
#include "store/lane.h"

#include <gtest/gtest.h>

#include "support/hand_turns.h"

namespace payonce::test {
namespace {

using namespace std::chrono_literals;

class LaneTest : public ::testing::Test {
 protected:
  static constexpr std::size_t queue_max = 1'000;
  static constexpr std::size_t batch_max = 10;

  // How many of `count` jobs are taken.
  std::size_t submit(std::size_t count, Admission admission) {
    std::size_t taken = 0;
    for (std::size_t i = 0; i < count; ++i) {
      int job = 0;
      taken += lane.submit(job, admission);
    }
    return taken;
  }
  // Full batches that take as long as the lane's pace says.
  void work_off(int batches) {
    for (int i = 0; i < batches; ++i) {
      submit(batch_max, Admission::if_room);
      turns.take_all();
    }
  }

  HandClock clock;
  HandTurns turns;
  std::chrono::nanoseconds pace = 1ms;
  std::size_t done = 0;
  std::function<void()> meanwhile = [] {};
  Lane<int> lane{queue_max, batch_max,
                 [this](std::vector<int>& batch) {
                   clock.passed += pace;
                   done += batch.size();
                   std::exchange(meanwhile, [] {})();
                 },
                 &turns, &clock};
};

TEST_F(LaneTest, WhatItKeepsUpWithIsAllTaken) {
  work_off(20);
  EXPECT_EQ(submit(queue_max, Admission::if_soon), queue_max);
  EXPECT_EQ(submit(1, Admission::if_room), 0U) << "the queue is full";
}

TEST_F(LaneTest, ASlowOneTakesASecondsWorkAndWhateverEndsSomething) {
  pace = 100ms;  // a hundred jobs a second
  work_off(40);
  std::size_t const taken = submit(queue_max, Admission::if_soon);
  EXPECT_GE(taken, 90U);
  EXPECT_LE(taken, 110U);
  EXPECT_EQ(submit(300, Admission::if_room), 300U);
  EXPECT_EQ(submit(queue_max, Admission::if_room), queue_max - taken - 300);
}

TEST_F(LaneTest, WhatWasTakenIsDoneAndThenAllIsTakenAgain) {
  pace = 100ms;
  work_off(40);
  std::size_t const before = done;
  std::size_t const taken = submit(queue_max, Admission::if_soon);
  pace = 1ms;
  turns.take_all();
  EXPECT_EQ(done - before, taken);
  submit(1, Admission::if_soon);
  turns.take_all();
  EXPECT_EQ(submit(queue_max, Admission::if_soon), queue_max) << "a batch that was not full took all there was";
}

TEST_F(LaneTest, ASlowLaneStillFillsItsBatches) {
  pace = 60s;
  work_off(40);
  EXPECT_EQ(submit(queue_max, Admission::if_soon), batch_max);
}

TEST_F(LaneTest, WhileABatchIsStuckNothingNewIsTaken) {
  std::size_t soon = 0;
  std::size_t room = 0;
  meanwhile = [&] {
    clock.passed += 10s;
    soon = submit(50, Admission::if_soon);
    room = submit(50, Admission::if_room);
  };
  submit(1, Admission::if_soon);
  turns.take_all();
  EXPECT_EQ(soon, 1U);
  EXPECT_EQ(room, 50U);
  EXPECT_EQ(done, 52U);
  EXPECT_EQ(submit(50, Admission::if_soon), 50U) << "at once when it goes on";
}

TEST_F(LaneTest, WithoutAClockOnlyTheQueueCounts) {
  Lane<int> plain{queue_max, batch_max, [this](std::vector<int>&) { clock.passed += 60s; }, &turns};
  int job = 0;
  for (std::size_t i = 0; i < queue_max; ++i) EXPECT_TRUE(plain.submit(job, Admission::if_soon));
  EXPECT_FALSE(plain.submit(job, Admission::if_room));
  turns.take_all();
}

}  // namespace
}  // namespace payonce::test
