// Time as payonce knows it: milliseconds since 1970, UTC, in the database and in the rules alike.
// The only place that reads the machine's clocks; everything else is handed a Clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace payonce {

using Millis = std::chrono::milliseconds;
using Time = std::chrono::sys_time<Millis>;

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time. May jump; correctness never rests on it.
  virtual Time now() const = 0;
  // Time since an arbitrary start that never goes back: for time-outs and latency.
  virtual std::chrono::nanoseconds monotonic() const = 0;
};

// The machine's clocks. Any thread.
class SystemClock final : public Clock {
 public:
  Time now() const override;
  std::chrono::nanoseconds monotonic() const override;
};

inline std::int64_t to_epoch_ms(Time time) { return time.time_since_epoch().count(); }
inline Time from_epoch_ms(std::int64_t ms) { return Time{Millis{ms}}; }

// RFC 3339 with milliseconds and Z: 2026-01-02T03:04:05.678Z
std::string to_rfc3339(Time time);
// Accepts an offset or Z and up to 3 digits of a second's fraction. invalid_request otherwise.
Result<Time> parse_rfc3339(std::string_view text);

}  // namespace payonce
