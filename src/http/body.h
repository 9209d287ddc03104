// A JSON body read field by field, once per endpoint: what is malformed, missing or unknown gets an error that names
// it.
#pragma once

#include <array>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/money.h"
#include "net/http_message.h"

namespace payonce {

// Collects the first error; the getters give empty values after it. Ask for every field, then for result().
class Body {
 public:
  // unsupported_media_type unless Content-Type is application/json (or absent), invalid_json unless it is one object.
  explicit Body(HttpRequest const& request);
  Body(Body const&) = delete;
  Body& operator=(Body const&) = delete;

  // A string of 1 to chars_max characters. An absent or null optional one is empty.
  std::string required_text(std::string_view field, std::size_t chars_max);
  std::string optional_text(std::string_view field, std::size_t chars_max);
  // An integer token in 1 … limits::amount_minor_max: no fraction, exponent, text or sign.
  std::optional<std::int64_t> optional_amount(std::string_view field);
  std::int64_t required_amount(std::string_view field);
  // An integer token in min … max.
  std::optional<std::int64_t> optional_number(std::string_view field, std::int64_t min, std::int64_t max);
  std::optional<Currency> optional_currency(std::string_view field);
  std::optional<Currency> required_currency(std::string_view field);
  // RFC 3339, as 2026-11-29T12:00:00Z.
  std::optional<Time> optional_time(std::string_view field);
  // `otherwise` if absent.
  bool flag(std::string_view field, bool otherwise = false);
  // An object of short strings, as JSON text; empty if absent.
  std::string metadata(std::string_view field);

  // An error of the body, or unknown_field when it holds a field that nobody asked for.
  Result<void> result() const;

 private:
  // `field` is a literal.
  boost::json::value const* find(std::string_view field);
  void refuse(ErrorCode code, std::string detail, std::string_view field);

  // The parts of a usual body need no allocations of their own.
  std::array<unsigned char, 2048> buffer_;
  boost::json::monotonic_resource memory_{buffer_.data(), buffer_.size()};
  boost::json::object object_{&memory_};
  std::vector<std::string_view> asked_;
  std::optional<Error> error_;
};

// Checks of values that come in the path or in headers.
Result<void> check_order_id(std::string_view text);

}  // namespace payonce
