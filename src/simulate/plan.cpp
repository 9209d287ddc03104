#include "simulate/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "base/random.h"

namespace payonce::simulate {

namespace {

using namespace std::chrono_literals;

Millis between(Random& random, Millis least, Millis most) {
  return least +
         Millis{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>((most - least).count() + 1)))};
}

BankPlan draw_bank(Random& random, std::string_view name, bool is_idempotent, bool close_is_proof) {
  return {.name = std::string{name},
          .is_idempotent = is_idempotent,
          .close_is_proof = close_is_proof,
          .expiry_is_proof = random.below(2) == 0,
          .sends_notices = random.below(4) != 0,
          .key_window = random.below(3) == 0 ? 3min : Millis{24h},
          .request_life = between(random, 5s, 30s),
          .attempt_life = between(random, 1min, 10min),
          .retry_longest = between(random, 5s, 60s),
          .hold_life = between(random, 30s, 5min)};
}

}  // namespace

Plan draw_plan(std::uint64_t seed, int orders) {
  SeededRandom random{seed};
  Plan plan;
  plan.seed = seed;
  // Several processes on one file may tell what is not durable yet; see decision 8.
  plan.defers_durability = random.below(3) == 0;
  plan.nodes = plan.defers_durability ? 1 : 1 + static_cast<int>(random.below(3));
  plan.orders = orders;
  plan.storm = between(random, 20s, 60s);
  plan.releases = random.below(3) == 0;
  plan.banks.push_back(draw_bank(random, "sure", true, true));
  if (random.below(2) == 0) plan.banks.push_back(draw_bank(random, "forgetful", false, true));
  if (random.below(3) == 0) plan.banks.push_back(draw_bank(random, "blunt", false, false));
  plan.has_holds = random.below(2) == 0;
  plan.has_splits = random.below(2) == 0;
  for (std::size_t i = 0; i < trouble_count; ++i) {
    auto const most = static_cast<std::uint64_t>(troubles[i].most_per_mille);
    // Off, rare, or as often as it gets.
    auto const kind = random.below(3);
    auto const drawn = 1 + random.below(kind == 1 ? most / 5 + 1 : most);
    plan.per_mille[i] = kind == 0 ? 0 : static_cast<int>(drawn);
  }
  return plan;
}

std::string describe(Plan const& plan) {
  std::vector<std::string> banks;
  for (BankPlan const& bank : plan.banks)
    banks.push_back(fmt::format("{}{}", bank.name, bank.sends_notices ? "" : " (silent)"));
  std::string text = fmt::format(
      "{} node{}, {}, banks: {}, commits {}{}{}{}", plan.nodes, plan.nodes == 1 ? "" : "s",
      plan.only_order >= 0 ? fmt::format("order {} alone", plan.only_order) : fmt::format("{} orders", plan.orders),
      fmt::join(banks, ", "), plan.defers_durability ? "flushed together" : "flushed one by one",
      plan.releases ? ", replaced payments are released" : "", plan.has_holds ? ", holds" : "",
      plan.has_splits ? ", payments in parts" : "");
  for (TroubleName const& it : troubles)
    if (int const odds = plan.odds_of(it.trouble); odds > 0) text += fmt::format("; {} ({} ‰)", it.name, odds);
  return text;
}

}  // namespace payonce::simulate
