#include "cli/program.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace payonce {

int run_program(int argc, char** argv, std::function<void(CLI::App&, Chosen&)> const& extend) {
  CLI::App program{"payonce charges an order at most once, however often anyone retries."};
  program.require_subcommand(1);
  Chosen chosen;
  for (auto const add :
       {add_serve, add_key, add_demo, add_sandbox, add_bench, add_drill, add_verify, add_explain, add_ledger,
        add_reconcile, add_states, add_copy, add_archive, add_doctor, add_check, add_simulate})
    add(program, chosen);
  if (extend) extend(program, chosen);
  try {
    program.parse(argc, argv);
    return chosen();
  } catch (const CLI::ParseError& error) {
    return program.exit(error);
  } catch (std::exception const& error) {
    std::cerr << "payonce: " << error.what() << '\n';
    return 1;
  }
}

}  // namespace payonce
