// Stripe's events, once their signature is checked. Not for: the signature (provider/timed_signature.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "provider/provider.h"

namespace payonce::stripe {

// invalid_request when the body is no event. An event about nothing of ours has no number. `account` is the connected
// account that we act for, or empty.
Result<Notice> parse_event(std::string const& body, std::string_view account, std::optional<bool> is_live);

}  // namespace payonce::stripe
