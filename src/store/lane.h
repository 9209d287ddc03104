// A thread that takes everything that queued up while it was busy and works on it as one batch: group commit without
// a timer. Under light load a batch is one job, under heavy load it grows by itself.
// A simulation gives it turns instead of a thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

#include "store/turns.h"

namespace payonce {

template <class Job>
class Lane {
 public:
  // Runs on the lane's thread and must not throw.
  using Run = std::function<void(std::vector<Job>& batch)>;

  // With turns there is no thread, and everything happens on the one that gives them.
  Lane(std::size_t queue_max, std::size_t batch_max, Run run, Turns* turns)
      : queue_max_(queue_max), batch_max_(batch_max), run_(std::move(run)), turns_(turns) {
    if (!turns_) thread_ = std::thread([this] { work(); });
  }
  ~Lane() { stop(); }
  Lane(Lane const&) = delete;
  Lane& operator=(Lane const&) = delete;

  // Takes the job, or leaves it untouched and says false when the queue is full or the lane is stopping. Any thread.
  bool submit(Job& job) {
    {
      std::lock_guard const lock{mutex_};
      if (stopping_ || queue_.size() >= queue_max_) return false;
      queue_.push_back(std::move(job));
      if (queue_.size() > 1) return true;  // the thread was woken for the first one
    }
    wake();
    return true;
  }

  // Takes the job, as soon as there is room for it. Not after stop().
  void submit_when_room(Job job) {
    {
      std::unique_lock lock{mutex_};
      room_.wait(lock, [this] { return turns_ || queue_.size() < queue_max_; });
      queue_.push_back(std::move(job));
    }
    wake();
  }

  // Works off what is queued, then ends the thread. Without a thread it drops what is queued. May be called twice.
  void stop() {
    {
      std::lock_guard const lock{mutex_};
      stopping_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void wake() {
    if (turns_) return turns_->give([this] { take_turn(); });
    wake_.notify_one();
  }

  void take_turn() {
    std::vector<Job> batch;
    if (queue_.empty() || stopping_ || !take(batch)) return;
    run_(batch);
    if (!queue_.empty()) wake();
  }

  void work() {
    std::vector<Job> batch;
    while (take(batch)) {
      run_(batch);
      batch.clear();
    }
  }

  // Waits for jobs; false when stopping and nothing is left.
  bool take(std::vector<Job>& batch) {
    std::unique_lock lock{mutex_};
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return false;
    auto const count = static_cast<std::ptrdiff_t>(std::min(queue_.size(), batch_max_));
    batch.assign(std::make_move_iterator(queue_.begin()), std::make_move_iterator(queue_.begin() + count));
    queue_.erase(queue_.begin(), queue_.begin() + count);
    room_.notify_all();
    return true;
  }

  // Constant after construction.
  std::size_t const queue_max_;
  std::size_t const batch_max_;
  Run const run_;
  Turns* const turns_;  // null: it has a thread
  // Guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable room_;
  std::deque<Job> queue_;
  bool stopping_ = false;

  std::thread thread_;  // last: it starts when all else stands
};

}  // namespace payonce
