#include "http/prefer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/limits.h"
#include "base/trim.h"

namespace payonce {

namespace {

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty() || number < 0) return std::nullopt;
  return number;
}

void read_one(std::string_view preference, Preferences& preferences) {
  if (preference == "handling=strict") preferences.is_strict = true;
  if (!preference.starts_with("wait=")) return;
  if (auto const seconds = whole_number(preference.substr(5)))
    preferences.wait = std::min<Millis>(std::chrono::seconds{*seconds}, limits::wait_max);
}

}  // namespace

Preferences read_preferences(HttpRequest const& request) {
  Preferences preferences;
  for (HttpHeader const& header : request.headers) {
    if (!same_header_name(header.name, "Prefer")) continue;
    std::string_view rest = header.value;
    while (!rest.empty()) {
      auto const comma = rest.find(',');
      read_one(trim(rest.substr(0, comma)), preferences);
      rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    }
  }
  return preferences;
}

Result<Millis> read_wait(std::optional<std::string_view> parameter) {
  if (!parameter) return Millis{0};
  auto const seconds = whole_number(*parameter);
  if (seconds && std::chrono::seconds{*seconds} <= limits::wait_max) return std::chrono::seconds{*seconds};
  return fail(ErrorCode::invalid_request,
              fmt::format("wait must be a whole number of seconds from 0 to {}", limits::wait_max.count()), "wait");
}

}  // namespace payonce
