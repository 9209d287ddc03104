#include "base/crypto.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace payonce {

namespace {

constexpr std::size_t digest_bytes = 32;
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// The value of one hexadecimal digit, or -1.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// From character to base 64 value, -1 elsewhere.
constexpr std::array<std::int16_t, 256> base64_values = [] {
  std::array<std::int16_t, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < base64_digits.size(); ++i)
    values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::int16_t>(i);
  return values;
}();

// Looked up once: EVP_sha256() makes OpenSSL 3 search its providers at every use.
EVP_MD const* sha256_algorithm() {
  static EVP_MD const* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

struct FreeMac {
  void operator()(EVP_MAC_CTX* mac) const { EVP_MAC_CTX_free(mac); }
};
using Mac = std::unique_ptr<EVP_MAC_CTX, FreeMac>;

// HMAC-SHA-256 with an empty key. To be copied and given the real one for each use: looking up the algorithm and its
// digest takes OpenSSL 3 longer than a notice's signature.
Mac const& hmac_to_copy() {
  static Mac const mac = [] {
    std::unique_ptr<EVP_MAC, decltype([](EVP_MAC* it) { EVP_MAC_free(it); })> const algorithm{
        EVP_MAC_fetch(nullptr, "HMAC", nullptr)};
    Mac made{algorithm ? EVP_MAC_CTX_new(algorithm.get()) : nullptr};
    char digest[] = "SHA256";
    OSSL_PARAM const parameters[]{OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
                                  OSSL_PARAM_construct_end()};
    if (!made || EVP_MAC_init(made.get(), bytes_of(std::string_view{""}), 0, parameters) != 1)
      throw std::runtime_error("HMAC-SHA-256 is not available in this OpenSSL");
    return made;
  }();
  return mac;
}

}  // namespace

std::string sha256(std::string_view data) {
  std::string digest(digest_bytes, '\0');
  if (EVP_Digest(data.data(), data.size(), bytes_of(digest), nullptr, sha256_algorithm(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available in this OpenSSL");
  return digest;
}

std::string hmac_sha256(std::string_view secret, std::string_view data) {
  // OpenSSL reads a null key as "the key of the call before"; an empty secret must stay an empty key.
  unsigned char const* const key = bytes_of(secret.empty() ? std::string_view{""} : secret);
  std::string digest(digest_bytes, '\0');
  std::size_t written = 0;
  Mac const mac{EVP_MAC_CTX_dup(hmac_to_copy().get())};
  if (!mac || EVP_MAC_init(mac.get(), key, secret.size(), nullptr) != 1 ||
      EVP_MAC_update(mac.get(), bytes_of(data), data.size()) != 1 ||
      EVP_MAC_final(mac.get(), bytes_of(digest), &written, digest.size()) != 1)
    throw std::runtime_error("OpenSSL could not make an HMAC-SHA-256");
  return digest;
}

std::string sha256_hex(std::string_view data) { return hex_encode(sha256(data)); }

std::string hmac_sha256_hex(std::string_view secret, std::string_view data) {
  return hex_encode(hmac_sha256(secret, data));
}

bool constant_time_equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string hex_encode(std::string_view bytes) {
  std::string text(bytes.size() * 2, '0');
  auto at = text.begin();
  for (char const c : bytes) {
    auto const byte = static_cast<unsigned char>(c);
    *at++ = hex_digits[byte >> 4];
    *at++ = hex_digits[byte & 15];
  }
  return text;
}

std::optional<std::string> hex_decode(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    int const high = hex_value(text[i]);
    int const low = hex_value(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

std::string base64_encode(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::size_t const count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text.push_back(j <= count ? base64_digits[group >> (18 - 6 * j) & 63] : '=');
  }
  return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t const padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string_view const digits = text.substr(0, text.size() - padding);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int bits_held = 0;
  for (char const c : digits) {
    int const value = base64_values[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    bits_held += 6;
    if (bits_held < 8) continue;
    bits_held -= 8;
    bytes.push_back(static_cast<char>(bits >> bits_held & 255));
    bits &= (1u << bits_held) - 1;
  }
  if (bits != 0) return std::nullopt;  // two texts must not mean the same bytes
  return bytes;
}

}  // namespace payonce
