// `payonce simulate`: runs worlds from seeds and reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace payonce::simulate {

struct SimulationOptions {
  std::uint64_t seed = 1;
  int runs = 1;
  int orders = 200;
  int seconds_max = 0;  // of real time; 0: no limit
  int jobs = 1;         // processes that share the runs; what comes of them is the same
  bool tells_story = false;
  std::vector<std::string> scenarios = {};  // files; they are played instead
};

// Exit statuses.
inline constexpr int simulation_holds = 0;
inline constexpr int simulation_violated = 2;
inline constexpr int simulation_not_settled = 3;
inline constexpr int simulation_broken = 4;

int run_simulation(SimulationOptions const& options);

}  // namespace payonce::simulate
