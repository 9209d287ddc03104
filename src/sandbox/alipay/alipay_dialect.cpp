#include "sandbox/alipay/alipay_dialect.h"

#include <boost/json.hpp>
#include <utility>

#include "base/crypto.h"
#include "net/form.h"
#include "sandbox/beijing.h"
#include "sandbox/json_reader.h"

namespace payonce::sandbox::alipay {

namespace json = boost::json;

namespace {

// Nothing is published; a clock in another zone is to be noticed.
constexpr std::chrono::minutes clock_skew_max{10};

Parameters parameters_of(HttpRequest const& request, Target const& target) {
  Parameters parameters;
  for (auto const& [name, value] : target.query) parameters[name] = value;
  if (auto const form = parse_form(request.body))
    for (auto const& [name, value] : *form) parameters[name] = value;
  return parameters;
}

bool opens_cashier(std::string_view method) {
  return method == "alipay.trade.page.pay" || method == "alipay.trade.wap.pay" || method == "alipay.trade.app.pay";
}

}  // namespace

std::string AlipayDialect::Asked::text(std::string_view name) const {
  json::value const* const value = content.if_contains({name.data(), name.size()});
  if (value == nullptr) return {};
  if (json::string const* const text = value->if_string()) return {text->data(), text->size()};
  return json::serialize(*value);  // amounts are written as numbers by some
}

AlipayDialect::AlipayDialect(DialectParts parts, AlipayKeys keys) : parts_(std::move(parts)), keys_(std::move(keys)) {}

bool AlipayDialect::understands(HttpRequest const&, Target const& target) const {
  auto const& path = target.segments;
  return (path.size() == 1 && path[0] == "gateway.do") ||
         (path.size() == 2 && (path[0] == "alipay-qr" || path[0] == "alipay-bill"));
}

void AlipayDialect::handle(HttpRequest const& request, Target const& target, Respond respond) {
  if (target.segments[0] == "alipay-qr") return scan(target.segments[1], std::move(respond));
  // Whoever has the address has the file.
  if (target.segments[0] == "alipay-bill") return respond(bill(target.segments[1]));
  Parameters parameters = parameters_of(request, target);
  if (HttpResponse complaint = check(parameters); complaint.status != 204) return respond(std::move(complaint));
  auto content = parse_object(value_of(parameters, "biz_content"));
  if (!content) return respond(refused("40002", "isv.illegal-json"));
  std::string method{value_of(parameters, "method")};
  Asked asked{std::move(method), std::move(parameters), std::move(*content)};
  if (opens_cashier(asked.method)) return open_cashier(std::move(asked), std::move(respond));
  // No call about one payment, and so none that a fault is ordered for.
  if (asked.method == "alipay.data.dataservice.bill.downloadurl.query")
    return respond(
        answer(asked.method, bill_address(asked, {}), keys_, !value_of(asked.parameters, "app_cert_sn").empty()));
  Served const* const known = served(asked.method);
  if (known == nullptr) return respond(refused("40002", "isv.invalid-method"));
  serve(std::move(asked), *known, std::move(respond));
}

// 204 if there is nothing to complain of. The application is looked up before its signature is.
HttpResponse AlipayDialect::check(Parameters const& parameters) const {
  for (std::string_view const name : {"app_id", "method", "sign", "timestamp", "version", "charset", "sign_type"})
    if (value_of(parameters, name).empty()) return refused("40001", "isv.missing-parameter");
  if (value_of(parameters, "app_id") != keys_.app_id) return refused("40002", "isv.invalid-app-id");
  if (value_of(parameters, "sign_type") != "RSA2") return refused("40002", "isv.invalid-signature-type");
  if (value_of(parameters, "charset") != "utf-8" && value_of(parameters, "charset") != "UTF-8")
    return refused("40002", "isv.invalid-charset");
  if (value_of(parameters, "version") != "1.0") return refused("40002", "isv.invalid-version");
  std::string_view const serial = value_of(parameters, "app_cert_sn");
  bool const is_known = serial.empty() || (serial == keys_.app_cert_sn &&
                                           value_of(parameters, "alipay_root_cert_sn") == keys_.alipay_root_cert_sn);
  if (!is_known) return refused("40002", "isv.invalid-app-cert");
  auto const signature = base64_decode(value_of(parameters, "sign"));
  if (!signature || !keys_.app_key.verify(request_text(parameters), *signature))
    return refused("40002", "isv.invalid-signature");
  auto const time = parse_beijing(value_of(parameters, "timestamp"));
  if (!time || std::chrono::abs(parts_.clock.now() - *time) > clock_skew_max)
    return refused("40002", "isv.invalid-timestamp");
  return {.status = 204};
}

AlipayDialect::Served const* AlipayDialect::served(std::string_view method) {
  static constexpr std::pair<std::string_view, Served> all[] = {
      {"alipay.trade.precreate", {Call::create, &AlipayDialect::precreate}},
      {"alipay.trade.query", {Call::query, &AlipayDialect::query}},
      {"alipay.trade.close", {Call::close, &AlipayDialect::close}},
      {"alipay.trade.cancel", {Call::close, &AlipayDialect::cancel}},
      {"alipay.trade.refund", {Call::refund, &AlipayDialect::refund}},
      {"alipay.trade.fastpay.refund.query", {Call::query_refund, &AlipayDialect::query_refund}},
  };
  for (auto const& [name, served] : all)
    if (name == method) return &served;
  return nullptr;
}

void AlipayDialect::serve(Asked asked, Served const& served, Respond respond) {
  std::string const number = find(asked).exists() ? find(asked).charge.number : asked.text("out_trade_no");
  std::string const order = order_of(asked);
  auto execute = [this, asked = std::move(asked), step = served.execute](Injection injection) {
    CallResult result = (this->*step)(asked, injection);
    if (injection.fault == Fault::nonsense_json) result.code = "19999";
    return answer(asked.method, std::move(result), keys_, !value_of(asked.parameters, "app_cert_sn").empty());
  };
  parts_.teller.serve({served.call, number, order, failure}, std::move(execute), std::move(respond));
}

}  // namespace payonce::sandbox::alipay
