// `payonce bench fill|start|recovery|effects|waits`: what is measured once, and not as a stream of requests.
#pragma once

#include "cli/commands.h"

namespace payonce {

void add_bench_parts(CLI::App& bench, Chosen& chosen);

}  // namespace payonce
