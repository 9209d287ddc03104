// `payonce sandbox`: the sandbox bank as a process of its own.
#pragma once

#include "sandbox/options.h"

namespace payonce {

// Prints "sandbox provider on http://…" to standard output once it listens, and runs until SIGINT or SIGTERM.
// 0 after a clean stop; 1, with a sentence on standard error, if it can't start or can't write its journal.
int run_sandbox(SandboxOptions const& options);

}  // namespace payonce
