// One of payonce's commands, run in the test's process as the shell runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace payonce::test {

struct Finished {
  int status;
  std::string output;  // both streams
};

// `add` is one of cli/commands.h; the arguments begin with the command's name.
inline Finished run_command(void (*add)(CLI::App&, Chosen&), std::vector<std::string> arguments) {
  CLI::App program;
  Chosen chosen;
  add(program, chosen);
  std::ranges::reverse(arguments);
  program.parse(arguments);
  std::ostringstream text;
  auto* const out = std::cout.rdbuf(text.rdbuf());
  auto* const err = std::cerr.rdbuf(text.rdbuf());
  int const status = chosen();
  std::cout.rdbuf(out);
  std::cerr.rdbuf(err);
  return {status, text.str()};
}

}  // namespace payonce::test
