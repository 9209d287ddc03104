// The file that makes the sandbox bank remember: lines appended for ever, forced to disk in groups, read at start.
// Not for: what a line means (record.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/loop.h"

namespace payonce::sandbox {

class Journal {
 public:
  using OnLine = std::function<Result<void>(std::string_view line)>;
  using OnFailure = std::function<void(Error const&)>;

  // Opens the file, or creates it, and hands every line to `on_line`. A last line without its end is what a crash in
  // the middle of a write leaves; nobody was answered on its strength, and it is cut off. An empty path gives a
  // journal that keeps nothing, for runs that need no memory.
  // unavailable: the file can't be opened, or another process has it. invalid_request: `on_line` refused a line; the
  // detail names file and line.
  static Result<std::unique_ptr<Journal>> open(std::string path, Loop& loop, OnLine const& on_line);

  // Writes out what was appended. Tasks that still wait do not run.
  ~Journal();
  Journal(Journal const&) = delete;
  Journal& operator=(Journal const&) = delete;

  // All on the loop thread.

  // Adds a line, given without its end. `durable`: when_durable waits for it.
  void append(std::string_view line, bool durable);
  // Runs the task once every durable line appended so far is on disk: at once if it is.
  void when_durable(Task task);
  // Called once, on the loop, if the disk fails; nothing becomes durable from then on.
  void on_failure(OnFailure on_failure) { on_failure_ = std::move(on_failure); }

 private:
  class Writer;
  // Lines that go to disk together, and who waits for them.
  struct Group {
    std::string text;
    bool durable = false;
    std::vector<Task> waiters;
  };

  Journal(Loop& loop, int file, std::string path);
  void schedule_flush();
  void flush();
  void on_written(int error_number);

  Loop& loop_;
  std::string const path_;
  std::unique_ptr<Writer> writer_;  // none for a journal that keeps nothing
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  OnFailure on_failure_ = [](Error const&) {};
  Group gathering_;
  Group flying_;
  bool flush_scheduled_ = false;
  bool is_flying_ = false;
  bool failed_ = false;
};

}  // namespace payonce::sandbox
