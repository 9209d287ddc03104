// Blanks around a value, as HTTP allows them around header values. Nothing else is one: a key may not end in a line
// break.
#pragma once

#include <string_view>

namespace payonce {

inline std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace payonce
