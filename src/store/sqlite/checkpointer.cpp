#include "store/sqlite/checkpointer.h"

#include <utility>

namespace payonce::sqlite {

namespace {

// In frames, which are pages of 4 KiB. A log of 32 MiB holds about two seconds of full load: long enough that a page
// written often is copied once, short enough to be read through the page cache.
constexpr int bulk_frames = 8'192;
// What a writer copies itself: a few milliseconds.
constexpr int rest_frames = 1'024;
// When readers or another process were in the way, try again after so much more.
constexpr int again_after_frames = 2'048;
// How long a writer waits for readers that still need the old log.
constexpr int finish_patience_ms = 5;

}  // namespace

Checkpointer::Checkpointer(std::string const& path, Checkpoints who)
    : connection_(path, Connection::Use::checkpoint), wake_at_frames_(bulk_frames) {
  if (who == Checkpoints::by_thread) thread_ = std::thread([this] { run(); });
}

Checkpointer::~Checkpointer() {
  {
    std::lock_guard const lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
  connection_.checkpoint(SQLITE_CHECKPOINT_TRUNCATE, finish_patience_ms);
}

void Checkpointer::log_has_grown(int frames) {
  if (frames < bulk_frames) {
    wake_at_frames_ = bulk_frames;
    return;
  }
  if (frames < wake_at_frames_) return;
  wake_at_frames_ = frames + again_after_frames;
  {
    std::lock_guard const lock(mutex_);
    wanted_ = true;
  }
  wake_.notify_one();
}

void Checkpointer::finish(Connection& writer) {
  if (!thread_.joinable() && std::exchange(wanted_, false)) copy_bulk();
  if (!rest_is_small_.load(std::memory_order_relaxed)) return;
  rest_is_small_ = false;
  // Failing is harmless: the log grows on and the thread tries again.
  writer.checkpoint(SQLITE_CHECKPOINT_RESTART, finish_patience_ms);
}

void Checkpointer::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return wanted_ || stopping_; });
    if (stopping_) return;
    wanted_ = false;
    lock.unlock();
    copy_bulk();
    lock.lock();
  }
}

void Checkpointer::copy_bulk() {
  // Each pass leaves what was written during it, so the second one is short and leaves little.
  constexpr int passes_max = 4;
  for (int pass = 0; pass < passes_max; ++pass) {
    auto const done = connection_.checkpoint(SQLITE_CHECKPOINT_PASSIVE, 0);
    if (!done.ok) return;
    if (done.rest() > rest_frames) continue;
    rest_is_small_ = true;
    return;
  }
}

}  // namespace payonce::sqlite
