#include "payment/idempotency_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/trim.h"

namespace payonce {

namespace {

constexpr std::array<std::string_view, 7> missing_values = {
    "null", "undefined", "nan", "none", "[object object]", "nil", "00000000-0000-0000-0000-000000000000"};

std::unexpected<Error> refuse(std::string_view why) {
  return fail(ErrorCode::idempotency_key_invalid, fmt::format("Idempotency-Key {}", why), "Idempotency-Key");
}

// The inside of a structured-field string: \" and \\ are the only escapes.
Result<std::string> unquote(std::string_view quoted) {
  std::string key;
  for (std::size_t i = 1; i < quoted.size(); ++i) {
    char const c = quoted[i];
    if (c == '"')
      return i + 1 == quoted.size() ? Result<std::string>{key}
                                    : refuse("has text behind the closing quote; send one quoted string");
    if (c != '\\') {
      key.push_back(c);
      continue;
    }
    if (++i == quoted.size() || (quoted[i] != '"' && quoted[i] != '\\'))
      return refuse("has a backslash that escapes neither a quote nor a backslash");
    key.push_back(quoted[i]);
  }
  return refuse("opens a quote and does not close it");
}

bool is_missing_value(std::string_view key) {
  std::string lower{key};
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return std::ranges::find(missing_values, std::string_view{lower}) != missing_values.end();
}

}  // namespace

Result<std::string> parse_idempotency_key(std::string_view header_value) {
  std::string_view const value = trim(header_value);
  if (value.empty()) return refuse("is empty; send a key that is unique for this attempt, such as a UUID");

  bool const is_quoted = value.front() == '"';
  auto const key = is_quoted ? unquote(value) : Result<std::string>{std::string{value}};
  if (!key) return key;
  if (key->empty()) return refuse("is empty; send a key that is unique for this attempt, such as a UUID");
  if (key->size() > limits::idempotency_key_chars)
    return refuse(fmt::format("has {} characters; at most {} are allowed", key->size(), limits::idempotency_key_chars));
  // The comma test follows this one, so that "null" in any spelling gets the plainer message.
  if (is_missing_value(*key))
    return refuse(
        fmt::format("\"{}\" looks like a missing value; every request without a real key would share it", *key));
  if (!std::ranges::all_of(*key, [](char c) { return c >= 0x21 && c <= 0x7e; }))
    return refuse("may hold visible ASCII characters only (0x21 to 0x7E)");
  if (!is_quoted && key->contains(','))
    return refuse("holds a comma: a proxy or client may have joined two headers; send it once, or quoted");
  return key;
}

}  // namespace payonce
