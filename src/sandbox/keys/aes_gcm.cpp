#include "sandbox/keys/aes_gcm.h"

#include <openssl/evp.h>

#include <memory>
#include <stdexcept>

#include "base/crypto.h"

namespace payonce::sandbox {

namespace {

constexpr int tag_bytes = 16;

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

std::string encrypt_aes_gcm(std::string_view key, std::string_view nonce, std::string_view associated_data,
                            std::string_view plaintext) {
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> const context{EVP_CIPHER_CTX_new(),
                                                                                EVP_CIPHER_CTX_free};
  std::string sealed(plaintext.size(), '\0');
  std::string tag(tag_bytes, '\0');
  int size = 0;
  bool const done =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, bytes_of(key), bytes_of(nonce)) == 1 &&
      EVP_EncryptUpdate(context.get(), nullptr, &size, bytes_of(associated_data),
                        static_cast<int>(associated_data.size())) == 1 &&
      EVP_EncryptUpdate(context.get(), bytes_of(sealed), &size, bytes_of(plaintext),
                        static_cast<int>(plaintext.size())) == 1 &&
      EVP_EncryptFinal_ex(context.get(), bytes_of(sealed) + size, &size) == 1 &&
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, tag_bytes, tag.data()) == 1;
  if (!done) throw std::runtime_error("OpenSSL can't encrypt with AES-256-GCM");
  return base64_encode(sealed + tag);
}

}  // namespace payonce::sandbox
