#include "provider/form.h"

#include <string_view>

namespace payonce {

std::string percent_encode(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (char const c : text) {
    bool const is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                          c == '.' || c == '_' || c == '~';
    if (is_plain) {
      out.push_back(c);
      continue;
    }
    auto const byte = static_cast<unsigned char>(c);
    out.append({'%', hex[byte >> 4], hex[byte & 15]});
  }
  return out;
}

Form& Form::add(std::string_view name, std::string_view value) {
  if (!text_.empty()) text_.push_back('&');
  text_.append(name).append("=").append(percent_encode(value));
  return *this;
}

}  // namespace payonce
