// RSA signatures over SHA-256 (PKCS#1 v1.5), as payment providers make and check them, over OpenSSL.
// Not for: which bytes are signed; that belongs to each scheme.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct evp_pkey_st;

namespace payonce {

// Deletes through OpenSSL, so that its headers stay out of ours.
struct RsaKeyDeleter {
  void operator()(evp_pkey_st* key) const;
};
using RsaKeyHandle = std::shared_ptr<evp_pkey_st>;

// Both are small and cheap to copy; all functions may be called from any thread.
class RsaPrivateKey {
 public:
  // PEM (PKCS#1 or PKCS#8, not encrypted), or the bare base64 of either, as providers' consoles give it out.
  // invalid_request otherwise, never with a part of the text.
  static Result<RsaPrivateKey> parse(std::string_view text);

  // Raw signature bytes.
  std::string sign_sha256(std::string_view data) const;

 private:
  explicit RsaPrivateKey(RsaKeyHandle key) : key_(std::move(key)) {}
  RsaKeyHandle key_;
};

class RsaPublicKey {
 public:
  // PEM of a public key or of a certificate, or the bare base64 of a public key. invalid_request otherwise.
  static Result<RsaPublicKey> parse(std::string_view text);
  explicit RsaPublicKey(RsaKeyHandle key) : key_(std::move(key)) {}

  bool verify_sha256(std::string_view data, std::string_view signature) const;

 private:
  RsaKeyHandle key_;
};

}  // namespace payonce
