#include "base/json_object.h"

#include <array>
#include <boost/json/serializer.hpp>
#include <charconv>
#include <utility>

#include "base/utf8.h"

namespace payonce {

namespace {

// Most objects fit: a payment has some 600 bytes.
constexpr std::size_t usual_bytes = 1024;

// With quotation marks.
void append_text(std::string& out, std::string_view value) {
  boost::json::serializer serializer;
  serializer.reset(boost::json::string_view{value});
  std::array<char, 256> piece;
  while (!serializer.done()) {
    auto const written = serializer.read(piece.data(), piece.size());
    out.append(written.data(), written.size());
  }
}

}  // namespace

void JsonObject::begin_member(std::string_view name) {
  bool const is_first = text_.size() == 1;
  if (is_first) text_.reserve(usual_bytes);
  text_ += is_first ? "\"" : ",\"";
  text_ += name;
  text_ += "\":";
}

void JsonObject::put(std::string_view name, std::string_view value) {
  begin_member(name);
  append_text(text_, is_utf8(value) ? value : std::string_view{to_utf8(value)});
}

void JsonObject::put(std::string_view name, std::int64_t value) {
  std::array<char, 20> digits;  // the longest is -9223372036854775808
  auto const [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  put_json(name, {digits.data(), end});
}

void JsonObject::put(std::string_view name, JsonObject const& value) {
  put_json(name, value.text_);
  text_ += '}';
}

void JsonObject::put_json(std::string_view name, std::string_view json) {
  begin_member(name);
  text_ += json;
}

std::string JsonObject::text() && {
  text_ += '}';
  return std::move(text_);
}

}  // namespace payonce
