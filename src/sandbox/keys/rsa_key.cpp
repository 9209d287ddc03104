#include "sandbox/keys/rsa_key.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace payonce::sandbox {

namespace {

constexpr int key_bits = 2048;  // what the providers ask for
constexpr std::string_view organization = "payonce sandbox";
constexpr std::string_view country = "CN";
constexpr std::int64_t valid_seconds = std::int64_t{10} * 365 * 24 * 3600;

template <auto free>
struct Free {
  void operator()(auto* object) const { free(object); }
};
using Bio = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Name = std::unique_ptr<X509_NAME, Free<X509_NAME_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>>;

void expect(bool holds, std::string_view what) {
  if (!holds) throw std::runtime_error(fmt::format("OpenSSL can't {}", what));
}

unsigned char const* bytes_of(std::string_view text) { return reinterpret_cast<unsigned char const*>(text.data()); }
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

Bio writer() {
  Bio bio{BIO_new(BIO_s_mem())};
  expect(bio != nullptr, "make a buffer");
  return bio;
}

std::string text_in(Bio const& bio) {
  char* data = nullptr;
  long const size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

Name name_of(std::string_view common_name) {
  Name name{X509_NAME_new()};
  auto const add = [&](char const* field, std::string_view value) {
    expect(X509_NAME_add_entry_by_txt(name.get(), field, MBSTRING_UTF8, bytes_of(value), static_cast<int>(value.size()),
                                      -1, 0) == 1,
           "write a name");
  };
  add("C", country);
  add("O", organization);
  add("CN", common_name);
  return name;
}

void add_extension(X509* certificate, int id, std::string const& value) {
  Extension const extension{X509V3_EXT_conf_nid(nullptr, nullptr, id, value.c_str())};
  expect(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1, "write an extension");
}

}  // namespace

RsaKey::RsaKey(evp_pkey_st* key) : key_(key, EVP_PKEY_free) {}

RsaKey RsaKey::generate() {
  EVP_PKEY* const key = EVP_RSA_gen(key_bits);
  expect(key != nullptr, "make an RSA key");
  return RsaKey{key};
}

Result<RsaKey> RsaKey::from_pem(std::string_view pem) {
  auto const open = [&] { return Bio{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))}; };
  EVP_PKEY* key = PEM_read_bio_PrivateKey(open().get(), nullptr, nullptr, nullptr);
  if (key == nullptr) key = PEM_read_bio_PUBKEY(open().get(), nullptr, nullptr, nullptr);
  if (key == nullptr) return fail(ErrorCode::invalid_request, "this is not an RSA key in PEM");
  return RsaKey{key};
}

std::string RsaKey::private_pem() const {
  Bio const bio = writer();
  expect(PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
         "write a private key");
  return text_in(bio);
}

std::string RsaKey::public_pem() const {
  Bio const bio = writer();
  expect(PEM_write_bio_PUBKEY(bio.get(), key_.get()) == 1, "write a public key");
  return text_in(bio);
}

std::string RsaKey::sign(std::string_view text) const {
  Digest const digest{EVP_MD_CTX_new()};
  std::size_t size = 0;
  expect(EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
             EVP_DigestSign(digest.get(), nullptr, &size, bytes_of(text), text.size()) == 1,
         "sign");
  std::string signature(size, '\0');
  expect(EVP_DigestSign(digest.get(), bytes_of(signature), &size, bytes_of(text), text.size()) == 1, "sign");
  signature.resize(size);
  return signature;
}

bool RsaKey::verify(std::string_view text, std::string_view signature) const {
  Digest const digest{EVP_MD_CTX_new()};
  return EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
         EVP_DigestVerify(digest.get(), bytes_of(signature), signature.size(), bytes_of(text), text.size()) == 1;
}

std::string make_certificate(CertificateOrder const& order, RsaKey const& key, RsaKey const& issuer_key) {
  Certificate const certificate{X509_new()};
  X509* const raw = certificate.get();
  std::int64_t const from = to_epoch_ms(order.valid_from) / 1000;
  expect(X509_set_version(raw, X509_VERSION_3) == 1 &&
             ASN1_INTEGER_set_uint64(X509_get_serialNumber(raw), order.serial) == 1 &&
             X509_set_subject_name(raw, name_of(order.subject).get()) == 1 &&
             X509_set_issuer_name(raw, name_of(order.issuer).get()) == 1 &&
             ASN1_TIME_set(X509_getm_notBefore(raw), from) != nullptr &&
             ASN1_TIME_set(X509_getm_notAfter(raw), from + valid_seconds) != nullptr &&
             X509_set_pubkey(raw, key.handle()) == 1,
         "fill a certificate");
  add_extension(raw, NID_basic_constraints, order.is_authority ? "critical,CA:TRUE" : "CA:FALSE");
  if (!order.host.empty()) add_extension(raw, NID_subject_alt_name, "DNS:" + order.host);
  expect(X509_sign(raw, issuer_key.handle(), EVP_sha256()) > 0, "sign a certificate");
  Bio const bio = writer();
  expect(PEM_write_bio_X509(bio.get(), raw) == 1, "write a certificate");
  return text_in(bio);
}

std::string distinguished_name(std::string_view common_name) {
  return fmt::format("CN={},O={},C={}", common_name, organization, country);
}

}  // namespace payonce::sandbox
