// What the caller prefers (RFC 7240): how long to wait, and how a repeat of a running request is answered.
#pragma once

#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "net/http_message.h"

namespace payonce {

// Without a preference a payment waits this long: most providers answer in it, and no proxy gives up before.
inline constexpr Millis wait_default{10'000};

struct Preferences {
  Millis wait = wait_default;
  bool is_strict = false;
};

// Unknown preferences are ignored, as the RFC asks; a wait beyond limits::wait_max is shortened to it.
Preferences read_preferences(HttpRequest const& request);

// ?wait=N in whole seconds, 0 to limits::wait_max; invalid_request otherwise. Absent: 0.
Result<Millis> read_wait(std::optional<std::string_view> parameter);

}  // namespace payonce
