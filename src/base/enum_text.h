// The way back from an enumerator's text, so that each enum spells its texts once, in to_text.
#pragma once

#include <optional>
#include <string_view>

namespace payonce {

// The one of `values` whose to_text(...) is `text`; nothing if there is none. to_text is found by its argument.
template <class Values>
constexpr auto find_by_text(Values const& values, std::string_view text) -> std::optional<typename Values::value_type> {
  for (auto const value : values)
    if (to_text(value) == text) return value;
  return std::nullopt;
}

}  // namespace payonce
