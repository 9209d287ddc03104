#include "simulate/stage.h"

#include <charconv>

namespace payonce::simulate {

namespace {

// 2026-01-01. Any moment would do.
constexpr Time start_of_time{Millis{1'767'225'600'000}};

}  // namespace

Stage::Stage(Plan plan_in, bool keeps_story)
    : plan(std::move(plan_in)), chronicle(keeps_story), chance(SeededRandom{plan.seed ^ 0x5eed}.next()) {
  for (int i = 0; i < plan.orders; ++i)
    order_chances_.emplace_back(SeededRandom{plan.seed * 1'000'003 + static_cast<std::uint64_t>(i)}.next());
}

bool Stage::happens(Trouble trouble, Random& random) {
  if (is_calm_) return false;
  auto const index = static_cast<std::size_t>(trouble);
  bool const is_forced = forced_[index] > 0;
  if (is_forced) --forced_[index];
  bool const does = static_cast<int>(random.below(1000)) < plan.odds_of(trouble) || is_forced;
  if (does) ++happened[index];
  return does;
}

Random& Stage::chance_of(int order) { return order < 0 ? chance : order_chances_[static_cast<std::size_t>(order)]; }

Millis Stage::between(Millis least, Millis most, int order) {
  auto const width = static_cast<std::uint64_t>((most - least).count() + 1);
  return least + Millis{static_cast<std::int64_t>(chance_of(order).below(width))};
}

void Stage::accuse(int invariant, int order, std::string fact) {
  tell(order, "VIOLATION of invariant {}: {}", invariant, fact);
  if (!violation_) violation_ = Violation{invariant, order, std::move(fact)};
}

Time Stage::wall_time() const { return start_of_time + std::chrono::floor<Millis>(agenda.now()); }

std::string Stage::order_name(int order) { return fmt::format("order-{}", order); }

int Stage::order_of(std::string_view order_name) {
  std::string_view const prefix = "order-";
  int order = Chronicle::everyone;
  if (order_name.starts_with(prefix)) {
    order_name.remove_prefix(prefix.size());
    std::from_chars(order_name.data(), order_name.data() + order_name.size(), order);
  }
  return order;
}

}  // namespace payonce::simulate
