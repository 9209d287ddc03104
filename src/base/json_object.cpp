#include "base/json_object.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/utf8.h"

namespace payonce {

namespace {

// Most objects fit: a payment has some 600 bytes.
constexpr std::size_t usual_bytes = 1024;

// RFC 8259, section 7.
constexpr std::array<bool, 256> must_be_escaped = [] {
  std::array<bool, 256> must{};
  for (std::size_t control = 0; control < 0x20; ++control) must[control] = true;
  must['"'] = must['\\'] = true;
  return must;
}();

bool is_escaped(char c) { return must_be_escaped[static_cast<unsigned char>(c)]; }

// In the short form where there is one.
void append_escape(std::string& out, char c) {
  constexpr std::string_view hex_digits = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  auto const byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += hex_digits[byte >> 4];
  out += hex_digits[byte & 15];
}

void append_escaped(std::string& out, std::string_view text) {
  for (;;) {
    auto const plain = static_cast<std::size_t>(std::ranges::find_if(text, is_escaped) - text.begin());
    out += text.substr(0, plain);
    if (plain == text.size()) return;
    append_escape(out, text[plain]);
    text.remove_prefix(plain + 1);
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
  text_ += '"';
  append_escaped(text_, is_utf8(value) ? value : std::string_view{to_utf8(value)});
  text_ += '"';
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
