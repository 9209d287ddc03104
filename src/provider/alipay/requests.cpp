#include "provider/alipay/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "provider/beijing_time.h"
#include "provider/form.h"
#include "provider/json_fields.h"

namespace payonce::alipay {

namespace {

namespace json = boost::json;

constexpr std::int64_t amount_fen_max = 10'000'000'000;  // 100 million yuan
constexpr std::size_t subject_chars_max = 256;
constexpr std::size_t merchant_order_chars_max = 32;

struct Product {
  std::string_view method;   // ours
  std::string_view product;  // Alipay's code; of precreate it is the contract's
  std::string_view call;
};
constexpr Product products[] = {
    {"page", "FAST_INSTANT_TRADE_PAY", "alipay.trade.page.pay"},
    {"wap", "QUICK_WAP_WAY", "alipay.trade.wap.pay"},
    {"app", "QUICK_MSECURITY_PAY", "alipay.trade.app.pay"},
    {"precreate", "QR_CODE_OFFLINE", "alipay.trade.precreate"},
    {"precreate", "FACE_TO_FACE_PAYMENT", "alipay.trade.precreate"},
};

std::string_view product_of(Style const& style, std::string_view method) {
  if (method.empty()) method = style.default_method;
  if (method == "precreate") return style.precreate_product;
  auto const* const at = std::ranges::find(products, method, &Product::method);
  return at == std::end(products) ? std::string_view{} : at->product;
}

std::string subject_of(Style const& style, OrderId const& order) {
  std::string subject = style.subject + " " + order.value;
  for (char& c : subject)
    if (c == '/' || c == '=' || c == '&') c = '-';  // Alipay refuses them
  return subject.substr(0, subject_chars_max);
}

// Of signs nothing is documented, so that only such orders are named as surely pass.
bool fits_merchant_order(std::string_view order) {
  return order.size() <= merchant_order_chars_max && std::ranges::all_of(order, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

}  // namespace

std::string refuses(Money amount) {
  if (amount.currency.code() != "CNY")
    return fmt::format("Alipay takes CNY, not {}; pay it through another provider", amount.currency.code());
  if (amount.minor < 1 || amount.minor > amount_fen_max)
    return fmt::format("Alipay takes 0.01 to 100000000.00 yuan, not {}", to_decimal(amount));
  return {};
}

std::string write_create(Style const& style, Charge const& charge) {
  json::object content{{"out_trade_no", charge.number.value},
                       {"total_amount", to_decimal(charge.amount)},
                       {"subject", subject_of(style, charge.order)},
                       {"product_code", product_of(style, charge.method)},
                       {"time_expire", beijing_time(charge.expires_at)}};
  if (fits_merchant_order(charge.order.value)) content["merchant_order_no"] = charge.order.value;
  return json::serialize(content);
}

std::string write_refund(Refund const& refund, Attempt const& attempt) {
  json::object content{{"out_trade_no", attempt.id.value},
                       {"refund_amount", to_decimal(refund.amount)},
                       {"out_request_no", refund.id.value}};
  if (!refund.reason.empty()) content["refund_reason"] = refund.reason.substr(0, subject_chars_max);
  return json::serialize(content);
}

std::string_view create_method_of(std::string_view biz_content) {
  boost::system::error_code error;
  auto const value = json::parse(json::string_view{biz_content.data(), biz_content.size()}, error);
  if (error || !value.is_object()) return {};
  auto const* const at = std::ranges::find(products, text_at(value.get_object(), "product_code"), &Product::product);
  return at == std::end(products) ? std::string_view{} : at->call;
}

Requests::Requests(ProviderSettings const& settings, Keys const& keys)
    : keys_(keys),
      url_(settings.url.empty() ? "https://openapi.alipay.com/gateway.do" : settings.url),
      app_id_(settings.option("app_id")),
      notify_url_(settings.option("notify_url")),
      return_url_(settings.option("return_url")) {}

Parameters Requests::signed_parameters(std::string_view method, std::string const& biz_content, Time now) const {
  Parameters parameters{{"app_id", app_id_},  {"method", std::string{method}}, {"format", "JSON"},
                        {"charset", "utf-8"}, {"sign_type", "RSA2"},           {"timestamp", beijing_time(now)},
                        {"version", "1.0"},   {"biz_content", biz_content}};
  bool const is_create = std::ranges::find(products, method, &Product::call) != std::end(products);
  if (is_create) parameters["notify_url"] = notify_url_;
  if (is_create) parameters["return_url"] = return_url_;
  keys_.add_serials(parameters);
  std::erase_if(parameters, [](auto const& parameter) { return parameter.second.empty(); });
  parameters["sign"] = keys_.sign(parameters);
  return parameters;
}

HttpCall Requests::call(std::string_view method, std::string const& biz_content, Time now) const {
  Form query;
  Form body;
  for (auto const& [name, value] : signed_parameters(method, biz_content, now))
    (name == "biz_content" ? body : query).add(name, value);
  HttpCall call;
  call.method = "POST";
  call.url = url_ + "?" + query.text();
  call.headers = {{"Content-Type", "application/x-www-form-urlencoded;charset=utf-8"}};
  call.body = body.text();
  call.idempotent = method.ends_with(".query");
  return call;
}

std::string Requests::page_url(std::string_view method, std::string const& biz_content, Time now) const {
  return url_ + "?" + app_string(method, biz_content, now);
}

std::string Requests::app_string(std::string_view method, std::string const& biz_content, Time now) const {
  Form form;
  for (auto const& [name, value] : signed_parameters(method, biz_content, now)) form.add(name, value);
  return form.text();
}

}  // namespace payonce::alipay
