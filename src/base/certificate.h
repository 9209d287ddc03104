// What payonce reads of X.509 certificates. Not for: TLS, whose certificates the HTTP client checks by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/rsa.h"

namespace payonce {

struct Certificate {
  std::string issuer;          // "CN=…,OU=…,O=…,C=…": most specific part first, commas without blanks, nothing escaped
  std::string serial_decimal;  // of the issuer's making
  std::string serial_hex;      // upper case
  bool is_signed_by_rsa = false;
  Time not_before;
  Time not_after;
  RsaPublicKey public_key;
};

// The certificates of a PEM text with RSA keys, in their order; those with other keys are left out. invalid_request if
// none is left, or a part of the text is broken.
Result<std::vector<Certificate>> parse_certificates(std::string_view pem);

// Whether the first certificate of `pem` leads to one that the system trusts, over the others of `pem`, at the time
// `now`, and names `host`.
bool is_trusted_chain(std::string_view pem, std::string const& host, Time now);

}  // namespace payonce
