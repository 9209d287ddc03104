#include "base/aes_gcm.h"

#include <openssl/evp.h>

#include <memory>

namespace payonce {

namespace {

constexpr std::size_t key_bytes = 32;
constexpr std::size_t tag_bytes = 16;

struct ContextDeleter {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }

}  // namespace

std::optional<std::string> open_aes_256_gcm(std::string_view key, std::string_view nonce, std::string_view aad,
                                            std::string_view sealed) {
  if (key.size() != key_bytes || nonce.empty() || sealed.size() < tag_bytes) return std::nullopt;
  std::string_view const text = sealed.substr(0, sealed.size() - tag_bytes);
  std::string tag{sealed.substr(text.size())};
  std::unique_ptr<EVP_CIPHER_CTX, ContextDeleter> const context{EVP_CIPHER_CTX_new()};
  std::string plain(text.size(), '\0');
  int size = 0;
  int rest = 0;
  auto* const out = reinterpret_cast<unsigned char*>(plain.data());
  bool const is_genuine =
      context && EVP_DecryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, nullptr, nullptr) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_IVLEN, static_cast<int>(nonce.size()), nullptr) == 1 &&
      EVP_DecryptInit_ex(context.get(), nullptr, nullptr, bytes_of(key), bytes_of(nonce)) == 1 &&
      (aad.empty() ||
       EVP_DecryptUpdate(context.get(), nullptr, &size, bytes_of(aad), static_cast<int>(aad.size())) == 1) &&
      EVP_DecryptUpdate(context.get(), out, &size, bytes_of(text), static_cast<int>(text.size())) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag_bytes), tag.data()) == 1 &&
      EVP_DecryptFinal_ex(context.get(), out + size, &rest) == 1;
  if (!is_genuine) return std::nullopt;
  return plain;
}

}  // namespace payonce
