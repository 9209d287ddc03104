#include "net/http_message.h"

#include <algorithm>

namespace payonce {

namespace {

char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

}  // namespace

bool same_header_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::ranges::equal(a, b, {}, to_lower, to_lower);
}

std::optional<std::string_view> find_header(HttpHeaders const& headers, std::string_view name) {
  for (HttpHeader const& header : headers)
    if (same_header_name(header.name, name)) return header.value;
  return std::nullopt;
}

std::size_t count_headers(HttpHeaders const& headers, std::string_view name) {
  auto const fits = [&](HttpHeader const& header) { return same_header_name(header.name, name); };
  return static_cast<std::size_t>(std::ranges::count_if(headers, fits));
}

}  // namespace payonce
