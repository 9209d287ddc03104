// Times as Chinese providers write them: in Beijing (UTC+8, no summer time), whatever zone this machine is in.
#pragma once

#include <string>

#include "base/clock.h"

namespace payonce {

inline constexpr std::chrono::hours beijing_ahead{8};

// "2026-01-02 11:04:05"
inline std::string beijing_time(Time time) {
  std::string const text = to_rfc3339(time + beijing_ahead);
  return text.substr(0, 10) + " " + text.substr(11, 8);
}

// "2026-01-02T11:04:05+08:00"
inline std::string beijing_rfc3339(Time time) { return to_rfc3339(time + beijing_ahead).substr(0, 19) + "+08:00"; }

}  // namespace payonce
