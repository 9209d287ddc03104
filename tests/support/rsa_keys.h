// RSA keys for tests, made once per process: no private key is kept in the repository.
#pragma once

#include <string>

namespace payonce::test {

struct RsaKeyPair {
  std::string private_pem;
  std::string public_pem;
};

// The same pair for the same number.
RsaKeyPair const& rsa_keys(int number);

}  // namespace payonce::test
