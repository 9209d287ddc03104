// A disk in memory for simulations: it forgets what was not synced when the power fails, and frees the locks of a
// process that dies. While it lives, SQLite keeps all files of one folder on it. One thread.
// Not for: anything that must last.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/random.h"

namespace payonce::sqlite {

class MemoryDisk {
 public:
  using Process = std::uint64_t;

  // The folder must exist; nothing of SQLite's is written into it. At most one disk at a time.
  explicit MemoryDisk(std::string folder);
  ~MemoryDisk();
  MemoryDisk(MemoryDisk const&) = delete;
  MemoryDisk& operator=(MemoryDisk const&) = delete;

  std::string const& folder() const;

  // Files that are opened from now on are opened by this process.
  void run_as(Process process);
  // The process is dead: its locks are free, and all it still may do is close.
  void kill(Process process);
  // Every process is dead, and of what was not synced each piece either reached the disk or did not.
  void lose_power(Random& random);
  // As fdatasync does it; the file must exist.
  void sync(std::string_view path);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace payonce::sqlite
