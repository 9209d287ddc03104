// What we put on the wire to Alipay's gateway, and the signed strings that a buyer's browser or phone takes there
// itself. Protocol: https://opendocs.alipay.com/common/02kf5q (version 1.0 of the gateway).
#pragma once

#include <string>
#include <string_view>

#include "net/http_client.h"
#include "payment/order.h"
#include "provider/alipay/keys.h"
#include "provider/settings.h"

namespace payonce::alipay {

// How payments are begun, from the configuration.
struct Style {
  std::string default_method;
  std::string precreate_product;
  std::string subject;
};

// biz_content, stored before anything is sent. A method is page, wap, app or precreate.
std::string write_create(Style const& style, Charge const& charge);
std::string write_refund(Refund const& refund, Attempt const& attempt);
// Why Alipay does not take this money; empty if it does.
std::string refuses(Money amount);

// The gateway's call for a stored create, by the product in it: alipay.trade.page.pay, …; empty if it names none.
std::string_view create_method_of(std::string_view biz_content);

class Requests {
 public:
  Requests(ProviderSettings const& settings, Keys const& keys);

  // A call from here to the gateway.
  HttpCall call(std::string_view method, std::string const& biz_content, Time now) const;
  // The address that the buyer's browser opens, or the string that the phone's app takes.
  std::string page_url(std::string_view method, std::string const& biz_content, Time now) const;
  std::string app_string(std::string_view method, std::string const& biz_content, Time now) const;

 private:
  Parameters signed_parameters(std::string_view method, std::string const& biz_content, Time now) const;

  Keys const& keys_;
  std::string const url_;
  std::string const app_id_;
  std::string const notify_url_;
  std::string const return_url_;
};

}  // namespace payonce::alipay
