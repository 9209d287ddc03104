#include "sandbox/keys/merchant_keys.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <boost/json.hpp>
#include <utility>

#include "base/crypto.h"

#include "base/id.h"
#include "sandbox/keys/key_folder.h"

namespace payonce::sandbox {

namespace json = boost::json;

namespace {

KeyFiles make_stripe(Time now, Random& random) {
  json::object const settings{{"secret_key", "sk_test_" + mint_suffix(now, random)},
                              {"webhook_secret", "whsec_" + mint_suffix(now, random)}};
  return {{std::string{settings_file}, json::serialize(settings)}};
}

Result<StripeKeys> open_stripe(std::string const& folder, Time now, Random& random) {
  auto const files = open_key_folder(folder + "/stripe", [&] { return make_stripe(now, random); });
  if (!files) return std::unexpected(files.error());
  KeyReader reader{*files};
  StripeKeys keys{.secret_key = reader.setting("secret_key"), .webhook_secret = reader.setting("webhook_secret")};
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return keys;
}

// Certificate mode names a certificate by the MD5 of its issuer and its serial in decimal.
// Source: antcertutil of alipay-sdk for Node.
std::string alipay_serial(std::string_view issuer, std::uint64_t serial) {
  std::string const text = distinguished_name(issuer) + std::to_string(serial);
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(digest.data()), &size, EVP_md5(), nullptr);
  digest.resize(size);
  return hex_encode(digest);
}

constexpr std::string_view alipay_root = "Sandbox Alipay Root";
constexpr std::uint64_t root_serial = 1;
constexpr std::uint64_t alipay_serial_number = 2;
constexpr std::uint64_t app_serial_number = 3;

KeyFiles make_alipay(Time now) {
  RsaKey const root = RsaKey::generate();
  RsaKey const app = RsaKey::generate();
  RsaKey const alipay = RsaKey::generate();
  std::string const issuer{alipay_root};
  auto const certificate = [&](std::string subject, std::uint64_t serial, RsaKey const& key) {
    bool const is_root = subject == issuer;
    return make_certificate(
        {.subject = std::move(subject), .issuer = issuer, .serial = serial, .valid_from = now, .is_authority = is_root},
        key, root);
  };
  json::object const settings{{"app_id", "2021000000000001"},
                              {"seller_id", "2088000000000009"},
                              {"app_cert_sn", alipay_serial(issuer, app_serial_number)},
                              {"alipay_cert_sn", alipay_serial(issuer, alipay_serial_number)},
                              {"alipay_root_cert_sn", alipay_serial(issuer, root_serial)}};
  return {{"app_private_key.pem", app.private_pem()},
          {"app_public_key.pem", app.public_pem()},
          {"app_cert.pem", certificate("Sandbox Shop", app_serial_number, app)},
          {"alipay_private_key.pem", alipay.private_pem()},
          {"alipay_public_key.pem", alipay.public_pem()},
          {"alipay_cert.pem", certificate("Sandbox Alipay", alipay_serial_number, alipay)},
          {"alipay_root_cert.pem", certificate(issuer, root_serial, root)},
          {std::string{settings_file}, json::serialize(settings)}};
}

Result<AlipayKeys> open_alipay(std::string const& folder, Time now) {
  auto const files = open_key_folder(folder + "/alipay", [&] { return make_alipay(now); });
  if (!files) return std::unexpected(files.error());
  KeyReader reader{*files};
  AlipayKeys keys{.app_id = reader.setting("app_id"),
                  .seller_id = reader.setting("seller_id"),
                  .app_key = reader.key("app_public_key.pem"),
                  .alipay_key = reader.key("alipay_private_key.pem"),
                  .app_cert_sn = reader.setting("app_cert_sn"),
                  .alipay_cert_sn = reader.setting("alipay_cert_sn"),
                  .alipay_root_cert_sn = reader.setting("alipay_root_cert_sn")};
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return keys;
}

constexpr std::uint64_t merchant_serial = 0x5157F09EFDC096DEULL;
constexpr std::uint64_t platform_serial = 0x7132D72A03E93CDDULL;

KeyFiles make_wechatpay(Time now, Random& random) {
  RsaKey const merchant = RsaKey::generate();
  RsaKey const wechatpay = RsaKey::generate();
  RsaKey const platform = RsaKey::generate();
  auto const certificate = [&](std::string const& subject, std::uint64_t serial, RsaKey const& key) {
    return make_certificate({.subject = subject, .issuer = subject, .serial = serial, .valid_from = now}, key, key);
  };
  std::string const key = mint_suffix(now, random) + mint_suffix(now, random).substr(20);  // 32 characters
  json::object const settings{{"mchid", "1900000109"},
                              {"appid", "wx8888888888888888"},
                              {"api_v3_key", key},
                              {"merchant_serial", fmt::format("{:X}", merchant_serial)},
                              {"public_key_id", "PUB_KEY_ID_0000000000000000000000000001"},
                              {"platform_serial", fmt::format("{:X}", platform_serial)},
                              {"made_at", to_rfc3339(now)}};
  return {{"merchant_private_key.pem", merchant.private_pem()},
          {"merchant_public_key.pem", merchant.public_pem()},
          {"merchant_cert.pem", certificate("Sandbox Shop", merchant_serial, merchant)},
          {"wechatpay_private_key.pem", wechatpay.private_pem()},
          {"wechatpay_public_key.pem", wechatpay.public_pem()},
          {"platform_private_key.pem", platform.private_pem()},
          {"platform_cert.pem", certificate("Sandbox WeChat Pay", platform_serial, platform)},
          {std::string{settings_file}, json::serialize(settings)}};
}

Result<WechatpayKeys> open_wechatpay(std::string const& folder, Time now, Random& random) {
  auto const files = open_key_folder(folder + "/wechatpay", [&] { return make_wechatpay(now, random); });
  if (!files) return std::unexpected(files.error());
  KeyReader reader{*files};
  WechatpayKeys keys{.mchid = reader.setting("mchid"),
                     .appid = reader.setting("appid"),
                     .api_v3_key = reader.setting("api_v3_key"),
                     .merchant_serial = reader.setting("merchant_serial"),
                     .merchant_key = reader.key("merchant_public_key.pem"),
                     .public_key_id = reader.setting("public_key_id"),
                     .wechatpay_key = reader.key("wechatpay_private_key.pem"),
                     .platform_serial = reader.setting("platform_serial"),
                     .platform_key = reader.key("platform_private_key.pem"),
                     .platform_certificate = reader.text("platform_cert.pem"),
                     .made_at = parse_rfc3339(reader.setting("made_at")).value_or(now)};
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return keys;
}

KeyFiles make_paypal(Time now, Random& random) {
  RsaKey const root = RsaKey::generate();
  RsaKey const webhook = RsaKey::generate();
  std::string const issuer = "Sandbox PayPal Root";
  json::object const settings{{"client_id", "sandbox-" + mint_suffix(now, random)},
                              {"client_secret", mint_suffix(now, random)},
                              {"merchant_id", "SANDBOXMERCHANT"},
                              {"webhook_id", "WH-SANDBOX"}};
  CertificateOrder const authority{
      .subject = issuer, .issuer = issuer, .serial = 1, .valid_from = now, .is_authority = true};
  CertificateOrder const signer{.subject = "messageverificationcerts.paypal.com",
                                .issuer = issuer,
                                .serial = 2,
                                .valid_from = now,
                                .host = "messageverificationcerts.paypal.com"};
  return {{"webhook_private_key.pem", webhook.private_pem()},
          {"webhook_cert.pem", make_certificate(signer, webhook, root)},
          {"root_cert.pem", make_certificate(authority, root, root)},
          {std::string{settings_file}, json::serialize(settings)}};
}

Result<PaypalKeys> open_paypal(std::string const& folder, Time now, Random& random) {
  auto const files = open_key_folder(folder + "/paypal", [&] { return make_paypal(now, random); });
  if (!files) return std::unexpected(files.error());
  KeyReader reader{*files};
  PaypalKeys keys{.client_id = reader.setting("client_id"),
                  .client_secret = reader.setting("client_secret"),
                  .merchant_id = reader.setting("merchant_id"),
                  .webhook_id = reader.setting("webhook_id"),
                  .webhook_key = reader.key("webhook_private_key.pem"),
                  .webhook_certificate = reader.text("webhook_cert.pem")};
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  return keys;
}

}  // namespace

Result<MerchantKeys> MerchantKeys::open(std::string const& folder, Time now, Random& random) {
  auto stripe = open_stripe(folder, now, random);
  if (!stripe) return std::unexpected(stripe.error());
  auto alipay = open_alipay(folder, now);
  if (!alipay) return std::unexpected(alipay.error());
  auto wechatpay = open_wechatpay(folder, now, random);
  if (!wechatpay) return std::unexpected(wechatpay.error());
  auto paypal = open_paypal(folder, now, random);
  if (!paypal) return std::unexpected(paypal.error());
  return MerchantKeys{.stripe = std::move(*stripe),
                      .alipay = std::move(*alipay),
                      .wechatpay = std::move(*wechatpay),
                      .paypal = std::move(*paypal)};
}

}  // namespace payonce::sandbox
