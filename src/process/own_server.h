// One of our own commands that serve, as a child: for the demo, the drill and the benchmark.
#pragma once

#include <string>
#include <vector>

#include "process/child_process.h"

namespace payonce {

struct OwnServer {
  ChildProcess process;
  std::string url;  // http://ADDRESS:PORT, as it said itself
};

// Starts this program with the arguments, from the command's name on ("serve", "--port", …), and waits until it says
// where it listens. unavailable if it does not within 20 s; its own message is in its log.
Result<OwnServer> start_own_server(std::vector<std::string> arguments, ChildProcess::Options const& options);

}  // namespace payonce
