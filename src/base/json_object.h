// Writes a JSON object member by member, straight into its text: answers need no tree. Not for: reading JSON.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace payonce {

class JsonObject {
 public:
  // Names are our own: plain text without anything to escape, each once. Bytes of a value that are not UTF-8 become
  // U+FFFD.
  void put(std::string_view name, std::string_view value);
  // Of type bool only: a text must not become true.
  void put(std::string_view name, std::same_as<bool> auto value) { put_json(name, value ? "true" : "false"); }
  void put(std::string_view name, std::int64_t value);
  void put(std::string_view name, JsonObject const& value);
  // A value that is JSON already.
  void put_json(std::string_view name, std::string_view json);

  std::string text() const& { return text_ + '}'; }
  std::string text() &&;

 private:
  void begin_member(std::string_view name);

  std::string text_ = "{";
};

// A JSON array of what `to_object` makes of each row.
template <class Rows, class ToObject>
std::string json_array(Rows const& rows, ToObject to_object) {
  std::string text = "[";
  for (auto const& row : rows) {
    if (text.size() > 1) text += ',';
    text += to_object(row).text();
  }
  return text += ']';
}

}  // namespace payonce
