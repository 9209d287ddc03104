// Rounds of one job that overlap: the next begins while others are still under way, up to a bound.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace payonce {

// Loop thread only.
class Overlap {
 public:
  // At least one.
  explicit Overlap(std::size_t rounds_max) : rounds_max_(rounds_max) {}

  void begin() { ++rounds_; }
  void end() {
    --rounds_;
    if (next_) std::exchange(next_, nullptr)();
  }
  // Calls `next` as soon as one more round may begin: now, or when one ends. Once at a time.
  void when_room(std::move_only_function<void()> next) {
    if (rounds_ < rounds_max_) return next();
    next_ = std::move(next);
  }
  // Forgets who waits, and what it holds.
  void give_up() { next_ = nullptr; }
  bool is_busy() const { return rounds_ > 0; }

 private:
  std::size_t const rounds_max_;
  std::size_t rounds_ = 0;
  std::move_only_function<void()> next_;
};

}  // namespace payonce
