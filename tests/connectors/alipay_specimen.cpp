// Alipay's gateway as its documents describe it: https://opendocs.alipay.com/common/02mse3 and the pages of each call.
#include <fmt/format.h>

#include "base/crypto.h"
#include "base/rsa.h"
#include "connectors/specimens.h"
#include "payment/call_kind.h"
#include "provider/form.h"
#include "support/rsa_keys.h"

namespace payonce::test {

namespace {

constexpr int our_key = 1;
constexpr int alipay_key = 2;

std::string sign(std::string_view text) {
  return base64_encode(RsaPrivateKey::parse(rsa_keys(alipay_key).private_pem)->sign_sha256(text));
}

std::string_view response_key(CallKind kind) {
  switch (kind) {
    case CallKind::create: return "alipay_trade_precreate_response";
    case CallKind::query: return "alipay_trade_query_response";
    case CallKind::close: return "alipay_trade_close_response";
    case CallKind::refund: return "alipay_trade_refund_response";
    case CallKind::query_refund: return "alipay_trade_fastpay_refund_query_response";
    case CallKind::capture:
    case CallKind::query_capture: break;
  }
  return "";
}

class AlipaySpecimen final : public Specimen {
 public:
  std::string kind() const override { return "alipay"; }
  std::string method() const override { return "precreate"; }

  ProviderSettings settings(std::string const& url) const override {
    ProviderSettings settings;
    settings.url = url + "/gateway.do";
    settings.account = "2088101106499364";
    settings.options = {{"app_id", {"2021000000000001"}},
                        {"private_key", {rsa_keys(our_key).private_pem}},
                        {"alipay_public_keys", {rsa_keys(alipay_key).public_pem}}};
    return settings;
  }

  HttpResponse answer(Standing standing, ProviderCall const& call, Time) const override {
    std::string const object = object_for(standing, call);
    return {.headers = {{"Content-Type", "text/html;charset=utf-8"}},
            .body = fmt::format(R"({{"{}":{},"sign":"{}"}})", response_key(call.kind), object, sign(object))};
  }

  HttpRequest notice(Standing standing, ProviderCall const& call, Time) const override {
    std::vector<std::pair<std::string, std::string>> const values{
        {"app_id", "2021000000000001"},
        {"fund_bill_list", R"([{"amount":"19.99","fundChannel":"ALIPAYACCOUNT"}])"},
        {"gmt_payment", "2026-01-05 10:00:00"},
        {"notify_id", "2026010500222100000000000001"},
        {"out_trade_no", call.attempt.id.value},
        {"passback_params", ""},
        {"seller_id", "2088101106499364"},
        {"subject", "订单 1"},
        {"total_amount", to_decimal(call.attempt.amount)},
        {"trade_no", "2026010522001400000000000001"},
        {"trade_status", standing == Standing::paid ? "TRADE_SUCCESS" : "TRADE_CLOSED"},
    };
    std::string text;
    Form form;
    for (auto const& [name, value] : values) {
      text += (text.empty() ? "" : "&") + name + "=" + value;
      form.add(name, value);
    }
    form.add("sign_type", "RSA2").add("sign", sign(text));
    return {.method = "POST",
            .target = "/v1/notices/it",
            .headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"}},
            .body = form.text()};
  }

  HttpResponse acknowledgement() const override { return {.status = 200, .body = "success"}; }
  std::vector<std::string> secrets() const override { return {rsa_keys(our_key).private_pem.substr(60, 40)}; }

 private:
  static std::string object_for(Standing standing, ProviderCall const& call) {
    bool const is_other = standing == Standing::other_number;
    std::string const number = is_other ? "pay_other" : call.attempt.id.value;
    if (standing == Standing::not_taken)
      return R"({"code":"40002","msg":"Invalid Arguments","sub_code":"isv.invalid-signature","sub_msg":"验签出错"})";
    bool const is_unknown_refund = standing == Standing::absent && call.kind == CallKind::query_refund;
    if (is_unknown_refund) return fmt::format(R"({{"code":"10000","msg":"Success","out_trade_no":"{}"}})", number);
    if (standing == Standing::absent)
      return R"({"code":"40004","msg":"Business Failed","sub_code":"ACQ.TRADE_NOT_EXIST","sub_msg":"交易不存在"})";
    if (standing == Standing::paid && call.kind == CallKind::close)
      return R"({"code":"40004","msg":"Business Failed","sub_code":"ACQ.TRADE_STATUS_ERROR","sub_msg":"\/"})";
    return fmt::format(R"({{"code":"10000","msg":"Success","out_trade_no":"{}"{}}})", number, more(standing, call));
  }

  static std::string more(Standing standing, ProviderCall const& call) {
    std::string_view const status = standing == Standing::open     ? "WAIT_BUYER_PAY"
                                    : standing == Standing::closed ? "TRADE_CLOSED"
                                                                   : "TRADE_SUCCESS";
    switch (call.kind) {
      case CallKind::create: return R"(,"qr_code":"https:\/\/qr.alipay.com\/bax1")";
      case CallKind::query:
        return fmt::format(R"(,"trade_no":"2026","trade_status":"{}","total_amount":"{}")", status,
                           to_decimal(call.attempt.amount));
      case CallKind::close: return R"(,"trade_no":"2026")";
      case CallKind::refund: return R"(,"trade_no":"2026","fund_change":"Y","refund_fee":"17.00")";
      case CallKind::query_refund:
        return fmt::format(R"(,"out_request_no":"{}","refund_status":"REFUND_SUCCESS","refund_amount":"{}")",
                           standing == Standing::other_number ? "ref_other" : call.refund->id.value,
                           to_decimal(call.refund->amount));
      case CallKind::capture:
      case CallKind::query_capture: break;
    }
    return {};
  }
};

}  // namespace

std::shared_ptr<Specimen const> alipay_specimen() { return std::make_shared<AlipaySpecimen>(); }

}  // namespace payonce::test
