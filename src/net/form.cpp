#include "net/form.h"

#include "net/url.h"

namespace payonce {

namespace {

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view{"-._~"}.find(c) != std::string_view::npos;
}

bool is_form_char(char c) { return is_unreserved(c) || std::string_view{"%&=+"}.find(c) != std::string_view::npos; }

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> parse_form(std::string_view body) {
  std::string target{"/?"};
  // A query is read strictly; forms are made by many hands.
  for (char const c : body)
    if (is_form_char(c))
      target.push_back(c);
    else
      target += percent_encode({&c, 1});
  auto read = parse_target(target);
  if (!read) return fail(ErrorCode::invalid_request, "the form can't be read; percent-encode its names and values");
  return std::move(read->query);
}

std::string percent_encode(std::string_view text) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (char const c : text) {
    if (is_unreserved(c)) {
      encoded.push_back(c);
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    encoded.append({'%', hex[byte >> 4], hex[byte & 15]});
  }
  return encoded;
}

}  // namespace payonce
