// Orders: create in four products, query, close; and the platform's certificate.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "base/crypto.h"
#include "sandbox/beijing.h"
#include "sandbox/json_reader.h"
#include "sandbox/keys/aes_gcm.h"
#include "sandbox/long_number.h"
#include "sandbox/wechatpay/wechatpay_dialect.h"

namespace payonce::sandbox::wechatpay {

namespace json = boost::json;

namespace {

constexpr std::string_view orders = "wechatpay.order";              // by out_trade_no
constexpr std::string_view transactions = "wechatpay.transaction";  // the out_trade_no by transaction_id
constexpr std::int64_t fen_max = 100'000'000'000;

struct Product {
  std::string_view path;
  std::string_view trade_type;
};
constexpr Product products[] = {{"native", "NATIVE"}, {"jsapi", "JSAPI"}, {"h5", "MWEB"}, {"app", "APP"}};

std::string_view trade_type_of(std::string_view path) {
  for (Product const& product : products)
    if (product.path == path) return product.trade_type;
  return {};
}

bool is_number(std::string_view text) {
  constexpr std::string_view allowed = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-*|";
  return text.size() >= 6 && text.size() <= 32 && text.find_first_not_of(allowed) == std::string_view::npos;
}

std::string text_in(json::object const& object, std::string_view name) {
  json::value const* const value = object.if_contains(name);
  return value == nullptr || !value->is_string() ? std::string{} : std::string{value->as_string()};
}

// The number of a member object, such as amount.total; 0 if there is none.
std::int64_t number_in(json::object const& object, std::string_view member, std::string_view name) {
  json::value const* const value = object.if_contains(member);
  json::object const* const inner = value == nullptr ? nullptr : value->if_object();
  json::value const* const number = inner == nullptr ? nullptr : inner->if_contains(name);
  return number == nullptr || !number->is_int64() ? 0 : number->as_int64();
}

std::string member_text(json::object const& object, std::string_view member, std::string_view name) {
  json::value const* const value = object.if_contains(member);
  return value == nullptr || !value->is_object() ? std::string{} : text_in(value->get_object(), name);
}

// Merchants write their order's number into `attach`, perhaps behind a word of their own; the bank's ledger sums up by
// it.
std::string order_named_in(json::object const& request) {
  std::string const attach = text_in(request, "attach");
  return attach.empty() ? text_in(request, "out_trade_no") : attach.substr(attach.rfind(' ') + 1);
}

}  // namespace

void WechatpayDialect::create(std::string const& product, json::object body, Respond respond) {
  auto const param_error = [&](std::string_view what) { respond(error_response(400, "PARAM_ERROR", what)); };
  std::int64_t const total = number_in(body, "amount", "total");
  std::string const currency = member_text(body, "amount", "currency");
  std::string const notify_url = text_in(body, "notify_url");
  if (trade_type_of(product).empty()) return respond(error_response(404, "RESOURCE_NOT_EXISTS", "no such product"));
  if (text_in(body, "mchid") != keys_.mchid) return param_error("mchid");
  if (text_in(body, "appid") != keys_.appid)
    return respond(error_response(400, "APPID_MCHID_NOT_MATCH", "appid and mchid do not belong together"));
  if (!is_number(text_in(body, "out_trade_no"))) return param_error("out_trade_no: 6 to 32 of 0-9A-Za-z_-*|");
  if (text_in(body, "description").empty() || text_in(body, "description").size() > 127)
    return param_error("description");
  if (total < 1 || total > fen_max || !(currency.empty() || currency == "CNY")) return param_error("amount");
  if (notify_url.empty() || notify_url.size() > 255 || notify_url.find('?') != std::string::npos)
    return param_error("notify_url");
  if (product == "jsapi" && member_text(body, "payer", "openid").empty()) return param_error("payer.openid");
  if (product == "h5" && member_text(body, "scene_info", "payer_client_ip").empty())
    return param_error("scene_info.payer_client_ip");
  std::string const number = text_in(body, "out_trade_no");
  std::string order = order_named_in(body);
  auto operation = [this, product, body = std::move(body)](Injection injection) {
    return create_order(product, body, injection);
  };
  serve(Call::create, number, std::move(order), std::move(operation), std::move(respond));
}

HttpResponse WechatpayDialect::create_order(std::string const& product, json::object const& body, Injection injection) {
  if (injection.fault == Fault::decline) return error_response(403, "NO_AUTH", "商户无权限");
  Bank& bank = parts_.ledger.bank();
  std::string const number = text_in(body, "out_trade_no");
  Order order = find(number);
  if (order.is_paid()) return error_response(400, "ORDERPAID", "该订单已支付");
  if (order.is_closed()) return error_response(400, "ORDER_CLOSED", "该订单已关闭");
  if (order.exists() && order.record.at("request").as_object() != body)
    return error_response(403, "OUT_TRADE_NO_USED", "商户订单号重复");
  if (!order.exists()) {
    std::optional<Time> expires_at;
    if (auto const expiry = parse_rfc3339(text_in(body, "time_expire"))) expires_at = *expiry;
    ChargeReply const reply = bank.create({.number = number,
                                           .order = order_named_in(body),
                                           .amount_minor = number_in(body, "amount", "total"),
                                           .currency = "CNY",
                                           .method = "approve",
                                           .expires_at = expires_at,
                                           .dialect = std::string{name()},
                                           .forced_method = {}},
                                          parts_.clock.now());
    if (reply.verdict != Verdict::done) return error_response(403, "OUT_TRADE_NO_USED", "商户订单号重复");
    if (reply.charge.state == ChargeState::declined) return error_response(400, "PARAM_ERROR", "time_expire");
    json::object const record{{"request", body}, {"trade_type", trade_type_of(product)}};
    parts_.ledger.keep(orders, number, json::serialize(record));
    parts_.ledger.keep(transactions, long_number(reply.charge), number);
  } else if (order.charge.state == ChargeState::declined) {
    bank.pay(number, "approve", parts_.clock.now());  // the buyer refused, and is asked again
  }
  if (injection.fault == Fault::decline_then_succeed) {
    bank.pay(number, to_text(injection.fault), parts_.clock.now());
    return error_response(403, "NO_AUTH", "商户无权限");
  }
  if (parts_.buyers_pay && injection.fault != Fault::buyer_waits) bank.approve(number);
  // The real ones begin with weixin:// and open in no browser.
  std::string const page = fmt::format("{}/pay/{}", parts_.base_url, number);
  if (injection.fault == Fault::nonsense_json) return json_response(200, {{"sideways", true}});
  if (product == "native") return json_response(200, {{"code_url", page}});
  if (product == "h5") return json_response(200, {{"h5_url", page}});
  return json_response(200, {{"prepay_id", "wx" + long_number(bank.query(number).charge)}});
}

void WechatpayDialect::query(Target const& target, std::string number, Respond respond) {
  if (target.parameter("mchid").value_or("") != keys_.mchid)
    return respond(error_response(400, "PARAM_ERROR", "mchid"));
  auto operation = [this, number](Injection injection) {
    Order const order = find(number);
    if (!order.exists()) return error_response(404, "ORDER_NOT_EXIST", "订单不存在");
    return json_response(200, order_object(order, injection.fault));
  };
  serve(Call::query, number, order_of(number), std::move(operation), std::move(respond));
}

void WechatpayDialect::close(std::string number, json::object const& body, Respond respond) {
  if (text_in(body, "mchid") != keys_.mchid) return respond(error_response(400, "PARAM_ERROR", "mchid"));
  auto operation = [this, number](Injection injection) {
    Order const order = find(number);
    if (!order.exists()) return error_response(404, "ORDER_NOT_EXIST", "订单不存在");
    if (order.is_paid()) return error_response(403, "TRADE_ERROR", "该订单已支付，不能关闭");
    parts_.ledger.bank().abandon(number);
    if (injection.fault == Fault::in_progress) return error_response(429, "FREQUENCY_LIMITED", "用户支付中");
    return HttpResponse{.status = 204};
  };
  serve(Call::close, number, order_of(number), std::move(operation), std::move(respond));
}

WechatpayDialect::Order WechatpayDialect::find(std::string const& number) const {
  std::string const* const record = parts_.ledger.find(orders, number);
  if (record == nullptr) return {};
  return {.record = json::parse(*record).as_object(), .charge = parts_.ledger.bank().query(number).charge};
}

std::string WechatpayDialect::order_of(std::string const& number) const {
  std::string_view const known = parts_.ledger.bank().order_of_charge(number);
  return known.empty() ? number : std::string{known};
}

json::object WechatpayDialect::order_object(Order const& order, Fault fault) const {
  Charge const& charge = order.charge;
  json::object const& request = order.record.at("request").as_object();
  bool const is_refunded = parts_.ledger.bank().refundable(charge.number) < charge.amount_minor;
  std::string_view state = "NOTPAY";  // also if the buyer refused: the buyer may try again
  if (order.is_closed()) state = "CLOSED";
  if (order.is_paid()) state = is_refunded ? "REFUND" : "SUCCESS";
  if (fault == Fault::in_progress) state = "USERPAYING";
  if (fault == Fault::nonsense_json) state = "SIDEWAYS";
  json::object object{{"appid", keys_.appid},
                      {"mchid", keys_.mchid},
                      {"out_trade_no", charge.number},
                      {"trade_type", order.record.at("trade_type")},
                      {"trade_state", state},
                      {"trade_state_desc", state},
                      {"attach", text_in(request, "attach")},
                      {"amount", {{"total", charge.amount_minor}, {"currency", "CNY"}}}};
  if (!order.is_paid()) return object;
  std::string const openid = member_text(request, "payer", "openid");
  object["transaction_id"] = long_number(charge);
  object["bank_type"] = "OTHERS";
  object["success_time"] = to_beijing_rfc3339(charge.created_at);
  object["payer"] = {{"openid", openid.empty() ? "sandbox_openid" : openid}};
  object["amount"] = {{"total", charge.amount_minor},
                      {"payer_total", charge.amount_minor},
                      {"currency", "CNY"},
                      {"payer_currency", "CNY"}};
  return object;
}

// The platform's certificate, encrypted with the merchant's key.
HttpResponse WechatpayDialect::certificates() const {
  std::string const nonce = keys_.platform_serial.substr(0, 12);
  json::object const sealed{
      {"algorithm", "AEAD_AES_256_GCM"},
      {"nonce", nonce},
      {"associated_data", "certificate"},
      {"ciphertext", encrypt_aes_gcm(keys_.api_v3_key, nonce, "certificate", keys_.platform_certificate)}};
  json::object const certificate{{"serial_no", keys_.platform_serial},
                                 {"effective_time", to_beijing_rfc3339(keys_.made_at)},
                                 {"expire_time", to_beijing_rfc3339(keys_.made_at + std::chrono::days{5 * 365})},
                                 {"encrypt_certificate", sealed}};
  return json_response(200, {{"data", json::array{certificate}}});
}

}  // namespace payonce::sandbox::wechatpay
