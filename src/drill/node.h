// One `payonce serve` as a process of its own.
#pragma once

#include <optional>
#include <string>

#include "process/child_process.h"

namespace payonce::drill {

class Node {
 public:
  Node(std::string config_path, std::string log_path)
      : config_path_(std::move(config_path)), log_path_(std::move(log_path)) {}

  // Throws ScenarioFailed if it does not come up. `crash_at`: where it is to die as by kill -9, or empty.
  void start(std::string const& crash_at = {});
  // SIGKILL, now.
  void kill_now();
  // Ends as failed unless it dies by SIGKILL.
  void wait_until_killed();
  // SIGTERM; ends as failed unless it then ends well by itself.
  void stop();
  bool is_running() { return process_ && process_->is_running(); }

  // Changes with every start.
  std::string const& url() const { return url_; }

 private:
  std::string const config_path_;
  std::string const log_path_;
  std::string url_;
  std::optional<ChildProcess> process_;
};

}  // namespace payonce::drill
