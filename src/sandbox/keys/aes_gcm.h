// AES-256-GCM as WeChat Pay encrypts what it tells: the tag behind the ciphertext, all of it in base 64.
#pragma once

#include <string>
#include <string_view>

namespace payonce::sandbox {

// `key` has 32 bytes, `nonce` 12.
std::string encrypt_aes_gcm(std::string_view key, std::string_view nonce, std::string_view associated_data,
                            std::string_view plaintext);

}  // namespace payonce::sandbox
