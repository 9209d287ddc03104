#include "provider/alipay/keys.h"

#include <openssl/evp.h>

#include <stdexcept>

#include "base/crypto.h"

namespace payonce::alipay {

namespace {

std::string md5_hex(std::string_view data) {
  std::string digest(16, '\0');
  if (EVP_Digest(data.data(), data.size(), reinterpret_cast<unsigned char*>(digest.data()), nullptr, EVP_md5(),
                 nullptr) != 1)
    throw std::runtime_error("MD5, which Alipay numbers certificates by, is not available in this OpenSSL");
  return hex_encode(digest);
}

template <class Parsed>
std::vector<Parsed> all_of(ProviderSettings const& settings, std::string_view option, typename Parsed::Parse parse) {
  std::vector<Parsed> parsed;
  auto const at = settings.options.find(option);
  if (at == settings.options.end()) return parsed;
  for (Secret const& secret : at->second) parsed.emplace_back(secret, parse);
  return parsed;
}

template <class Parsed>
void note_problem(std::string& problem, std::string_view option, Parsed const& parsed) {
  auto const value = parsed.get();
  if (!value && problem.empty()) problem = std::string{option} + ": " + value.error().detail;
}

}  // namespace

std::string text_to_sign(Parameters const& parameters) {
  std::string text;
  for (auto const& [name, value] : parameters) {
    if (!text.empty()) text.push_back('&');
    text.append(name).append("=").append(value);
  }
  return text;
}

std::string serial_of(Certificate const& certificate) {
  return md5_hex(certificate.issuer + certificate.serial_decimal);
}

std::string serial_of_roots(std::vector<Certificate> const& roots) {
  std::string joined;
  for (Certificate const& root : roots)
    if (root.is_signed_by_rsa) joined.append(joined.empty() ? "" : "_").append(serial_of(root));
  return joined;
}

Keys::Keys(ProviderSettings const& settings)
    : private_key_(settings.secret("private_key"), &RsaPrivateKey::parse),
      alipay_keys_(all_of<PublicKey>(settings, "alipay_public_keys", &RsaPublicKey::parse)),
      alipay_certificates_(all_of<Chain>(settings, "alipay_certificates", &parse_certificates)),
      app_certificate_(settings.secret("app_certificate"), &parse_certificates),
      root_certificates_(settings.secret("alipay_root_certificates"), &parse_certificates) {}

std::string Keys::problem() const {
  std::string problem;
  note_problem(problem, "private_key", private_key_);
  for (auto const& key : alipay_keys_) note_problem(problem, "alipay_public_keys", key);
  for (auto const& chain : alipay_certificates_) note_problem(problem, "alipay_certificates", chain);
  if (has_certificates()) {
    note_problem(problem, "app_certificate", app_certificate_);
    note_problem(problem, "alipay_root_certificates", root_certificates_);
  }
  if (problem.empty() && alipay_keys_.empty() && !has_certificates())
    problem =
        "alipay_public_keys: give Alipay's public key, or all of app_certificate, alipay_certificates and "
        "alipay_root_certificates";
  return problem;
}

std::string Keys::sign(Parameters const& parameters) const {
  return base64_encode((*private_key_.get())->sign_sha256(text_to_sign(parameters)));
}

void Keys::add_serials(Parameters& parameters) const {
  if (!has_certificates()) return;
  parameters["app_cert_sn"] = serial_of((*app_certificate_.get())->front());
  parameters["alipay_root_cert_sn"] = serial_of_roots(**root_certificates_.get());
}

bool Keys::verify(std::string_view text, std::string_view signature_base64, std::string_view serial) const {
  auto const signature = base64_decode(signature_base64);
  if (!signature || signature->empty()) return false;
  // A certificate that is named but not ours may be a new one of Alipay's, or anybody's.
  if (has_certificates() && !serial.empty()) {
    for (auto const& chain : alipay_certificates_) {
      Certificate const& certificate = (*chain.get())->front();
      if (serial_of(certificate) == serial) return certificate.public_key.verify_sha256(text, *signature);
    }
    return false;
  }
  for (auto const& chain : alipay_certificates_)
    if ((*chain.get())->front().public_key.verify_sha256(text, *signature)) return true;
  for (auto const& key : alipay_keys_)
    if ((*key.get())->verify_sha256(text, *signature)) return true;
  return false;
}

}  // namespace payonce::alipay
