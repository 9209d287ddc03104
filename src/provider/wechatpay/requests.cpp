#include "provider/wechatpay/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/id.h"
#include "provider/beijing_time.h"
#include "provider/json_fields.h"

namespace payonce::wechatpay {

namespace {

namespace json = boost::json;

constexpr std::size_t description_bytes_max = 127;
constexpr std::size_t reason_bytes_max = 80;
constexpr std::array<std::string_view, 4> trades{"native", "app", "jsapi", "h5"};

// A method taken apart: "jsapi:openid" is the trade jsapi of that buyer.
struct Method {
  std::string trade;
  std::string buyer;
};
Method parse_method(std::string_view method, std::string_view fallback) {
  if (method.empty()) method = fallback;
  auto const colon = method.find(':');
  if (colon == std::string_view::npos) return {std::string{method}, {}};
  return {std::string{method.substr(0, colon)}, std::string{method.substr(colon + 1)}};
}

// At most so many bytes, and whole characters.
std::string cut(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

}  // namespace

std::string refuses(Money amount) {
  if (amount.currency.code() != "CNY")
    return fmt::format("WeChat Pay takes CNY, not {}; pay it through another provider", amount.currency.code());
  return amount.minor < 1 ? "WeChat Pay takes at least 0.01 yuan" : "";
}

std::string write_create(Style const& style, Charge const& charge) {
  Method const method = parse_method(charge.method, style.default_method);
  json::object body{
      {"appid", style.app_id},
      {"mchid", style.mch_id},
      {"description", cut(style.description + " " + charge.order.value, description_bytes_max)},
      {"out_trade_no", charge.number.value},
      {"time_expire", beijing_rfc3339(charge.expires_at)},
      {"attach", method.trade + " " + charge.order.value},
      {"notify_url", style.notify_url},
      {"amount", json::object{{"total", charge.amount.minor}, {"currency", charge.amount.currency.code()}}}};
  if (method.trade == "jsapi") body["payer"] = json::object{{"openid", method.buyer}};
  if (method.trade == "h5")
    body["scene_info"] = json::object{{"payer_client_ip", method.buyer}, {"h5_info", json::object{{"type", "Wap"}}}};
  return json::serialize(body);
}

std::string write_refund(std::string const& notify_url, Refund const& refund, Attempt const& attempt) {
  json::object body{{"out_trade_no", attempt.id.value},
                    {"out_refund_no", refund.id.value},
                    {"notify_url", notify_url},
                    {"amount", json::object{{"refund", refund.amount.minor},
                                            {"total", attempt.amount.minor},
                                            {"currency", refund.amount.currency.code()}}}};
  if (!refund.reason.empty()) body["reason"] = cut(refund.reason, reason_bytes_max);
  return json::serialize(body);
}

std::string trade_of(std::string const& request) {
  boost::system::error_code error;
  auto const value = json::parse(request, error);
  std::string trade = error || !value.is_object() ? std::string{} : text_at(value.get_object(), "attach");
  trade.resize(std::min(trade.find(' '), trade.size()));
  return std::ranges::find(trades, trade) == trades.end() ? std::string{} : trade;
}

Requests::Requests(ProviderSettings const& settings, Keys const& keys, Clock const& clock, Random& random)
    : keys_(keys),
      clock_(clock),
      random_(random),
      url_(settings.url.empty() ? "https://api.mch.weixin.qq.com" : settings.url),
      app_id_(settings.option("app_id")),
      mch_id_(settings.option("mch_id")),
      serial_(settings.option("merchant_serial")) {}

std::string Requests::nonce() const { return mint_suffix(clock_.now(), random_); }

std::string Requests::seconds() const { return std::to_string(to_epoch_ms(clock_.now()) / 1'000); }

HttpCall Requests::call(std::string_view method, std::string const& path, std::string body) const {
  std::string const time = seconds();
  std::string const once = nonce();
  std::string const signature = keys_.sign(fmt::format("{}\n{}\n{}\n{}\n{}\n", method, path, time, once, body));
  HttpCall call;
  call.method = method;
  call.url = url_ + path;
  call.headers = {{"Authorization", fmt::format(R"(WECHATPAY2-SHA256-RSA2048 mchid="{}",nonce_str="{}",timestamp="{}",)"
                                                R"(serial_no="{}",signature="{}")",
                                                mch_id_, once, time, serial_, signature)},
                  {"Wechatpay-Serial", keys_.answer_key_id()},
                  {"Accept", "application/json"},
                  {"User-Agent", "payonce"}};
  if (method == "POST") call.headers.push_back({"Content-Type", "application/json"});
  call.body = std::move(body);
  call.idempotent = method == "GET";
  return call;
}

HttpCall Requests::get(std::string const& path) const { return call("GET", path, {}); }
HttpCall Requests::post(std::string const& path, std::string body) const { return call("POST", path, std::move(body)); }

std::string Requests::mini_program_parameters(std::string const& prepay_id) const {
  std::string const time = seconds();
  std::string const once = nonce();
  std::string const package = "prepay_id=" + prepay_id;
  return json::serialize(
      json::object{{"appId", app_id_},
                   {"timeStamp", time},
                   {"nonceStr", once},
                   {"package", package},
                   {"signType", "RSA"},
                   {"paySign", keys_.sign(fmt::format("{}\n{}\n{}\n{}\n", app_id_, time, once, package))}});
}

std::string Requests::app_parameters(std::string const& prepay_id) const {
  std::string const time = seconds();
  std::string const once = nonce();
  return json::serialize(
      json::object{{"appid", app_id_},
                   {"partnerid", mch_id_},
                   {"prepayid", prepay_id},
                   {"package", "Sign=WXPay"},
                   {"noncestr", once},
                   {"timestamp", time},
                   {"sign", keys_.sign(fmt::format("{}\n{}\n{}\n{}\n", app_id_, time, once, prepay_id))}});
}

}  // namespace payonce::wechatpay
