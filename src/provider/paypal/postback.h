// Asking PayPal whether an event is its own, instead of checking its signature here
// (https://developer.paypal.com/api/rest/webhooks/rest/).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "net/http_message.h"

namespace payonce::paypal {

inline constexpr std::string_view postback_path = "/v1/notifications/verify-webhook-signature";

// The question about an event with all its headers, whose body is JSON. The body is sent as it came: PayPal checks
// these bytes.
std::string postback(HttpRequest const& event, std::string_view webhook_id);
// Nothing unless PayPal says yes or no.
std::optional<bool> read_postback(HttpAnswer const& answer);

}  // namespace payonce::paypal
