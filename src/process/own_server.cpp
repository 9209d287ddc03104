#include "process/own_server.h"

#include <fmt/format.h>

namespace payonce {

namespace {

constexpr Millis start_patience{20'000};

}  // namespace

Result<OwnServer> start_own_server(std::vector<std::string> arguments, ChildProcess::Options const& options) {
  std::string const command = arguments.front();
  arguments.insert(arguments.begin(), own_program());
  auto process = ChildProcess::start(std::move(arguments), options);
  if (!process) return std::unexpected(process.error());
  auto const line = process->wait_for_line(" on http://", start_patience);
  if (!line)
    return fail(ErrorCode::unavailable, fmt::format("payonce {} did not start; its message is {}", command,
                                                    options.log_file.empty() ? "above" : "in " + options.log_file));
  return OwnServer{std::move(*process), line->substr(line->find("http://"))};
}

}  // namespace payonce
