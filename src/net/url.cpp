#include "net/url.h"

#include <fmt/format.h>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace payonce {

namespace urls = boost::urls;

namespace {

std::unexpected<Error> bad_target(std::string_view target, std::string_view why) {
  return fail(ErrorCode::invalid_request,
              fmt::format("the request target \"{}\" {}; write a path like /v1/orders/A1?wait=5 and percent-encode "
                          "what is not a letter, a digit or one of -._~",
                          target.substr(0, 100), why));
}

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view{"-._~"}.find(c) != std::string_view::npos;
}

bool is_query_char(char c) { return is_unreserved(c) || std::string_view{"%&=+"}.find(c) != std::string_view::npos; }

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

}  // namespace

std::optional<std::string_view> Target::parameter(std::string_view name) const {
  for (auto const& [key, value] : query)
    if (key == name) return value;
  return std::nullopt;
}

Result<Target> parse_target(std::string_view text) {
  auto const view = urls::parse_origin_form({text.data(), text.size()});
  if (!view) return bad_target(text, "can't be read");

  Target target;
  auto const path = view->encoded_path();
  target.path.assign(path.data(), path.size());
  for (auto const& segment : view->segments()) {
    if (holds_nul(segment)) return bad_target(text, "holds a NUL");
    target.segments.emplace_back(segment);
  }
  for (auto const& parameter : view->params()) {
    if (holds_nul(parameter.key) || holds_nul(parameter.value)) return bad_target(text, "holds a NUL");
    target.query.emplace_back(parameter.key, parameter.value);
  }
  return target;
}

Result<std::vector<std::pair<std::string, std::string>>> parse_form(std::string_view body) {
  std::string target{"/?"};
  // boost::urls is strict about what may stand in a query; forms are made by many hands.
  for (char const c : body)
    if (is_query_char(c))
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
  for (char const c : text) {
    if (is_unreserved(c)) {
      encoded.push_back(c);
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    encoded.push_back('%');
    encoded.push_back(hex[byte >> 4]);
    encoded.push_back(hex[byte & 15]);
  }
  return encoded;
}

}  // namespace payonce
