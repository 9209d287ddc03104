// RSA keys and certificates of the sandbox: made, kept as PEM, used with SHA-256 and PKCS #1 v1.5, as the providers do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

struct evp_pkey_st;

namespace payonce::sandbox {

class RsaKey {
 public:
  RsaKey() = default;  // none: to be given a value before use
  static RsaKey generate();
  // A private or a public key; invalid_request otherwise.
  static Result<RsaKey> from_pem(std::string_view pem);

  std::string private_pem() const;  // PKCS #8
  std::string public_pem() const;   // SubjectPublicKeyInfo

  // The signature's raw bytes.
  std::string sign(std::string_view text) const;
  bool verify(std::string_view text, std::string_view signature) const;

  evp_pkey_st* handle() const { return key_.get(); }

 private:
  explicit RsaKey(evp_pkey_st* key);
  std::shared_ptr<evp_pkey_st> key_;
};

// The distinguished names of certificates made here: O and C are the same in all.
struct CertificateOrder {
  std::string subject;  // its common name
  std::string issuer;   // the same for a certificate that signs itself
  std::uint64_t serial;
  Time valid_from;  // for ten years
  bool is_authority = false;
  std::string host = {};  // a DNS name it is good for, if any
};
// As PEM.
std::string make_certificate(CertificateOrder const& order, RsaKey const& key, RsaKey const& issuer_key);

// A distinguished name as it stands in RFC 2253: most specific first.
std::string distinguished_name(std::string_view common_name);

}  // namespace payonce::sandbox
