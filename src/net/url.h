// A request target taken apart, strictly. Not for: outgoing addresses (curl reads those itself).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace payonce {

struct Target {
  std::string path;                                        // as sent, still percent-encoded
  std::vector<std::string> segments;                       // decoded one by one: "a%2Fb" is the one segment "a/b"
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order; `+` is a blank, no `=` an empty value

  // The first parameter of that name, valid while the target is unchanged.
  std::optional<std::string_view> parameter(std::string_view name) const;
};

// Reads "/v1/orders/a%2Fb?wait=5". "/" has no segments; "/a/" has the segments "a" and "". Dots are not resolved.
// invalid_request if the target is not in origin form, a percent sequence is broken, or a decoded part holds a NUL.
Result<Target> parse_target(std::string_view target);

// Whether a browser that follows it stays on the web: https:// or http://.
bool is_web_address(std::string_view address);

// Whether an http:// or https:// address is one of this machine's own (localhost, 127.0.0.0/8, ::1).
bool is_on_this_machine(std::string_view address);

}  // namespace payonce
