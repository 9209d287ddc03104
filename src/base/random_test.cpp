// A seed is a whole run: the same numbers on every machine and in every release.
#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace payonce {
namespace {

TEST(SeededRandom, GivesTheSameNumbersForEver) {
  // splitmix64's published first outputs for the seeds 0 and 1234567.
  SeededRandom zero{0};
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(zero.next(), 0x06c45d188009454fULL);
  SeededRandom other{1'234'567};
  EXPECT_EQ(other.next(), 6'457'827'717'110'365'317ULL);
  EXPECT_EQ(other.next(), 3'203'168'211'198'807'973ULL);
}

TEST(SeededRandom, StaysBelowTheBound) {
  SeededRandom random{5};
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1'000; ++i) seen.insert(random.below(7));
  EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(random.below(1), 0U);
}

TEST(SystemRandom, DoesNotRepeatItself) {
  SystemRandom random;
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1'000; ++i) seen.insert(random.next());
  EXPECT_EQ(seen.size(), 1'000U);
}

}  // namespace
}  // namespace payonce
