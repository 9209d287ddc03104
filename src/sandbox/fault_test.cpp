#include "sandbox/fault.h"

#include <gtest/gtest.h>

#include <map>

namespace payonce::sandbox {
namespace {

using namespace std::chrono_literals;

TEST(Fault, names_are_read_back) {
  for (Call const call : calls) EXPECT_EQ(parse_call(to_text(call)), call);
  for (auto const fault : {Fault::none, Fault::drop_before, Fault::restart, Fault::early, Fault::unknown_number})
    EXPECT_EQ(parse_fault(to_text(fault)), fault);
  EXPECT_EQ(to_text(Fault::none), "");
  EXPECT_EQ(to_text(Fault::ten_parallel), "ten_parallel");
  EXPECT_EQ(parse_fault("explode"), std::nullopt);
  EXPECT_EQ(parse_call("explode"), std::nullopt);
}

TEST(Fault, each_applies_where_it_makes_sense) {
  EXPECT_TRUE(applies(Fault::drop_after, Call::query_refund));
  EXPECT_TRUE(applies(Fault::late, Call::create));
  EXPECT_TRUE(applies(Fault::late, Call::notice));
  EXPECT_FALSE(applies(Fault::drop_after, Call::notice));
  EXPECT_FALSE(applies(Fault::twice, Call::create));
  EXPECT_TRUE(applies(Fault::decline, Call::refund));
  EXPECT_FALSE(applies(Fault::decline, Call::query));
  for (Call const call : calls) EXPECT_FALSE(applies(Fault::none, call));
}

TEST(FaultPlan, a_queued_fault_hits_so_many_calls_of_its_kind_and_order) {
  FaultPlan plan;
  ASSERT_TRUE(plan.add({.call = Call::create, .fault = Fault::drop_after, .order = "A1", .times = 2}));
  ASSERT_TRUE(plan.add({.call = Call::create, .fault = Fault::late, .delay = 7ms}));
  EXPECT_EQ(plan.draw(Call::query, "A1").fault, Fault::none);
  EXPECT_EQ(plan.draw(Call::create, "A1").fault, Fault::drop_after);
  auto const any_order = plan.draw(Call::create, "A2");
  EXPECT_EQ(any_order.fault, Fault::late);
  EXPECT_EQ(any_order.delay, 7ms);
  EXPECT_EQ(plan.draw(Call::create, "A2").fault, Fault::none);
  EXPECT_EQ(plan.draw(Call::create, "A1").fault, Fault::drop_after);
  EXPECT_EQ(plan.draw(Call::create, "A1").fault, Fault::none);
  EXPECT_TRUE(plan.queue().empty());
}

TEST(FaultPlan, what_does_not_fit_is_refused) {
  FaultPlan plan;
  EXPECT_FALSE(plan.add({.call = Call::notice, .fault = Fault::drop_after}));
  EXPECT_FALSE(plan.add({.call = Call::create, .fault = Fault::late, .times = 0}));
  EXPECT_FALSE(plan.set_rates({.rates = {{Call::query, Fault::twice, 1}}}));
  EXPECT_FALSE(
      plan.set_rates({.rates = {{Call::create, Fault::late, 600'000}, {Call::create, Fault::decline, 400'001}}}));
  EXPECT_TRUE(plan.set_rates({.rates = {{Call::create, Fault::late, 600'000}, {Call::query, Fault::late, 600'000}}}));
}

TEST(FaultPlan, clearing_leaves_the_rates) {
  FaultPlan plan;
  ASSERT_TRUE(plan.add({.call = Call::create, .fault = Fault::drop_after}));
  ASSERT_TRUE(plan.set_rates({.rates = {{Call::create, Fault::decline, 1'000'000}}}));
  plan.clear();
  EXPECT_EQ(plan.draw(Call::create, "A1").fault, Fault::decline);
}

std::vector<Fault> draws(FaultPlan& plan, std::string_view order, int count) {
  std::vector<Fault> faults;
  for (int i = 0; i < count; ++i) faults.push_back(plan.draw(Call::create, order).fault);
  return faults;
}

TEST(FaultPlan, rates_repeat_from_their_seed_however_orders_interleave) {
  FaultRates const rates{.seed = 7,
                         .rates = {{Call::create, Fault::drop_after, 300'000}, {Call::create, Fault::late, 300'000}}};
  FaultPlan plan;
  ASSERT_TRUE(plan.set_rates(rates));
  auto const alone = draws(plan, "A1", 50);
  ASSERT_TRUE(plan.set_rates(rates));
  std::vector<Fault> among_others;
  for (int i = 0; i < 50; ++i) {
    plan.draw(Call::create, "A2");
    plan.draw(Call::query, "A1");
    among_others.push_back(plan.draw(Call::create, "A1").fault);
  }
  EXPECT_EQ(among_others, alone);

  FaultRates other_seed = rates;
  other_seed.seed = 8;
  ASSERT_TRUE(plan.set_rates(other_seed));
  EXPECT_NE(draws(plan, "A1", 50), alone);
}

TEST(FaultPlan, rates_are_met) {
  FaultPlan plan;
  ASSERT_TRUE(plan.set_rates(
      {.seed = 1, .rates = {{Call::create, Fault::drop_after, 50'000}, {Call::create, Fault::late, 200'000}}}));
  std::map<Fault, int> counts;
  for (int i = 0; i < 20'000; ++i) ++counts[plan.draw(Call::create, "A" + std::to_string(i)).fault];
  EXPECT_NEAR(counts[Fault::drop_after], 1'000, 150);  // about 5 standard deviations
  EXPECT_NEAR(counts[Fault::late], 4'000, 300);
  EXPECT_EQ(plan.draw(Call::query, "A1").fault, Fault::none);
}

}  // namespace
}  // namespace payonce::sandbox
