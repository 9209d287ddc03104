// The simulator itself: it repeats from its seed, its disk forgets, and it makes failures smaller.
#include "simulate/run.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "simulate/crew.h"
#include "simulate/shrink.h"
#include "store/sqlite/memory_disk.h"
#include "store/sqlite/sqlite_store.h"

namespace payonce::simulate {
namespace {

constexpr int few_orders = 12;

std::string const folder = testing::TempDir();

}  // namespace

TEST(Simulation, TheSameSeedTellsTheSameStory) {
  for (std::uint64_t seed : {1, 2, 3}) {
    Plan const plan = draw_plan(seed, few_orders);
    RunResult const first = run_plan(plan, folder, false);
    RunResult const second = run_plan(plan, folder, true);
    EXPECT_EQ(first.trace_hash, second.trace_hash) << describe(plan);
    EXPECT_FALSE(second.story.empty());
    EXPECT_NE(first.trace_hash, run_plan(draw_plan(seed + 1000, few_orders), folder, false).trace_hash);
  }
}

TEST(Simulation, HoldsForAFewSeeds) {
  std::uint64_t payments = 0;
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    RunResult const result = run_plan(draw_plan(seed, few_orders), folder, false);
    EXPECT_EQ(result.verdict, Verdict::holds) << "seed " << seed << ": " << result.what;
    payments += result.deeds.payments;
  }
  EXPECT_GT(payments, 60U);
}

TEST(Simulation, SeveralProcessesBringTheSameTalliesInTheSameOrder) {
  constexpr int runs = 5;
  auto const work = [](int run) -> Tally {
    return run_plan(draw_plan(static_cast<std::uint64_t>(run), few_orders), folder, false);
  };
  Crew alone{1, runs, work};
  Crew three{3, runs, work};
  for (int run = 0; run < runs; ++run) {
    auto const tally = three.next();
    ASSERT_TRUE(tally) << run;
    EXPECT_EQ(tally->trace_hash, alone.next()->trace_hash) << run;
  }
}

TEST(Simulation, AProcessThatDiesOverARunIsNoticedThere) {
  Crew crew{2, 6, [](int run) -> Tally {
              if (run == 3) std::_Exit(1);
              Tally tally;
              tally.trace_hash = static_cast<std::uint64_t>(run);
              return tally;
            }};
  for (std::uint64_t run = 0; run < 3; ++run) EXPECT_EQ(crew.next()->trace_hash, run);
  EXPECT_FALSE(crew.next());
}

TEST(Simulation, EveryTroubleIsDrawnAndIsAlsoLeftOut) {
  std::array<int, trouble_count> with{};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Plan const plan = draw_plan(seed, few_orders);
    for (std::size_t i = 0; i < trouble_count; ++i) with[i] += plan.per_mille[i] > 0 ? 1 : 0;
  }
  for (std::size_t i = 0; i < trouble_count; ++i) {
    EXPECT_GT(with[i], 20) << troubles[i].name;
    EXPECT_LT(with[i], 55) << troubles[i].name;
  }
}

}  // namespace payonce::simulate
