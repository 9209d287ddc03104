#include "provider/wechatpay/keys.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <optional>

#include "base/aes_gcm.h"
#include "base/crypto.h"
#include "provider/json_fields.h"

namespace payonce::wechatpay {

namespace {

namespace json = boost::json;

constexpr std::chrono::seconds window{300};
constexpr std::size_t api_v3_key_bytes = 32;
// WeChat Pay now and then sends a signature that is wrong on purpose, to see that it is checked.
constexpr std::string_view probe = "WECHATPAY/SIGNTEST/";

std::unexpected<Error> refuse(std::string why) {
  return fail(ErrorCode::signature_invalid, "WeChat Pay's signature " + std::move(why));
}

std::optional<Time> parse_seconds(std::string_view text) {
  std::int64_t seconds = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() > 12) return std::nullopt;
  return Time{std::chrono::seconds{seconds}};
}

}  // namespace

Keys::Keys(ProviderSettings const& settings)
    : private_key_(settings.secret("private_key"), &RsaPrivateKey::parse),
      api_v3_key_(settings.secret("api_v3_key")),
      public_key_id_(settings.option("public_key_id")),
      public_key_(settings.secret("public_key"), &RsaPublicKey::parse),
      downloaded_(std::make_shared<std::map<std::string, Certificate, std::less<>>>()) {
  auto const at = settings.options.find("platform_certificates");
  if (at == settings.options.end()) return;
  for (Secret const& secret : at->second) platform_certificates_.emplace_back(secret, &parse_certificates);
}

std::string Keys::problem() const {
  if (auto const key = private_key_.get(); !key) return "private_key: " + key.error().detail;
  if (api_v3_key_.line().size() != api_v3_key_bytes) return "api_v3_key: must have 32 characters";
  for (Chain const& chain : platform_certificates_)
    if (auto const parsed = chain.get(); !parsed) return "platform_certificates: " + parsed.error().detail;
  if (!public_key_id_.empty())
    if (auto const key = public_key_.get(); !key) return "public_key: " + key.error().detail;
  if (public_key_id_.empty() && platform_certificates_.empty())
    return "public_key_id: give it with public_key, or platform_certificates";
  return {};
}

std::string Keys::sign(std::string_view text) const { return base64_encode((*private_key_.get())->sign_sha256(text)); }

std::string Keys::answer_key_id() const {
  return public_key_id_.empty() ? (*platform_certificates_.front().get())->front().serial_hex : public_key_id_;
}

RsaPublicKey const* Keys::find(std::string_view id) const {
  if (!public_key_id_.empty() && id == public_key_id_) return *public_key_.get();
  for (Chain const& chain : platform_certificates_)
    for (Certificate const& certificate : **chain.get())
      if (certificate.serial_hex == id) return &certificate.public_key;
  auto const at = downloaded_->find(id);
  return at == downloaded_->end() ? nullptr : &at->second.public_key;
}

Result<Certificate> Keys::open_certificate(json::object const& entry, Time now) const {
  auto const* sealed = object_at(entry, "encrypt_certificate");
  auto const pem =
      sealed ? open(text_at(*sealed, "nonce"), text_at(*sealed, "associated_data"), text_at(*sealed, "ciphertext"))
             : std::nullopt;
  if (!pem) return fail(ErrorCode::signature_invalid, "a platform certificate is not sealed with api_v3_key");
  auto certificates = parse_certificates(*pem);
  if (!certificates) return std::unexpected(certificates.error());
  Certificate& certificate = certificates->front();
  if (certificate.serial_hex != text_at(entry, "serial_no") || now < certificate.not_before ||
      now > certificate.not_after)
    return fail(ErrorCode::signature_invalid, "a platform certificate is not valid now, or has another serial number");
  return std::move(certificate);
}

Result<void> Keys::take_certificates(HttpHeaders const& headers, std::string const& body, Time now) const {
  boost::system::error_code error;
  json::value const value = json::parse(body, error);
  auto const* object = error ? nullptr : value.if_object();
  auto const* data = object ? object->if_contains("data") : nullptr;
  if (!data || !data->is_array())
    return fail(ErrorCode::signature_invalid, "the answer holds no platform certificates");
  auto const before = *downloaded_;
  json::object const nothing;
  Result<void> taken;
  for (json::value const& entry : data->get_array()) {
    auto certificate = open_certificate(entry.is_object() ? entry.get_object() : nothing, now);
    if (!certificate) {
      taken = std::unexpected(certificate.error());
      break;
    }
    std::string const serial = certificate->serial_hex;
    downloaded_->insert_or_assign(serial, std::move(*certificate));
  }
  if (taken) taken = check(headers, body, now);
  if (!taken) *downloaded_ = before;
  return taken;
}

Result<void> Keys::check(HttpHeaders const& headers, std::string_view body, Time now) const {
  for (std::string_view const name :
       {"Wechatpay-Timestamp", "Wechatpay-Nonce", "Wechatpay-Signature", "Wechatpay-Serial"})
    if (count_headers(headers, name) != 1) return refuse(fmt::format("needs one header {}", name));
  std::string_view const time = *find_header(headers, "Wechatpay-Timestamp");
  std::string_view const signature = *find_header(headers, "Wechatpay-Signature");
  if (signature.starts_with(probe)) return refuse("is a probe, wrong on purpose");
  auto const signed_at = parse_seconds(time);
  if (!signed_at || std::chrono::abs(now - *signed_at) > window) return refuse("was made more than 5 minutes from now");
  RsaPublicKey const* const key = find(*find_header(headers, "Wechatpay-Serial"));
  if (!key)
    return refuse(fmt::format("is by key {}, which is not known; add it to platform_certificates or public_key",
                              find_header(headers, "Wechatpay-Serial")->substr(0, 64)));
  auto const bytes = base64_decode(signature);
  std::string const text = fmt::format("{}\n{}\n{}\n", time, *find_header(headers, "Wechatpay-Nonce"), body);
  if (!bytes || !key->verify_sha256(text, *bytes)) return refuse("does not fit these bytes");
  return {};
}

std::optional<std::string> Keys::open(std::string_view nonce, std::string_view aad,
                                      std::string_view sealed_base64) const {
  auto const sealed = base64_decode(sealed_base64);
  return sealed ? open_aes_256_gcm(api_v3_key_.line(), nonce, aad, *sealed) : std::nullopt;
}

}  // namespace payonce::wechatpay
