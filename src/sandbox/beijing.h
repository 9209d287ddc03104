// Beijing time as the Chinese providers write it, whatever the zone of this machine. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace payonce::sandbox {

// 2026-01-02 11:04:05
std::string to_beijing(Time time);
// 2026-01-02T11:04:05+08:00
std::string to_beijing_rfc3339(Time time);
// The first of the two forms; nothing for anything else.
std::optional<Time> parse_beijing(std::string_view text);

}  // namespace payonce::sandbox
