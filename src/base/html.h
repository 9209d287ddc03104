// Text that goes into a page, made harmless. Not for: anything inside a script or an address's scheme.
#pragma once

#include <string>
#include <string_view>

namespace payonce {

// Safe between tags and inside quoted attributes.
std::string escape_html(std::string_view text);

}  // namespace payonce
