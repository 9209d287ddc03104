#include "sandbox/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace payonce::sandbox {

namespace {

std::string why(int error_number) { return std::strerror(error_number); }

// 0, or the error number.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t const written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// A new file is durable only when its name in the folder is.
int sync_folder_of(std::string const& path) {
  std::filesystem::path folder = std::filesystem::path{path}.parent_path();
  if (folder.empty()) folder = ".";
  int const file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return errno;
  int const error_number = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return error_number;
}

std::unexpected<Error> cannot(std::string_view what, std::string const& path, int error_number) {
  return fail(ErrorCode::unavailable,
              fmt::format("cannot {} the sandbox journal {}: {}", what, path, why(error_number)));
}

// Hands over every whole line; the number of bytes they take.
Result<std::uintmax_t> read_lines(std::string const& path, Journal::OnLine const& on_line) {
  std::ifstream input{path, std::ios::binary};
  std::uintmax_t whole_bytes = 0;
  std::size_t line_number = 0;
  for (std::string line; std::getline(input, line);) {
    if (input.eof()) break;  // no line end: torn
    ++line_number;
    if (auto const read = on_line(line); !read)
      return fail(ErrorCode::invalid_request,
                  fmt::format("{}:{}: {}; this is not a sandbox journal, or it was damaged: move it away to start "
                              "with an empty one",
                              path, line_number, read.error().detail));
    whole_bytes += line.size() + 1;
  }
  return whole_bytes;
}

}  // namespace

// The thread that waits for the disk. One text at a time.
class Journal::Writer {
 public:
  using Done = std::function<void(int error_number)>;  // called on the writer's thread

  Writer(int file, Done done) : file_(file), done_(std::move(done)), thread_([this] { run(); }) {}

  // Finishes the text it was given.
  ~Writer() {
    {
      std::scoped_lock lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
    ::close(file_);
  }

  void write(std::string text, bool durable) {
    {
      std::scoped_lock lock(mutex_);
      job_ = Job{std::move(text), durable};
    }
    wake_.notify_one();
  }

  int file() const { return file_; }

 private:
  struct Job {
    std::string text;
    bool durable;
  };

  void run() {
    for (;;) {
      std::optional<Job> job;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return job_ || stop_; });
        if (!job_) return;
        job = std::exchange(job_, std::nullopt);
      }
      int error_number = write_all(file_, job->text);
      if (error_number == 0 && job->durable && ::fdatasync(file_) != 0) error_number = errno;
      done_(error_number);
    }
  }

  int const file_;
  Done const done_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Job> job_;  // guarded by mutex_
  bool stop_ = false;       // guarded by mutex_
  std::thread thread_;      // last: it uses all of the above
};

Result<std::unique_ptr<Journal>> Journal::open(std::string path, Loop& loop, OnLine const& on_line) {
  if (path.empty()) return std::unique_ptr<Journal>{new Journal(loop, -1, {})};
  bool const exists = std::filesystem::exists(path);
  int const file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return cannot("open", path, errno);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    int const error_number = errno;
    ::close(file);
    if (error_number != EWOULDBLOCK) return cannot("lock", path, error_number);
    return fail(
        ErrorCode::unavailable,
        fmt::format("the sandbox journal {} is in use by another sandbox; stop that one or name another file", path));
  }
  auto const whole_bytes = read_lines(path, on_line);
  if (!whole_bytes) {
    ::close(file);
    return std::unexpected(whole_bytes.error());
  }
  int error_number = ::ftruncate(file, static_cast<off_t>(*whole_bytes)) == 0 ? 0 : errno;
  if (error_number == 0 && !exists) error_number = sync_folder_of(path);
  if (error_number != 0) {
    ::close(file);
    return cannot("prepare", path, error_number);
  }
  return std::unique_ptr<Journal>{new Journal(loop, file, std::move(path))};
}

Journal::Journal(Loop& loop, int file, std::string path) : loop_(loop), path_(std::move(path)) {
  if (file < 0) return;
  writer_ = std::make_unique<Writer>(file, [this, alive = std::weak_ptr(alive_)](int error_number) {
    loop_.post([this, alive, error_number] {
      if (!alive.expired()) on_written(error_number);
    });
  });
}

Journal::~Journal() {
  if (!writer_) return;
  int const file = ::dup(writer_->file());
  writer_.reset();  // what flew has landed
  if (!failed_ && file >= 0 && write_all(file, gathering_.text) == 0) ::fdatasync(file);
  if (file >= 0) ::close(file);
}

void Journal::append(std::string_view line, bool durable) {
  if (!writer_ || failed_) return;
  gathering_.text.append(line).push_back('\n');
  gathering_.durable |= durable;
  schedule_flush();
}

void Journal::when_durable(Task task) {
  if (failed_) return;
  if (gathering_.durable)
    gathering_.waiters.push_back(std::move(task));
  else if (flying_.durable)
    flying_.waiters.push_back(std::move(task));
  else
    task();
}

// Not at once: the lines that the rest of this task appends belong to the same group.
void Journal::schedule_flush() {
  if (flush_scheduled_ || is_flying_) return;
  flush_scheduled_ = true;
  loop_.post([this, alive = std::weak_ptr(alive_)] {
    if (!alive.expired()) flush();
  });
}

void Journal::flush() {
  flush_scheduled_ = false;
  if (is_flying_ || gathering_.text.empty()) return;
  is_flying_ = true;
  flying_ = std::exchange(gathering_, Group{});
  writer_->write(std::move(flying_.text), flying_.durable);
}

void Journal::on_written(int error_number) {
  is_flying_ = false;
  Group written = std::exchange(flying_, Group{});
  if (error_number != 0) {
    failed_ = true;
    on_failure_(Error{ErrorCode::unavailable, fmt::format("cannot write the sandbox journal {}: {}; the bank answers "
                                                          "nothing it can't remember",
                                                          path_, why(error_number))});
    return;
  }
  // The next group flies while these are answered.
  flush();
  for (Task& waiter : written.waiters) waiter();
}

}  // namespace payonce::sandbox
