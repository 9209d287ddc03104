// A thread that takes everything that queued up while it was busy and works on it as one batch: group commit. Under
// light load a batch is one job, under heavy load it grows by itself; in between the thread rests for a moment after
// each batch, so that few jobs share its price. Beyond its capacity it refuses what it could not get to within about a
// second, by how fast its batches have been. A simulation gives it turns instead of a thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/turns.h"

namespace payonce {

// Which jobs a lane takes when it is behind.
enum class Admission {
  if_soon,  // those that it gets to soon: somebody waits who can come again, and nothing has begun
  if_room,  // all that fit: they end what has begun
};

template <class Job>
class Lane {
 public:
  // Runs on the lane's thread and must not throw.
  using Run = std::function<void(std::vector<Job>& batch)>;

  // With turns there is no thread, and everything happens on the one that gives them. Without a clock nothing is
  // refused for being late, and it never rests; with one it rests until `good_batch` jobs wait, for a moment at most.
  Lane(std::size_t queue_max, std::size_t batch_max, Run run, Turns* turns, Clock const* clock = nullptr,
       std::size_t good_batch = 1)
      : queue_max_(queue_max),
        batch_max_(batch_max),
        run_(std::move(run)),
        turns_(turns),
        clock_(clock),
        good_batch_(good_batch),
        soon_max_(queue_max) {
    if (!turns_) thread_ = std::thread([this] { work(); });
  }
  ~Lane() { stop(); }
  Lane(Lane const&) = delete;
  Lane& operator=(Lane const&) = delete;

  // Takes the job, or leaves it untouched and says false when there is no room or the lane is stopping. Any thread.
  bool submit(Job& job, Admission admission = Admission::if_room) {
    {
      std::lock_guard const lock{mutex_};
      if (stopping_ || queue_.size() >= queue_max_) return false;
      if (admission == Admission::if_soon && is_late()) return false;
      queue_.push_back(std::move(job));
      // The thread was woken for the first one, and may rest until there are enough.
      if (queue_.size() != 1 && queue_.size() != good_batch_) return true;
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
    run(batch);
    if (!queue_.empty()) wake();
  }

  void work() {
    std::vector<Job> batch;
    while (take(batch)) {
      run(batch);
      batch.clear();
    }
  }

  void run(std::vector<Job>& batch) {
    std::size_t const count = batch.size();
    run_(batch);
    if (!clock_) return;
    std::lock_guard const lock{mutex_};
    auto const now = clock_->monotonic();
    auto const taken = now - std::exchange(taken_at_, std::chrono::nanoseconds{0});
    learn(count, taken);
    rested_at_ = count > 1 ? now + std::min(taken, rest_max) : now;
  }

  // From a batch of this size that took so long. A batch that is not full took all there was.
  void learn(std::size_t count, std::chrono::nanoseconds taken) {
    if (count < batch_max_) {
      soon_max_ = queue_max_;
      return;
    }
    auto const in_time = static_cast<std::size_t>(static_cast<double>(count) * static_cast<double>(soon.count()) /
                                                  static_cast<double>(std::max<std::int64_t>(taken.count(), 1)));
    // Of the last few batches, since one alone may have met a slow moment.
    soon_max_ =
        std::clamp((soon_max_ * 3 + std::min(in_time, queue_max_)) / 4, std::min(batch_max_, queue_max_), queue_max_);
  }

  // Whether a job that came now would have to wait for long. With mutex_ held.
  bool is_late() const {
    if (!clock_) return false;
    if (queue_.size() >= soon_max_) return true;
    bool const is_stuck = taken_at_.count() > 0 && clock_->monotonic() - taken_at_ > stuck;
    return is_stuck && !queue_.empty();
  }

  // Waits for jobs; false when stopping and nothing is left.
  bool take(std::vector<Job>& batch) {
    std::unique_lock lock{mutex_};
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (clock_ && !turns_) rest(lock);
    if (queue_.empty()) return false;
    auto const count = static_cast<std::ptrdiff_t>(std::min(queue_.size(), batch_max_));
    batch.assign(std::make_move_iterator(queue_.begin()), std::make_move_iterator(queue_.begin() + count));
    queue_.erase(queue_.begin(), queue_.begin() + count);
    if (clock_) taken_at_ = clock_->monotonic();
    room_.notify_all();
    return true;
  }

  // For as long as the last batch took, unless enough jobs wait already: what a batch costs besides its jobs (the
  // pages of a dozen trees, the statements) is then shared by more of them. Whoever is alone does not wait.
  void rest(std::unique_lock<std::mutex>& lock) {
    auto const is_over = [this] {
      return stopping_ || queue_.size() >= good_batch_ || clock_->monotonic() >= rested_at_;
    };
    while (!is_over()) wake_.wait_for(lock, rested_at_ - clock_->monotonic());
  }

  // Nobody notices.
  static constexpr std::chrono::nanoseconds rest_max = std::chrono::microseconds{500};
  // A caller hardly notices, and it is long enough for batches of every database to be full.
  static constexpr std::chrono::nanoseconds soon = std::chrono::seconds{1};
  // A batch takes a tenth of it; whatever takes longer is not there (a disk, a lock), and may not be for long.
  static constexpr std::chrono::nanoseconds stuck = std::chrono::seconds{2};

  // Constant after construction.
  std::size_t const queue_max_;
  std::size_t const batch_max_;
  Run const run_;
  Turns* const turns_;  // null: it has a thread
  Clock const* const clock_;
  std::size_t const good_batch_;
  // Guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable room_;
  std::deque<Job> queue_;
  bool stopping_ = false;
  std::size_t soon_max_;                  // so many are worked off in a second
  std::chrono::nanoseconds taken_at_{0};  // when the batch that is running was taken; 0: none is
  std::chrono::nanoseconds rested_at_{0};

  std::thread thread_;  // last: it starts when all else stands
};

}  // namespace payonce
