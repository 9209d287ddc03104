#include "net/url.h"

#include <fmt/format.h>

#include <boost/url/ipv4_address.hpp>
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

bool is_web_address(std::string_view address) {
  return address.starts_with("https://") || address.starts_with("http://");
}

bool is_on_this_machine(std::string_view address) {
  if (!is_web_address(address)) return false;
  std::string_view const rest = address.substr(address.find("://") + 3);
  std::string_view const authority = rest.substr(0, rest.find_first_of("/?#"));
  // A user or a backslash would let another host look like this machine.
  if (authority.find_first_of("@\\") != std::string_view::npos) return false;
  bool const is_bracketed = authority.starts_with('[');
  std::string_view const host = authority.substr(0, is_bracketed ? authority.find(']') + 1 : authority.find(':'));
  if (host == "localhost" || host == "[::1]") return true;
  // Compared as a whole, since Boost 1.81 takes 127.0.0.1.example for an IPv4 address.
  auto const ipv4 = urls::parse_ipv4_address({host.data(), host.size()});
  return ipv4 && ipv4->is_loopback() && ipv4->to_string() == host;
}

}  // namespace payonce
