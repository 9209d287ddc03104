// What one run of the simulator is made of: all of it follows from a seed, and a failing run is made smaller by editing
// it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "simulate/trouble.h"

namespace payonce::simulate {

struct BankPlan {
  std::string name;
  bool is_idempotent = true;  // the same number twice is one charge, for key_window
  bool close_is_proof = true;
  bool expiry_is_proof = false;
  bool sends_notices = true;
  Millis key_window{0};
  Millis request_life{0};
  Millis attempt_life{0};
  Millis retry_longest{0};
  Millis hold_life{0};
};

struct Plan {
  std::uint64_t seed = 0;
  int nodes = 1;
  int orders = 0;
  int only_order = -1;  // the others never come; -1: all come
  Millis storm{0};      // how long buyers come and everything may fail
  bool defers_durability = false;
  bool releases = false;    // SwitchMode::release
  bool has_holds = false;   // of some orders the money is held first
  bool has_splits = false;  // some orders are paid in two parts
  std::vector<BankPlan> banks;
  std::array<int, trouble_count> per_mille{};

  int odds_of(Trouble trouble) const { return per_mille[static_cast<std::size_t>(trouble)]; }
};

Plan draw_plan(std::uint64_t seed, int orders);

// For people: the settings, and the troubles there are.
std::string describe(Plan const& plan);

}  // namespace payonce::simulate
