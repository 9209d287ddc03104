#include "http/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/limits.h"
#include "base/utf8.h"

namespace payonce {

namespace {

namespace json = boost::json;

// Deeper than anything this interface reads; bounds the parser's recursion.
constexpr std::size_t depth_max = 8;

bool is_json(std::string_view content_type) {
  std::string_view const type = content_type.substr(0, content_type.find(';'));
  return same_header_name(type.substr(0, type.find_last_not_of(" \t") + 1), "application/json");
}

bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

}  // namespace

Body::Body(HttpRequest const& request) {
  auto const type = request.header("Content-Type");
  if (type && !is_json(*type)) {
    refuse(ErrorCode::unsupported_media_type,
           fmt::format("Content-Type is \"{}\"; send application/json", type->substr(0, 80)), "Content-Type");
    return;
  }
  json::parse_options options;
  options.max_depth = depth_max;
  boost::system::error_code error;
  json::value value = json::parse(request.body, error, &memory_, options);
  if (error)
    refuse(ErrorCode::invalid_json, fmt::format("The body can't be read as JSON: {}", error.message()), {});
  else if (!value.is_object())
    refuse(ErrorCode::invalid_json, "The body is JSON, but not an object", {});
  else
    object_ = std::move(value.get_object());
}

void Body::refuse(ErrorCode code, std::string detail, std::string_view field) {
  if (!error_) error_ = Error{code, std::move(detail), std::string{field}};
}

json::value const* Body::find(std::string_view field) {
  asked_.push_back(field);
  json::value const* const value = object_.if_contains(field);
  return value && value->is_null() ? nullptr : value;
}

std::string Body::optional_text(std::string_view field, std::size_t chars_max) {
  json::value const* const value = find(field);
  if (!value) return {};
  auto const* const text = value->if_string();
  if (!text || text->empty() || text->size() > chars_max || has_control_characters(*text)) {
    refuse(ErrorCode::invalid_request,
           fmt::format("{} must be a text of 1 to {} characters without control characters", field, chars_max), field);
    return {};
  }
  return {text->data(), text->size()};
}

std::string Body::required_text(std::string_view field, std::size_t chars_max) {
  std::string text = optional_text(field, chars_max);
  if (text.empty()) refuse(ErrorCode::invalid_request, fmt::format("{} is missing", field), field);
  return text;
}

std::optional<std::int64_t> Body::optional_amount(std::string_view field) {
  json::value const* const value = find(field);
  if (!value) return std::nullopt;
  auto const* const amount = value->if_int64();
  if (amount && *amount >= 1 && *amount <= limits::amount_minor_max) return *amount;
  refuse(ErrorCode::invalid_request,
         fmt::format("{} must be a whole number of minor units from 1 to {}, written without point, exponent or quotes",
                     field, limits::amount_minor_max),
         field);
  return std::nullopt;
}

std::optional<std::int64_t> Body::optional_number(std::string_view field, std::int64_t min, std::int64_t max) {
  json::value const* const value = find(field);
  if (!value) return std::nullopt;
  auto const* const number = value->if_int64();
  if (number && *number >= min && *number <= max) return *number;
  refuse(ErrorCode::invalid_request, fmt::format("{} must be a whole number from {} to {}", field, min, max), field);
  return std::nullopt;
}

std::int64_t Body::required_amount(std::string_view field) {
  auto const amount = optional_amount(field);
  if (!amount) refuse(ErrorCode::invalid_request, fmt::format("{} is missing", field), field);
  return amount.value_or(0);
}

std::optional<Currency> Body::optional_currency(std::string_view field) {
  std::string const code = optional_text(field, 3);
  if (code.empty()) return std::nullopt;
  auto const currency = Currency::parse(code);
  if (currency) return *currency;
  refuse(currency.error().code, currency.error().detail, field);
  return std::nullopt;
}

std::optional<Currency> Body::required_currency(std::string_view field) {
  auto const currency = optional_currency(field);
  if (!currency) refuse(ErrorCode::invalid_request, fmt::format("{} is missing", field), field);
  return currency;
}

std::optional<Time> Body::optional_time(std::string_view field) {
  std::string const text = optional_text(field, 64);
  if (text.empty()) return std::nullopt;
  auto const time = parse_rfc3339(text);
  if (time) return *time;
  refuse(ErrorCode::invalid_request, fmt::format("{} must be a time such as 2026-11-29T12:00:00Z", field), field);
  return std::nullopt;
}

bool Body::flag(std::string_view field, bool otherwise) {
  json::value const* const value = find(field);
  if (!value) return otherwise;
  if (auto const* const flag = value->if_bool()) return *flag;
  refuse(ErrorCode::invalid_request, fmt::format("{} must be true or false", field), field);
  return false;
}

std::string Body::metadata(std::string_view field) {
  json::value const* const value = find(field);
  if (!value) return {};
  auto const* const entries = value->if_object();
  bool const fits =
      entries && entries->size() <= limits::metadata_entries && std::ranges::all_of(*entries, [](auto const& entry) {
        auto const* const text = entry.value().if_string();
        return text && text->size() <= limits::metadata_value_chars;
      });
  if (!fits) {
    refuse(ErrorCode::invalid_request,
           fmt::format("{} must be an object of at most {} texts of at most {} characters", field,
                       limits::metadata_entries, limits::metadata_value_chars),
           field);
    return {};
  }
  return json::serialize(*entries);
}

Result<void> Body::result() const {
  if (error_) return std::unexpected(*error_);
  for (auto const& entry : object_)
    if (std::ranges::find(asked_, std::string_view{entry.key()}) == asked_.end())
      return fail(ErrorCode::unknown_field,
                  fmt::format("There is no field \"{}\" here; known are: {}",
                              std::string_view{entry.key()}.substr(0, 64), fmt::join(asked_, ", ")),
                  std::string{entry.key()});
  return {};
}

Result<void> check_order_id(std::string_view text) {
  bool const is_printable =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f; });
  if (!text.empty() && text.size() <= limits::order_id_chars && is_printable && is_utf8(text)) return {};
  return fail(ErrorCode::invalid_request,
              fmt::format("order_id must have 1 to {} bytes of UTF-8, without blanks or control characters",
                          limits::order_id_chars),
              "order_id");
}

}  // namespace payonce
