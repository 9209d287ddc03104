#include "drill/node.h"

#include <fmt/format.h>

#include <csignal>

#include "drill/patience.h"
#include "process/own_server.h"

namespace payonce::drill {

using namespace std::chrono_literals;

void Node::start(std::string const& crash_at) {
  std::vector<std::string> arguments{"serve", "--config", config_path_, "--port", "0"};
  if (!crash_at.empty()) arguments.insert(arguments.end(), {"--crash-at", crash_at});
  process_.reset();
  auto started = start_own_server(std::move(arguments), {.log_file = log_path_});
  expect(started.has_value(), fmt::format("the service comes up; see {}", log_path_));
  url_ = std::move(started->url);
  process_ = std::move(started->process);
}

void Node::kill_now() {
  process_->signal(SIGKILL);
  wait_until_killed();
}

void Node::wait_until_killed() {
  wait_for("the service dies", [&] { return !process_->is_running(); });
  expect(process_->wait(0ms) == 128 + SIGKILL, "the service died by SIGKILL");
}

void Node::stop() {
  expect(process_->is_running(), "the service still runs");
  expect(process_->stop(25s) == 0, "the service stops cleanly on SIGTERM");
}

}  // namespace payonce::drill
