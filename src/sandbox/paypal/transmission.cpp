#include "sandbox/paypal/transmission.h"

#include <fmt/format.h>

namespace payonce::sandbox::paypal {

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t value = 0xFFFFFFFF;
  for (char const c : bytes) {
    value ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320 : 0);
  }
  return ~value;
}

std::string transmission_text(std::string_view id, std::string_view time, std::string_view webhook_id,
                              std::string_view body) {
  return fmt::format("{}|{}|{}|{}", id, time, webhook_id, crc32(body));
}

}  // namespace payonce::sandbox::paypal
