// `payonce states`: the state machines as Mermaid diagrams.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.h"
#include "payment/state_diagram.h"

namespace payonce {

namespace {

int states() {
  std::cout << "%% payments\n"
            << attempt_diagram() << "\n%% captures\n"
            << capture_diagram() << "\n%% refunds\n"
            << refund_diagram();
  return 0;
}

}  // namespace

void add_states(CLI::App& program, Chosen& chosen) {
  program.add_subcommand("states", "Print the states of payments, captures and refunds as Mermaid diagrams")
      ->callback([&chosen] { chosen = states; });
}

}  // namespace payonce
