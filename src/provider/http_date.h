// The Date of an HTTP answer (RFC 9110, section 5.6.7), in the one form that servers send today.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace payonce {

// "Sun, 06 Nov 1994 08:49:37 GMT"; nothing for any other text.
std::optional<Time> parse_http_date(std::string_view text);

}  // namespace payonce
