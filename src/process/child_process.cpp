#include "process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/clock.h"

extern char** environ;

namespace payonce {

namespace {

using namespace std::chrono_literals;

constexpr Millis look_every = 5ms;

// What posix_spawn needs, freed on every path.
class SpawnSetup {
 public:
  SpawnSetup() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSetup() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(SpawnSetup const&) = delete;
  SpawnSetup& operator=(SpawnSetup const&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

int shell_status(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

Millis since_start() { return std::chrono::duration_cast<Millis>(SystemClock{}.monotonic()); }

}  // namespace

Result<ChildProcess> ChildProcess::start(std::vector<std::string> arguments, Options const& options) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return fail(ErrorCode::unavailable, "no pipe for a child process");
  SpawnSetup setup;
  posix_spawn_file_actions_adddup2(&setup.actions, pipe_ends[1], STDOUT_FILENO);
  if (!options.log_file.empty())
    posix_spawn_file_actions_addopen(&setup.actions, STDERR_FILENO, options.log_file.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (options.own_group) {
    posix_spawnattr_setflags(&setup.attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&setup.attributes, 0);
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t pid = -1;
  int const error = posix_spawnp(&pid, argv[0], &setup.actions, &setup.attributes, argv.data(), environ);
  close(pipe_ends[1]);
  if (error == 0) return ChildProcess{pid, pipe_ends[0]};
  close(pipe_ends[0]);
  return fail(ErrorCode::unavailable, "can't start " + arguments[0] + ": " + std::generic_category().message(error));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      out_(std::exchange(other.out_, -1)),
      buffer_(std::move(other.buffer_)),
      status_(other.status_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  release();
  pid_ = std::exchange(other.pid_, -1);
  out_ = std::exchange(other.out_, -1);
  buffer_ = std::move(other.buffer_);
  status_ = other.status_;
  return *this;
}

ChildProcess::~ChildProcess() { release(); }

void ChildProcess::release() noexcept {
  if (pid_ > 0 && !status_) {
    kill(pid_, SIGKILL);
    reap(0);
  }
  if (out_ >= 0) close(out_);
}

std::optional<std::string> ChildProcess::wait_for_line(std::string_view text, Millis patience) {
  Millis const deadline = since_start() + patience;
  while (true) {
    for (auto end = buffer_.find('\n'); end != std::string::npos; end = buffer_.find('\n')) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (line.contains(text)) return line;
    }
    Millis const left = deadline - since_start();
    pollfd ready{out_, POLLIN, 0};
    if (left <= 0ms || poll(&ready, 1, static_cast<int>(left.count())) <= 0) return std::nullopt;
    char chunk[4096];
    ssize_t const count = read(out_, chunk, sizeof chunk);
    if (count <= 0) return std::nullopt;
    buffer_.append(chunk, static_cast<std::size_t>(count));
  }
}

void ChildProcess::signal(int number) const {
  if (pid_ > 0 && !status_) kill(pid_, number);
}

void ChildProcess::reap(int options) {
  if (status_ || pid_ <= 0) return;
  int status = 0;
  pid_t const ended = waitpid(pid_, &status, options);
  if (ended == pid_) status_ = shell_status(status);
  if (ended < 0 && errno == ECHILD) status_ = 127;
}

bool ChildProcess::is_running() {
  reap(WNOHANG);
  return pid_ > 0 && !status_;
}

std::optional<int> ChildProcess::wait(Millis patience) {
  Millis const deadline = since_start() + patience;
  while (is_running() && since_start() < deadline) poll(nullptr, 0, static_cast<int>(look_every.count()));
  return status_;
}

int ChildProcess::stop(Millis patience) {
  signal(SIGTERM);
  if (auto const status = wait(patience)) return *status;
  signal(SIGKILL);
  reap(0);
  return status_.value_or(128 + SIGKILL);
}

std::string own_program() {
  char path[4096];
  ssize_t const length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string{path, static_cast<std::size_t>(length)} : std::string{"payonce"};
}

}  // namespace payonce
