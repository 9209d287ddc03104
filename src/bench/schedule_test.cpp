#include "bench/schedule.h"

#include <gtest/gtest.h>

namespace payonce::bench {

using namespace std::chrono_literals;

TEST(Schedule, TheyAreDueEvenlyFromTheStart) {
  Schedule schedule{10s, 20s, 4};
  EXPECT_EQ(schedule.take(9999ms), std::nullopt);
  EXPECT_EQ(schedule.next(), 10s);
  EXPECT_EQ(schedule.take(10s), 10s);
  EXPECT_EQ(schedule.next(), 10'250ms);
  EXPECT_EQ(schedule.take(10'249ms), std::nullopt);
  EXPECT_EQ(schedule.take(10'250ms), 10'250ms);
}

TEST(Schedule, AfterAStallEachIsStillDueAtItsOwnTime) {
  Schedule schedule{0s, 10s, 2};
  EXPECT_EQ(schedule.take(1200ms), 0s);
  EXPECT_EQ(schedule.take(1200ms), 500ms);
  EXPECT_EQ(schedule.take(1200ms), 1s);
  EXPECT_EQ(schedule.take(1200ms), std::nullopt);
}

TEST(Schedule, ARateThatDividesNoSecondLosesNothing) {
  Schedule schedule{0s, 60s, 7'001};
  std::int64_t count = 0;
  while (schedule.take(1h)) ++count;
  EXPECT_EQ(count, 60 * 7'001);
  EXPECT_EQ(schedule.next(), std::nullopt);
}

TEST(Schedule, NothingIsDueAtItsEnd) {
  Schedule schedule{0s, 1s, 1};
  EXPECT_EQ(schedule.take(5s), 0s);
  EXPECT_EQ(schedule.next(), std::nullopt);
  EXPECT_EQ(schedule.take(5s), std::nullopt);
}

}  // namespace payonce::bench
