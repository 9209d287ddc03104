// What we put on the wire to WeChat Pay (APIv3, direct merchant), and what its mini programs and apps are handed.
// Signing: https://pay.weixin.qq.com/doc/v3/merchant/4012365339.
#pragma once

#include <string>
#include <string_view>

#include "base/random.h"
#include "net/http_client.h"
#include "payment/order.h"
#include "provider/settings.h"
#include "provider/wechatpay/keys.h"

namespace payonce::wechatpay {

// How payments are begun, from the configuration.
struct Style {
  std::string app_id;
  std::string mch_id;
  std::string notify_url;
  std::string description;
  std::string default_method;
};

// Stored before anything is sent. A method is native, app, jsapi:OPENID or h5:IP, with the buyer's openid or address.
std::string write_create(Style const& style, Charge const& charge);
std::string write_refund(std::string const& notify_url, Refund const& refund, Attempt const& attempt);
// Why WeChat Pay does not take this money; empty if it does.
std::string refuses(Money amount);

// native, app, jsapi or h5, as the stored create names it; empty if it is none of them.
std::string trade_of(std::string const& request);

class Requests {
 public:
  Requests(ProviderSettings const& settings, Keys const& keys, Clock const& clock, Random& random);

  // `path` with its query, behind the host.
  HttpCall get(std::string const& path) const;
  HttpCall post(std::string const& path, std::string body) const;

  // What the buyer's mini program or app hands to WeChat to pay a prepared order, as JSON.
  std::string mini_program_parameters(std::string const& prepay_id) const;
  std::string app_parameters(std::string const& prepay_id) const;

 private:
  HttpCall call(std::string_view method, std::string const& path, std::string body) const;
  std::string nonce() const;
  std::string seconds() const;

  Keys const& keys_;
  Clock const& clock_;
  Random& random_;
  std::string const url_;
  std::string const app_id_;
  std::string const mch_id_;
  std::string const serial_;
};

}  // namespace payonce::wechatpay
