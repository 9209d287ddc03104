#include "base/rsa.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <stdexcept>

#include "base/certificate.h"
#include "base/crypto.h"

namespace payonce {

namespace {

struct Deleter {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using Bio = std::unique_ptr<BIO, Deleter>;
using Context = std::unique_ptr<EVP_MD_CTX, Deleter>;

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }

Bio bio_over(std::string_view text) { return Bio{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))}; }

bool is_pem(std::string_view text) { return text.find("-----BEGIN ") != std::string_view::npos; }

// The bytes of a key given as base64 with or without line breaks; empty if it is none.
std::string decode_bare(std::string_view text) {
  std::string digits;
  for (char const c : text)
    if (c != '\n' && c != '\r' && c != ' ' && c != '\t') digits.push_back(c);
  return base64_decode(digits).value_or(std::string{});
}

// No prompt for a password: a key that needs one can't be used.
int no_password(char*, int, int, void*) { return 0; }

RsaKeyHandle own(EVP_PKEY* key) { return {key, RsaKeyDeleter{}}; }

bool is_rsa(RsaKeyHandle const& key) { return key && EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_RSA; }

}  // namespace

void RsaKeyDeleter::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }

Result<RsaPrivateKey> RsaPrivateKey::parse(std::string_view text) {
  RsaKeyHandle key;
  if (is_pem(text)) {
    key = own(PEM_read_bio_PrivateKey(bio_over(text).get(), nullptr, no_password, nullptr));
  } else if (std::string const der = decode_bare(text); !der.empty()) {
    unsigned char const* at = bytes_of(der);
    key = own(d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(der.size())));
  }
  if (!is_rsa(key))
    return fail(ErrorCode::invalid_request, "the text is no RSA private key; give PEM without a password, or base64");
  return RsaPrivateKey{std::move(key)};
}

std::string RsaPrivateKey::sign_sha256(std::string_view data) const {
  Context const context{EVP_MD_CTX_new()};
  std::size_t size = 0;
  bool const is_ready = context && EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
                        EVP_DigestSign(context.get(), nullptr, &size, bytes_of(data), data.size()) == 1;
  std::string signature(size, '\0');
  if (!is_ready || EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                                  bytes_of(data), data.size()) != 1)
    throw std::runtime_error("RSA with SHA-256 is not available in this OpenSSL");
  signature.resize(size);
  return signature;
}

Result<RsaPublicKey> RsaPublicKey::parse(std::string_view text) {
  if (text.find("-----BEGIN CERTIFICATE-----") != std::string_view::npos) {
    auto const certificates = parse_certificates(text);
    if (!certificates) return std::unexpected(certificates.error());
    return certificates->front().public_key;
  }
  RsaKeyHandle key;
  if (is_pem(text)) {
    key = own(PEM_read_bio_PUBKEY(bio_over(text).get(), nullptr, no_password, nullptr));
  } else if (std::string const der = decode_bare(text); !der.empty()) {
    unsigned char const* at = bytes_of(der);
    key = own(d2i_PUBKEY(nullptr, &at, static_cast<long>(der.size())));
  }
  if (!is_rsa(key)) return fail(ErrorCode::invalid_request, "the text is no RSA public key; give PEM or base64");
  return RsaPublicKey{std::move(key)};
}

bool RsaPublicKey::verify_sha256(std::string_view data, std::string_view signature) const {
  Context const context{EVP_MD_CTX_new()};
  return context && EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(data), data.size()) == 1;
}

}  // namespace payonce
