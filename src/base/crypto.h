// Digests, signatures and their text forms, over OpenSSL: what notices, effect deliveries, keys and fingerprints need.
// Not for: which bytes are signed or where a secret comes from; that belongs to each scheme.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace payonce {

// Raw digests: 32 bytes. All functions here may be called from any thread.
std::string sha256(std::string_view data);
std::string hmac_sha256(std::string_view secret, std::string_view data);

// The same as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view data);
std::string hmac_sha256_hex(std::string_view secret, std::string_view data);

// Compares without telling by its duration where the texts differ. Their lengths are no secret.
bool constant_time_equal(std::string_view a, std::string_view b);

// Lower case. Decoding takes either case, and gives nothing for an odd length or another character.
std::string hex_encode(std::string_view bytes);
std::optional<std::string> hex_decode(std::string_view text);

// RFC 4648 section 4, with padding. Decoding is strict: padding required, no blanks, unused bits zero; nothing
// otherwise.
std::string base64_encode(std::string_view bytes);
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace payonce
