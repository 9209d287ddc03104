// The checkout token: what a browser holds instead of an API key. It is good for one order, names no amount, and ends
// by itself. Signed, not stored; see docs/decisions. Not for: what may be done with one (checkout.cpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "payment/order.h"

namespace payonce {

// What a token grants.
struct CheckoutGrant {
  OrderKey key;
  Time expires_at;         // from then on it begins and cancels nothing any more; whole seconds
  std::string return_url;  // where the page leads back to; empty if nowhere

  bool has_expired(Time now) const { return now >= expires_at; }
};

// How long after its end a token still shows how the order stands: whoever paid in its last second wants to know.
inline constexpr std::chrono::hours checkout_read_grace{24};

std::string seal_checkout_token(CheckoutGrant const& grant, std::string_view secret);
// Nothing unless one of the secrets signed it, to the letter, and the grace after its end is not over.
std::optional<CheckoutGrant> open_checkout_token(std::string_view token, std::vector<std::string> const& secrets,
                                                 Time now);

}  // namespace payonce
