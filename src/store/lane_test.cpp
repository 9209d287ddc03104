// How a lane keeps what waits short: by the pace of its own batches, and without refusing what ends something.
#include "store/lane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

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

// A lane with a thread, for which eight jobs are a good batch; its batches take a while by a clock that stands still
// between them.
class RestingLane : public ::testing::Test {
 protected:
  void submit(int count) {
    for (int job = 0; job < count; ++job) lane.submit(job);
  }
  // The sizes of the batches, once so many jobs are done.
  std::vector<std::size_t> batches(std::size_t jobs) {
    std::unique_lock lock{mutex};
    changed.wait(lock, [&] { return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == jobs; });
    return sizes;
  }

  HandClock clock;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::size_t> sizes;
  std::function<void()> meanwhile = [] {};
  Lane<int> lane{1'000,
                 100,
                 [this](std::vector<int>& batch) {
                   std::exchange(meanwhile, [] {})();
                   clock.passed += 1ms;
                   std::lock_guard const lock{mutex};
                   sizes.push_back(batch.size());
                   changed.notify_one();
                 },
                 nullptr,
                 &clock,
                 8};
};

TEST_F(RestingLane, WhoIsAloneWaitsForNobody) {
  for (std::size_t i = 1; i <= 3; ++i) {
    submit(1);
    EXPECT_EQ(batches(i), std::vector<std::size_t>(i, 1));
  }
}

TEST_F(RestingLane, AfterABatchOfSeveralItGathersSeveral) {
  meanwhile = [this] { submit(2); };
  submit(1);
  EXPECT_EQ(batches(3), (std::vector<std::size_t>{1, 2}));
  for (int i = 0; i < 8; ++i) submit(1);
  EXPECT_EQ(batches(11), (std::vector<std::size_t>{1, 2, 8})) << "it rests, since no time passes, until there are 8";
}

TEST_F(RestingLane, WhatWaitsIsDoneBeforeItStops) {
  meanwhile = [this] { submit(2); };
  submit(1);
  batches(3);
  submit(3);
  lane.stop();
  EXPECT_EQ(batches(6), (std::vector<std::size_t>{1, 2, 3}));
}

}  // namespace
}  // namespace payonce::test
