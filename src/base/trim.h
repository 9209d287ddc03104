// Blanks around a value, as HTTP allows them around header values, and the line's end behind it.
#pragma once

#include <string_view>

namespace payonce {

inline std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace payonce
