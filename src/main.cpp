// The program: finds the command and runs it.
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/commands.h"

int main(int argc, char** argv) {
  using namespace payonce;
  CLI::App program{"payonce charges an order at most once, however often anyone retries."};
  program.require_subcommand(1);
  Chosen chosen;
  for (auto const add : {add_serve, add_key, add_demo, add_sandbox, add_bench, add_drill, add_verify, add_explain,
                         add_ledger, add_states, add_copy, add_doctor, add_simulate})
    add(program, chosen);
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
