// The sandbox bank's notice signature: "Sandbox-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of t.body>".
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace payonce::sandbox {

// How far a signed time may lie from ours, either way: long enough for clocks a little apart and a slow network, short
// enough that a recorded notice is not replayed next week.
inline constexpr std::chrono::minutes tolerance{5};

// signature_invalid, with the reason, unless one of the header's v1 values was made over exactly these bytes with one
// of the secrets. While secrets are rotated, the header may hold several values and we may hold several secrets.
Result<void> check_signature(std::string_view header, std::string_view body, std::span<std::string const> secrets,
                             Time now);

}  // namespace payonce::sandbox
