// The notice signature of Stripe, and of the sandbox bank after it: a header that says
// "t=<unix seconds>,v1=<hex HMAC-SHA256 of t.body>" (https://docs.stripe.com/webhooks/signature).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "net/http_message.h"
#include "provider/secret.h"

namespace payonce {

// How far a signed time may lie from ours, either way: long enough for clocks a little apart and a slow network, short
// enough that a recorded notice is not replayed next week.
inline constexpr std::chrono::minutes notice_tolerance{5};

// signature_invalid, with the reason, unless the request has one header of this name, and one of its v1 values was made
// over exactly the body's bytes with one of the secrets. While secrets are rotated, the header may hold several values
// and we may hold several secrets.
Result<void> check_timed_signature(HttpRequest const& request, std::string_view header_name,
                                   std::span<Secret const> secrets, Time now);

}  // namespace payonce
