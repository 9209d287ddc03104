// Visits every state that a scope can reach, nearest first, and looks for a broken invariant and for states from which
// no end can be reached any more.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "check/scope.h"

namespace payonce::check {

struct Bounds {
  std::size_t states_max = 20'000'000;
  unsigned threads = 2;
};

struct Finding {
  std::string broken;              // the invariant, or that there is no way to an end
  std::vector<std::string> story;  // what happened, from the beginning; as short as any
};

struct Exploration {
  Scope const* scope = nullptr;
  std::size_t states = 0;
  std::size_t steps = 0;  // also those to states seen before
  std::size_t depth = 0;
  std::size_t ends = 0;
  bool is_whole = false;               // no state was left out
  std::vector<Finding> findings = {};  // at most one
};

Exploration explore(Scope const& scope, Bounds const& bounds);

}  // namespace payonce::check
