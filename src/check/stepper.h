// Gathers the steps that lead out of one state. Shared by the files steps*.cpp of this folder only.
#pragma once

#include <fmt/format.h>

#include "check/bank.h"
#include "check/fold.h"
#include "check/laws.h"
#include "check/steps.h"

namespace payonce::check {

// What becomes of a commit.
enum class Fate { whole, calls_not_made, answer_lost };

class Stepper {
 public:
  Stepper(State const& state, Scope const& scope, Terms const& terms, Words words)
      : state(state), scope(scope), terms(terms), order(unfold(state, scope)), words_(words) {}

  State const& state;
  Scope const& scope;
  Terms const& terms;
  Order const order;
  std::vector<Step> steps = {};

  // What happens outside the books. `say` gives the words.
  template <class Say>
  void add(State next, bool is_fair, Say const& say) {
    steps.push_back({canonical(next), is_fair, {}, words_ == Words::with ? say() : std::string{}});
  }

  // A command, committed upon `base`, which is the state with everything else done that belongs to the step. A refused
  // one makes no step.
  template <class Say>
  void commit(Command const& command, State base, bool is_fair, Say const& say) {
    if (!run(command, base, nullptr, nullptr)) return;
    finish(base, is_fair, say);
  }

  // The parts of commit(): false if the command was refused.
  bool run(Command const& command, State& base, NoticeRow const* known, std::vector<ProviderCall>* held_back);
  template <class Say>
  void finish(State const& base, bool is_fair, Say const& say) {
    steps.push_back({canonical(base), is_fair, broken_, words_ == Words::with ? say() : std::string{}});
  }

  // What the provider took of the payment.
  Money taken_of(std::size_t cell) const {
    Money const amount = order.attempts[cell].amount;
    return state.cells[cell].taken == 1 ? Money{half_of(amount), amount.currency} : amount;
  }

  std::string name_of(std::size_t cell) const {
    return fmt::format("payment {} at {}", static_cast<char>('A' + cell), provider_names[state.cells[cell].provider]);
  }

 private:
  void make_calls(State& next, std::vector<ProviderCall> const& calls) const;
  void book_effects(State& next, std::vector<Effect> const& effects);

  Words words_;
  std::string broken_;
};

// By file: steps_shop.cpp, steps_call.cpp, steps_world.cpp.
void add_shop_steps(Stepper& stepper);
void add_call_steps(Stepper& stepper);
void add_world_steps(Stepper& stepper);

}  // namespace payonce::check
