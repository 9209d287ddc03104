// The keys of an Alipay application: ours to sign with, Alipay's to check with, in public-key or certificate mode
// (https://opendocs.alipay.com/common/02kf5q). Read again when their files change.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/certificate.h"
#include "base/rsa.h"
#include "provider/parsed_secret.h"
#include "provider/settings.h"

namespace payonce::alipay {

using Parameters = std::map<std::string, std::string, std::less<>>;

// "a=1&b=2": sorted by name, values as they are.
std::string text_to_sign(Parameters const& parameters);

// A certificate's number as Alipay writes it: MD5 over issuer and serial.
std::string serial_of(Certificate const& certificate);
// Of a bundle of root certificates: those signed with RSA, joined by "_".
std::string serial_of_roots(std::vector<Certificate> const& roots);

class Keys {
 public:
  explicit Keys(ProviderSettings const& settings);

  // What is missing or can't be read, as a sentence that names the setting; empty if all is well.
  std::string problem() const;

  // Base64, over all parameters that are not empty.
  std::string sign(Parameters const& parameters) const;
  // app_cert_sn and alipay_root_cert_sn, in certificate mode.
  void add_serials(Parameters& parameters) const;
  // Whether Alipay signed these bytes. `serial` is the certificate it names, empty in public-key mode.
  bool verify(std::string_view text, std::string_view signature_base64, std::string_view serial) const;

 private:
  using PublicKey = ParsedSecret<RsaPublicKey>;
  using Chain = ParsedSecret<std::vector<Certificate>>;

  bool has_certificates() const { return !alipay_certificates_.empty(); }

  ParsedSecret<RsaPrivateKey> private_key_;
  std::vector<PublicKey> alipay_keys_;
  std::vector<Chain> alipay_certificates_;
  Chain app_certificate_;
  Chain root_certificates_;
};

}  // namespace payonce::alipay
