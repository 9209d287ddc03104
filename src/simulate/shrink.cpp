#include "simulate/shrink.h"

#include <utility>
#include <vector>

namespace payonce::simulate {

namespace {

// Every plan that is one step simpler.
std::vector<Plan> simpler_than(Plan const& plan, int order) {
  std::vector<Plan> simpler;
  auto const add = [&](auto change) {
    Plan next = plan;
    change(next);
    simpler.push_back(std::move(next));
  };
  if (order >= 0 && plan.only_order < 0) add([&](Plan& it) { it.only_order = order; });
  if (plan.nodes > 1) add([](Plan& it) { it.nodes = 1; });
  if (plan.defers_durability) add([](Plan& it) { it.defers_durability = false; });
  for (std::size_t i = 0; i < trouble_count; ++i)
    if (plan.per_mille[i] > 0) add([i](Plan& it) { it.per_mille[i] = 0; });
  return simpler;
}

}  // namespace

Plan shrink(Plan plan, RunResult const& failure, std::string const& folder, int runs_max) {
  int order = failure.order;
  for (bool has_shrunk = true; std::exchange(has_shrunk, false) && runs_max > 0;) {
    for (std::size_t step = 0; runs_max > 0; ++step) {
      auto const candidates = simpler_than(plan, order);
      if (step >= candidates.size()) break;
      --runs_max;
      RunResult const again = run_plan(candidates[step], folder, false);
      if (again.verdict != failure.verdict || again.invariant != failure.invariant) continue;
      plan = candidates[step];
      order = again.order;
      has_shrunk = true;
      --step;  // the candidates behind have moved up
    }
  }
  return plan;
}

}  // namespace payonce::simulate
