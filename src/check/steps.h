// Everything that can happen next in a state: commands through the production rules, calls that arrive, are answered or
// lost, the provider's own doings, crashes, and time.
#pragma once

#include <string>
#include <vector>

#include "check/scope.h"
#include "check/snapshot.h"

namespace payonce::check {

struct Step {
  State next;  // canonical
  // Nobody chose it and nothing failed: what happens when people wait and the line is good.
  bool is_fair = false;
  std::string broken = {};  // the invariant that this step breaks
  std::string words = {};   // what happened, if words were asked for
};

enum class Words { with, without };

// In the same order each time. `broken` is set to the invariant that the state itself breaks, if any.
std::vector<Step> steps_from(State const& state, Scope const& scope, Terms const& terms, Words words,
                             std::string& broken);

State first_state(Scope const& scope);

}  // namespace payonce::check
