#include "support/rsa_keys.h"

#include <openssl/evp.h>
#include <openssl/pem.h>

#include <map>
#include <memory>
#include <stdexcept>

namespace payonce::test {

namespace {

struct Deleter {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};

template <class Write>
std::string written(Write write) {
  std::unique_ptr<BIO, Deleter> const bio{BIO_new(BIO_s_mem())};
  if (write(bio.get()) != 1) throw std::runtime_error("a test key can't be written");
  char* data = nullptr;
  auto const size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

RsaKeyPair make() {
  std::unique_ptr<EVP_PKEY, Deleter> const key{EVP_RSA_gen(2048)};
  if (!key) throw std::runtime_error("a test key can't be made");
  return {written([&](BIO* bio) {
            return PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          }),
          written([&](BIO* bio) { return PEM_write_bio_PUBKEY(bio, key.get()); })};
}

}  // namespace

RsaKeyPair const& rsa_keys(int number) {
  static std::map<int, RsaKeyPair> keys;
  auto const at = keys.find(number);
  return at != keys.end() ? at->second : keys.emplace(number, make()).first->second;
}

}  // namespace payonce::test
