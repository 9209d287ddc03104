// What PayPal signs of a webhook. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace payonce::sandbox::paypal {

// CRC-32 as of IEEE 802.3.
std::uint32_t crc32(std::string_view bytes);

std::string transmission_text(std::string_view id, std::string_view time, std::string_view webhook_id,
                              std::string_view body);

}  // namespace payonce::sandbox::paypal
