#include "provider/timed_signature.h"

#include <charconv>
#include <optional>
#include <vector>

#include "base/crypto.h"

namespace payonce {

namespace {

struct Parts {
  std::string_view time;
  std::vector<std::string_view> v1;
};

std::unexpected<Error> refuse(std::string why) {
  return fail(ErrorCode::signature_invalid, "the notice's signature " + std::move(why));
}

Result<Parts> split(std::string_view header) {
  Parts parts;
  while (!header.empty()) {
    auto const comma = header.find(',');
    std::string_view const item = header.substr(0, comma);
    header = comma == std::string_view::npos ? std::string_view{} : header.substr(comma + 1);
    if (item.starts_with("v1=")) parts.v1.push_back(item.substr(3));
    if (!item.starts_with("t=")) continue;
    if (!parts.time.empty()) return refuse("holds two times");
    parts.time = item.substr(2);
  }
  if (parts.time.empty()) return refuse("holds no time");
  if (parts.v1.empty()) return refuse("holds no v1 value");
  return parts;
}

std::optional<Time> parse_unix_seconds(std::string_view text) {
  std::int64_t seconds = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  // Twelve digits reach past the year 30000 and keep the sums below far from overflow.
  if (error != std::errc{} || end != text.data() + text.size() || text.size() > 12) return std::nullopt;
  return Time{std::chrono::seconds{seconds}};
}

}  // namespace

Result<void> check_timed_signature(HttpRequest const& request, std::string_view header_name,
                                   std::span<Secret const> secrets, Time now) {
  if (request.count(header_name) != 1)
    return fail(ErrorCode::signature_invalid, "one " + std::string{header_name} + " header is needed");
  auto const parts = split(*request.header(header_name));
  if (!parts) return std::unexpected(parts.error());
  auto const signed_at = parse_unix_seconds(parts->time);
  if (!signed_at) return refuse("holds a time that is not unix seconds");
  if (std::chrono::abs(now - *signed_at) > notice_tolerance) return refuse("was made more than 5 minutes from now");

  std::string const signed_text = std::string{parts->time} + "." + request.body;
  for (Secret const& secret : secrets) {
    std::string const expected = hmac_sha256_hex(secret.line(), signed_text);
    for (std::string_view const candidate : parts->v1)
      if (constant_time_equal(expected, candidate)) return {};
  }
  return refuse("fits these bytes with none of the configured secrets");
}

}  // namespace payonce
