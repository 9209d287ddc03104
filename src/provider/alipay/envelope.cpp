#include "provider/alipay/envelope.h"

#include <boost/json.hpp>

#include "provider/json_fields.h"

namespace payonce::alipay {

namespace {

namespace json = boost::json;

// The index behind the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

// The object that is the value of `key` at the text's first level; empty if there is none. The text is known to be
// well-formed JSON.
std::string_view object_under(std::string_view text, std::string_view key) {
  int depth = 0;
  std::size_t begin = 0;
  bool is_wanted = false;
  std::string_view last;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char const c = text[at];
    if (c == '"') {
      std::size_t const end = end_of_string(text, at);
      if (depth == 1) last = text.substr(at + 1, end - at - 2);
      at = end - 1;
    } else if (c == '{' || c == '[') {
      if (depth == 1 && c == '{' && last == key) {
        begin = at;
        is_wanted = true;
      }
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
      if (depth == 1 && is_wanted) return text.substr(begin, at + 1 - begin);
    } else if (c == ',' && depth == 1) {
      last = {};
    }
  }
  return {};
}

}  // namespace

std::optional<Envelope> open_envelope(std::string_view text, std::string_view response_key) {
  boost::system::error_code error;
  json::value const value = json::parse(json::string_view{text.data(), text.size()}, error);
  if (error || !value.is_object()) return std::nullopt;
  Envelope envelope;
  envelope.object = object_under(text, response_key);
  if (envelope.object.empty()) envelope.object = object_under(text, "error_response");
  if (envelope.object.empty()) return std::nullopt;
  envelope.sign = text_at(value.get_object(), "sign");
  envelope.serial = text_at(value.get_object(), "alipay_cert_sn");
  return envelope;
}

}  // namespace payonce::alipay
