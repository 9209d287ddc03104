#include "worker/overlap.h"

#include <gtest/gtest.h>

#include <memory>

namespace payonce {

TEST(Overlap, TheNextRoundBeginsAtOnceWhileThereIsRoom) {
  Overlap rounds{2};
  int asked = 0;
  EXPECT_FALSE(rounds.is_busy());
  rounds.begin();
  rounds.when_room([&] { ++asked; });
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(rounds.is_busy());
  rounds.end();
  EXPECT_FALSE(rounds.is_busy());
}

TEST(Overlap, AtItsBoundTheNextOneWaitsUntilAnyRoundEnds) {
  Overlap rounds{2};
  int asked = 0;
  rounds.begin();
  rounds.begin();
  rounds.when_room([&] {
    ++asked;
    rounds.begin();
  });
  EXPECT_EQ(asked, 0);
  rounds.end();
  EXPECT_EQ(asked, 1);
  rounds.end();
  EXPECT_EQ(asked, 1) << "once only";
  EXPECT_TRUE(rounds.is_busy()) << "the one that began meanwhile";
  rounds.end();
  EXPECT_FALSE(rounds.is_busy());
}

TEST(Overlap, GivenUpItHoldsNothing) {
  Overlap rounds{1};
  auto const held = std::make_shared<int>(0);
  rounds.begin();
  rounds.when_room([held] { FAIL() << "it was given up"; });
  EXPECT_EQ(held.use_count(), 2);
  rounds.give_up();
  EXPECT_EQ(held.use_count(), 1);
  rounds.end();
}

TEST(Overlap, OneRoundAtOnceIsNoOverlap) {
  Overlap rounds{1};
  bool is_asked = false;
  rounds.begin();
  rounds.when_room([&] { is_asked = true; });
  EXPECT_FALSE(is_asked);
  rounds.end();
  EXPECT_TRUE(is_asked);
}

}  // namespace payonce
