#include "provider/http_date.h"

#include <fmt/format.h>

#include <array>
#include <string>

namespace payonce {

std::optional<Time> parse_http_date(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 29 || text.substr(3, 2) != ", " || !text.ends_with(" GMT")) return std::nullopt;
  auto const month = months.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  // The parts in the order that the strict reader of times takes, so that ranges are checked in one place.
  auto const time = parse_rfc3339(
      fmt::format("{}-{:02}-{}T{}Z", text.substr(12, 4), month / 3 + 1, text.substr(5, 2), text.substr(17, 8)));
  return time ? std::optional{*time} : std::nullopt;
}

}  // namespace payonce
