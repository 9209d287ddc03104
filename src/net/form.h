// Forms (application/x-www-form-urlencoded): reading a body, and writing the parts of one.
// Not for: request targets (url.h).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace payonce {

// The names and values of a form, decoded, in order; `+` is a blank. invalid_request if a percent sequence is broken
// or a part holds a NUL.
Result<std::vector<std::pair<std::string, std::string>>> parse_form(std::string_view body);

// Letters, digits and -._~ stay; every other byte becomes %XX, a blank %20.
std::string percent_encode(std::string_view text);

}  // namespace payonce
