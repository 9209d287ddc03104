// When each payment of a steady stream is due, whatever has become of those before it: what is late because the
// service stalled is late by its own time, and a stall is not hidden by callers who wait for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace payonce::bench {

class Schedule {
 public:
  // The first is due at `start`, the others follow evenly, as long as they are due before `end`.
  Schedule(std::chrono::nanoseconds start, std::chrono::nanoseconds end, int per_second)
      : start_(start), end_(end), per_second_(per_second) {}

  // When the next one is due; nothing when none is left.
  std::optional<std::chrono::nanoseconds> next() const {
    // From the start, so that no rounding adds up.
    auto const due = start_ + std::chrono::nanoseconds{std::chrono::seconds{taken_}} / per_second_;
    return due < end_ ? std::optional{due} : std::nullopt;
  }
  // The same, if that is not later than `now`; it is then taken.
  std::optional<std::chrono::nanoseconds> take(std::chrono::nanoseconds now) {
    auto const due = next();
    if (!due || *due > now) return std::nullopt;
    ++taken_;
    return due;
  }

 private:
  std::chrono::nanoseconds start_;
  std::chrono::nanoseconds end_;
  int per_second_;
  std::int64_t taken_ = 0;
};

}  // namespace payonce::bench
