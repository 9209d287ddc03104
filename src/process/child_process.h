// A program started as a child, for the demo, the drill and the benchmark: it never outlives us unnoticed.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace payonce {

class ChildProcess {
 public:
  struct Options {
    std::string log_file;  // where its standard error goes (appended); empty: to ours
    // Its own process group, so that Ctrl-C at the terminal reaches only us and we stop it in our order.
    bool own_group = true;
  };

  // `arguments[0]` is the program. Its standard output comes to us. unavailable if it can't be started.
  static Result<ChildProcess> start(std::vector<std::string> arguments, Options const& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  // Kills it if it still runs.
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  // The first line of standard output that contains `text`; nothing when the child ended or `patience` is over first.
  std::optional<std::string> wait_for_line(std::string_view text, Millis patience);
  void signal(int number) const;
  bool is_running();
  // The exit status as a shell gives it (128 + signal); nothing if it still runs when `patience` is over.
  std::optional<int> wait(Millis patience);
  // SIGTERM, and SIGKILL when that does not end it within `patience`. Returns the exit status.
  int stop(Millis patience);

 private:
  ChildProcess(pid_t pid, int out) : pid_(pid), out_(out) {}
  void reap(int options);
  void release() noexcept;

  pid_t pid_ = -1;
  int out_ = -1;
  std::string buffer_;
  std::optional<int> status_;
};

// The path of the running program, to start it again with another command.
std::string own_program();

}  // namespace payonce
