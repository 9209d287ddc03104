#include "sandbox/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

namespace payonce::sandbox {

namespace json = boost::json;

Result<json::object> parse_object(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse({text.data(), text.size()}, error);
  if (error) return fail(ErrorCode::invalid_json, fmt::format("this is not JSON: {}", error.message()));
  if (!value.is_object()) return fail(ErrorCode::invalid_json, "the JSON is not an object; write {…}");
  return std::move(value.get_object());
}

json::value const* JsonReader::find(std::string_view name) const {
  json::value const* const value = object_.if_contains({name.data(), name.size()});
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool JsonReader::has(std::string_view name) const { return find(name) != nullptr; }

std::string JsonReader::text(std::string_view name, std::string_view fallback) {
  json::value const* const value = find(name);
  if (value == nullptr) return std::string{fallback};
  if (json::string const* const text = value->if_string()) return {text->data(), text->size()};
  complain(name, "must be a text");
  return std::string{fallback};
}

std::string JsonReader::required_text(std::string_view name) {
  std::string value = text(name);
  if (value.empty()) complain(name, "must be given, and not empty");
  return value;
}

std::int64_t JsonReader::integer(std::string_view name, std::int64_t fallback, std::int64_t min, std::int64_t max) {
  json::value const* const value = find(name);
  if (value == nullptr) return fallback;
  if (std::int64_t const* const number = value->if_int64(); number != nullptr && *number >= min && *number <= max)
    return *number;
  complain(name, fmt::format("must be a whole number from {} to {}", min, max));
  return fallback;
}

std::int64_t JsonReader::required_integer(std::string_view name, std::int64_t min, std::int64_t max) {
  if (!has(name)) complain(name, "must be given");
  return integer(name, min, min, max);
}

double JsonReader::number(std::string_view name, double min, double max) {
  json::value const* const value = find(name);
  boost::system::error_code error;
  double const number = value == nullptr ? min : value->to_number<double>(error);
  if (!error && number >= min && number <= max) return number;
  complain(name, fmt::format("must be a number from {} to {}", min, max));
  return min;
}

bool JsonReader::flag(std::string_view name) {
  json::value const* const value = find(name);
  if (value == nullptr) return false;
  if (bool const* const flag = value->if_bool()) return *flag;
  complain(name, "must be true or false");
  return false;
}

std::optional<Time> JsonReader::time_ms(std::string_view name) {
  json::value const* const value = find(name);
  if (value == nullptr) return std::nullopt;
  if (std::int64_t const* const number = value->if_int64()) return from_epoch_ms(*number);
  complain(name, "must be a whole number of milliseconds");
  return std::nullopt;
}

std::optional<Time> JsonReader::time_rfc3339(std::string_view name) {
  std::string const written = text(name);
  if (written.empty()) return std::nullopt;
  auto const time = parse_rfc3339(written);
  if (time) return *time;
  complain(name, time.error().detail);
  return std::nullopt;
}

json::object const* JsonReader::object(std::string_view name) {
  json::value const* const value = find(name);
  if (value == nullptr || value->is_object()) return value == nullptr ? nullptr : &value->get_object();
  complain(name, "must be an object");
  return nullptr;
}

json::array const* JsonReader::array(std::string_view name) {
  json::value const* const value = find(name);
  if (value == nullptr || value->is_array()) return value == nullptr ? nullptr : &value->get_array();
  complain(name, "must be an array");
  return nullptr;
}

void JsonReader::allow_only(std::initializer_list<std::string_view> names) {
  for (auto const& field : object_) {
    std::string_view const name{field.key().data(), field.key().size()};
    if (std::ranges::find(names, name) == names.end()) complain(name.substr(0, 50), "is not a field of this request");
  }
}

void JsonReader::complain(std::string_view name, std::string_view what) {
  if (!error_) error_ = Error{ErrorCode::invalid_request, fmt::format("\"{}\" {}", name, what), std::string{name}};
}

Result<void> JsonReader::result() const {
  if (error_) return std::unexpected(*error_);
  return {};
}

}  // namespace payonce::sandbox
