// The program around its commands: reads the command line and runs what it names.
#pragma once

#include <functional>

#include "cli/commands.h"

namespace payonce {

// The exit status. `extend` may add to the program before its command line is read.
int run_program(int argc, char** argv, std::function<void(CLI::App&, Chosen&)> const& extend = {});

}  // namespace payonce
