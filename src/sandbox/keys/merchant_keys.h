// What merchant and providers know of each other: keys, secrets and account numbers, made once and kept in a folder
// from which a configuration can be written. Nothing in it opens anything but a sandbox.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/random.h"
#include "sandbox/keys/rsa_key.h"

namespace payonce::sandbox {

struct StripeKeys {
  std::string secret_key;      // sk_test_…
  std::string webhook_secret;  // whsec_…
};

struct AlipayKeys {
  std::string app_id;
  std::string seller_id;
  RsaKey app_key;     // the merchant's
  RsaKey alipay_key;  // signs answers and notices
  // Serials of the certificates, as certificate mode names them.
  std::string app_cert_sn;
  std::string alipay_cert_sn;
  std::string alipay_root_cert_sn;
};

struct WechatpayKeys {
  std::string mchid;
  std::string appid;
  std::string api_v3_key;  // 32 characters
  std::string merchant_serial;
  RsaKey merchant_key;
  // The two ways in which WeChat Pay signs: with a key that never expires, or with that of a certificate.
  std::string public_key_id;
  RsaKey wechatpay_key;
  std::string platform_serial;
  RsaKey platform_key;
  std::string platform_certificate;
  Time made_at{};
};

struct PaypalKeys {
  std::string client_id;
  std::string client_secret;
  std::string merchant_id;
  std::string webhook_id;
  RsaKey webhook_key;
  std::string webhook_certificate;
};

struct MerchantKeys {
  StripeKeys stripe;
  AlipayKeys alipay;
  WechatpayKeys wechatpay;
  PaypalKeys paypal;

  // Reads the folder, and makes what is not there. Errors as of open_key_folder.
  static Result<MerchantKeys> open(std::string const& folder, Time now, Random& random);
};

}  // namespace payonce::sandbox
