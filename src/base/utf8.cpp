#include "base/utf8.h"

#include <algorithm>

namespace payonce {

namespace {

struct LeadByte {
  unsigned char first;
  unsigned char last;
  std::size_t bytes;
  // What the second byte may be; the later ones are 0x80 to 0xBF. This shuts out overlong forms and surrogates.
  unsigned char second_min;
  unsigned char second_max;
};
constexpr LeadByte lead_bytes[] = {
    {0x00, 0x7F, 1, 0x80, 0xBF}, {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

// How many bytes the character at the front has; 0 if there is none. `text` is not empty.
std::size_t character_bytes(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (LeadByte const& lead : lead_bytes) {
    if (byte(0) < lead.first || byte(0) > lead.last) continue;
    if (text.size() < lead.bytes) return 0;
    if (lead.bytes > 1 && (byte(1) < lead.second_min || byte(1) > lead.second_max)) return 0;
    for (std::size_t i = 2; i < lead.bytes; ++i)
      if ((byte(i) & 0xC0) != 0x80) return 0;
    return lead.bytes;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  // Most texts are ASCII as far as they go.
  auto const first_other = std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) > 0x7F; });
  text.remove_prefix(static_cast<std::size_t>(first_other - text.begin()));
  while (!text.empty()) {
    std::size_t const bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string{text};
  std::string whole;
  while (!text.empty()) {
    std::size_t const bytes = character_bytes(text);
    if (bytes == 0)
      whole += "\uFFFD";
    else
      whole += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return whole;
}

}  // namespace payonce
