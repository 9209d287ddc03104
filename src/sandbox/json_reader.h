// Reads the fields of one JSON object and keeps the first complaint, so that a reader is a plain list of fields.
// Not for: writing JSON.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace payonce::sandbox {

// The text as a JSON object; invalid_json otherwise.
Result<boost::json::object> parse_object(std::string_view text);

// A field that is absent or null gives the fallback; one that does not fit gives the fallback and a complaint.
class JsonReader {
 public:
  // The object must outlive the reader.
  explicit JsonReader(boost::json::object const& object) : object_(object) {}

  bool has(std::string_view name) const;
  std::string text(std::string_view name, std::string_view fallback = "");
  std::string required_text(std::string_view name);
  std::int64_t integer(std::string_view name, std::int64_t fallback, std::int64_t min, std::int64_t max);
  std::int64_t required_integer(std::string_view name, std::int64_t min, std::int64_t max);
  double number(std::string_view name, double min, double max);
  bool flag(std::string_view name);
  std::optional<Time> time_ms(std::string_view name);       // milliseconds since 1970
  std::optional<Time> time_rfc3339(std::string_view name);  // absent, null and "" give nothing
  boost::json::object const* object(std::string_view name);
  boost::json::array const* array(std::string_view name);

  // Complains about any other field, so that a slip of the pen does not pass as "not given".
  void allow_only(std::initializer_list<std::string_view> names);
  void complain(std::string_view name, std::string_view what);

  // The first complaint, if any.
  Result<void> result() const;

 private:
  boost::json::value const* find(std::string_view name) const;

  boost::json::object const& object_;
  std::optional<Error> error_;
};

}  // namespace payonce::sandbox
