// `payonce drill`: every failure against real processes.
#include "drill/run_drill.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"

namespace payonce {

void add_drill(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<DrillOptions>();
  auto const is_list = std::make_shared<bool>(false);
  CLI::App* const command =
      program.add_subcommand("drill", "Make everything fail on purpose; see docs/reference/drill.md");
  command->add_option("--only", options->only, "Run this failure alone; may be repeated")->allow_extra_args(false);
  command->add_flag("--list", *is_list, "List the failures and stop");
  command->add_flag("--json", options->as_json, "Print one JSON array");
  command->add_flag("--keep", options->keep_folders, "Keep the folders with databases, ledgers and logs");
  command->add_option("--at-once", options->at_once, "How many failures run at the same time")
      ->check(CLI::Range(1, 64));
  command->add_option("--database", options->database,
                      "postgresql://…: run on PostgreSQL, each failure in a schema of its own");
  command->add_option("--nodes", options->nodes, "Services that share the database")->check(CLI::Range(1, 2));
  command->callback([options, is_list, &chosen] {
    chosen = [options, is_list] {
      if (!*is_list) return run_drill(*options);
      list_drill();
      return 0;
    };
  });
}

}  // namespace payonce
