#include "base/certificate.h"

#include <openssl/bn.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <ctime>
#include <memory>

namespace payonce {

namespace {

struct Deleter {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(char* text) const { OPENSSL_free(text); }
  void operator()(X509_STORE* store) const { X509_STORE_free(store); }
  void operator()(X509_STORE_CTX* context) const { X509_STORE_CTX_free(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Deleter>;

// Nothing if a part of the text is broken.
std::vector<Owned<X509>> read_all(std::string_view pem) {
  Owned<BIO> const bio{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))};
  std::vector<Owned<X509>> all;
  while (X509* const next = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) all.emplace_back(next);
  return all;
}

std::string text_of(ASN1_STRING const* value) {
  unsigned char* utf8 = nullptr;
  int const size = ASN1_STRING_to_UTF8(&utf8, value);
  if (size < 0) return {};
  std::string text{reinterpret_cast<char*>(utf8), static_cast<std::size_t>(size)};
  OPENSSL_free(utf8);
  return text;
}

// By hand, since OpenSSL's own form escapes what providers do not.
std::string issuer_of(X509 const* certificate) {
  X509_NAME const* const name = X509_get_issuer_name(certificate);
  std::string issuer;
  for (int i = X509_NAME_entry_count(name); i-- > 0;) {
    X509_NAME_ENTRY const* const entry = X509_NAME_get_entry(name, i);
    int const type = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
    if (!issuer.empty()) issuer.push_back(',');
    issuer.append(OBJ_nid2sn(type)).append("=").append(text_of(X509_NAME_ENTRY_get_data(entry)));
  }
  return issuer;
}

bool is_signed_by_rsa(X509 const* certificate) {
  char oid[64] = {};
  OBJ_obj2txt(oid, sizeof oid, OBJ_nid2obj(X509_get_signature_nid(certificate)), 1);
  return std::string_view{oid}.starts_with("1.2.840.113549.1.1");
}

Time time_of(ASN1_TIME const* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return Time{std::chrono::seconds{timegm(&parts)}};
}

}  // namespace

Result<std::vector<Certificate>> parse_certificates(std::string_view pem) {
  std::vector<Certificate> found;
  for (Owned<X509> const& one : read_all(pem)) {
    EVP_PKEY* const key = X509_get_pubkey(one.get());
    RsaKeyHandle handle{key, RsaKeyDeleter{}};
    if (!key || EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA) continue;
    Owned<BIGNUM> const serial{ASN1_INTEGER_to_BN(X509_get0_serialNumber(one.get()), nullptr)};
    Owned<char> const decimal{BN_bn2dec(serial.get())};
    Owned<char> const hex{BN_bn2hex(serial.get())};
    found.push_back({issuer_of(one.get()), decimal.get(), hex.get(), is_signed_by_rsa(one.get()),
                     time_of(X509_get0_notBefore(one.get())), time_of(X509_get0_notAfter(one.get())),
                     RsaPublicKey{std::move(handle)}});
  }
  if (found.empty()) return fail(ErrorCode::invalid_request, "the text holds no certificate with an RSA key; give PEM");
  return found;
}

bool is_trusted_chain(std::string_view pem, std::string const& host, Time now) {
  std::vector<Owned<X509>> const all = read_all(pem);
  if (all.empty()) return false;
  STACK_OF(X509)* const others = sk_X509_new_null();
  for (std::size_t i = 1; i < all.size(); ++i) sk_X509_push(others, all[i].get());
  Owned<X509_STORE> const store{X509_STORE_new()};
  Owned<X509_STORE_CTX> const context{X509_STORE_CTX_new()};
  bool const is_ready = X509_STORE_set_default_paths(store.get()) == 1 &&
                        X509_STORE_CTX_init(context.get(), store.get(), all.front().get(), others) == 1;
  if (is_ready) X509_STORE_CTX_set_time(context.get(), 0, to_epoch_ms(now) / 1'000);
  bool const is_trusted = is_ready && X509_verify_cert(context.get()) == 1 &&
                          X509_check_host(all.front().get(), host.data(), host.size(), 0, nullptr) == 1;
  sk_X509_free(others);
  return is_trusted;
}

}  // namespace payonce
