// AES-256 in GCM, over OpenSSL: what providers encrypt their messages with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace payonce {

// `key` is 32 bytes, `sealed` ends with the 16 bytes of its tag. Nothing unless the tag fits key, nonce, `aad` and
// text.
std::optional<std::string> open_aes_256_gcm(std::string_view key, std::string_view nonce, std::string_view aad,
                                            std::string_view sealed);

}  // namespace payonce
