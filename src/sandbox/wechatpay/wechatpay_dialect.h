// WeChat Pay's APIv3 over the bank: Native, JSAPI, H5 and app orders, query, close, refunds, certificates, bills,
// notices.
// Source: pay.weixin.qq.com/doc/v3/merchant (transactions, refunds, signatures 4012365339, notices).
#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "sandbox/dialect.h"
#include "sandbox/keys/merchant_keys.h"

namespace payonce::sandbox::wechatpay {

class WechatpayDialect final : public Dialect {
 public:
  WechatpayDialect(DialectParts parts, WechatpayKeys keys);

  std::string_view name() const override { return "wechatpay"; }
  bool understands(HttpRequest const& request, Target const& target) const override;
  void handle(HttpRequest const& request, Target const& target, Respond respond) override;

  std::string account() const override { return keys_.mchid; }
  std::string url(NoticeFacts const& facts) const override;
  std::string body(NoticeFacts const& facts, bool wrong_signature) const override;
  HttpHeaders headers(std::string const& body, bool wrong_signature) const override;

 private:
  // What the merchant asked for, and the bank's charge for it; both empty if there is none.
  struct Order {
    boost::json::object record;
    Charge charge;
    bool exists() const { return !charge.id.empty(); }
    bool is_paid() const { return charge.state == ChargeState::succeeded; }
    bool is_closed() const { return charge.state == ChargeState::closed; }
  };
  using Operation = std::function<HttpResponse(Injection)>;

  bool is_signed_by_merchant(HttpRequest const& request) const;
  void serve(Call call, std::string const& number, std::string order, Operation operation, Respond respond);
  HttpResponse sign(HttpResponse response) const;
  HttpHeaders signature(std::string const& body, bool wrong_signature) const;

  // order_calls.cpp
  void create(std::string const& product, boost::json::object body, Respond respond);
  HttpResponse create_order(std::string const& product, boost::json::object const& body, Injection injection);
  void query(Target const& target, std::string number, Respond respond);
  void close(std::string number, boost::json::object const& body, Respond respond);
  Order find(std::string const& number) const;
  std::string order_of(std::string const& number) const;
  boost::json::object order_object(Order const& order, Fault fault) const;
  HttpResponse certificates() const;

  // refund_calls.cpp
  void refund(boost::json::object body, Respond respond);
  HttpResponse create_refund(boost::json::object const& body, Injection injection);
  void query_refund(std::string number, Respond respond);
  boost::json::object refund_object(Refund const& refund, Fault fault) const;

  // bill.cpp
  HttpResponse bill_address(Target const& target) const;
  HttpResponse bill_file(Target const& target) const;
  std::string bill(std::string const& day) const;

  DialectParts const parts_;
  WechatpayKeys const keys_;
  bool uses_public_key_ = true;  // as the merchant's last request asked: with it, or with the platform's certificate
};

HttpResponse json_response(int status, boost::json::object const& body);
HttpResponse error_response(int status, std::string_view code, std::string_view message);
// 500 or 503.
HttpResponse failure(int status);

}  // namespace payonce::sandbox::wechatpay
