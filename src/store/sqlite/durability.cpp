#include "store/sqlite/durability.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace payonce::sqlite {

namespace {

[[noreturn]] void fail(std::string_view doing, std::string const& path) {
  throw StoreError(StoreError::Kind::in_doubt,
                   fmt::format("{} {}: {}", doing, path, std::generic_category().message(errno)));
}

}  // namespace

// SQLite keeps its locks on other files, so that closing this one drops none of them.
Durability::~Durability() {
  if (log_ >= 0) ::close(log_);
}

void Durability::commit_begins() {
  std::lock_guard const lock{mutex_};
  ++begun_;
}

void Durability::commit_ended() {
  std::lock_guard const lock{mutex_};
  ++ended_;
}

bool Durability::is_flushed() {
  std::lock_guard const lock{mutex_};
  return flushed_ == begun_;
}

void Durability::wait() {
  std::unique_lock lock{mutex_};
  flushed_more_.wait(lock, [this, seen = begun_] { return flushed_ >= seen; });
}

void Durability::flush() {
  std::uint64_t ended = 0;
  {
    std::lock_guard const lock{mutex_};
    ended = ended_;
    if (flushed_ == ended) return;
  }
  if (log_ < 0) log_ = ::open(log_path_.c_str(), O_RDWR | O_CLOEXEC);
  if (log_ < 0) fail("opening", log_path_);
  if (::fdatasync(log_) != 0) fail("flushing", log_path_);
  {
    std::lock_guard const lock{mutex_};
    flushed_ = ended;
  }
  flushed_more_.notify_all();
}

}  // namespace payonce::sqlite
