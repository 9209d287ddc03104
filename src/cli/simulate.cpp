// `payonce simulate`: the whole service in one thread under virtual time, with everything around it failing by a seed.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "simulate/run_simulation.h"

namespace payonce {

void add_simulate(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<simulate::SimulationOptions>();
  CLI::App* const command = program.add_subcommand(
      "simulate", "Run simulated shops in which everything fails; see docs/reference/simulate.md");
  command->add_option("--seed", options->seed, "The first run's seed; the next runs have the numbers behind it");
  command->add_option("--runs", options->runs, "How many runs")->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--orders", options->orders, "Orders of each run")->check(CLI::Range(1, 100'000));
  command->add_option("--seconds", options->seconds_max, "Begin no run after so many seconds")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--jobs", options->jobs, "Processes that share the runs; what comes of them is the same")
      ->check(CLI::Range(1, 256));
  command->add_option("--scenario", options->scenarios, "Play this story from a file; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--story", options->tells_story, "Tell everything that happens");
  command->callback([options, &chosen] { chosen = [options] { return simulate::run_simulation(*options); }; });
}

}  // namespace payonce
