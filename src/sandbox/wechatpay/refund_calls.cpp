// Refunds by the merchant's own number.
#include <boost/json.hpp>
#include <utility>

#include "sandbox/beijing.h"
#include "sandbox/json_reader.h"
#include "sandbox/long_number.h"
#include "sandbox/wechatpay/wechatpay_dialect.h"

namespace payonce::sandbox::wechatpay {

namespace json = boost::json;

namespace {

constexpr std::string_view refunds = "wechatpay.refund";  // by out_refund_no

// What a refund asks for.
struct Asked {
  std::string transaction_id;
  std::string out_trade_no;
  std::string out_refund_no;
  std::string reason;
  std::string notify_url;
  std::int64_t refund = 0;
  std::int64_t total = 0;
};

Result<Asked> read(json::object const& body) {
  JsonReader reader{body};
  Asked asked;
  asked.transaction_id = reader.text("transaction_id");
  asked.out_trade_no = reader.text("out_trade_no");
  asked.out_refund_no = reader.required_text("out_refund_no");
  asked.reason = reader.text("reason");
  asked.notify_url = reader.text("notify_url");
  json::object const* const amount = reader.object("amount");
  json::object const none;
  JsonReader amounts{amount == nullptr ? none : *amount};
  asked.refund = amounts.required_integer("refund", 1, 100'000'000'000);
  asked.total = amounts.required_integer("total", 1, 100'000'000'000);
  if (amounts.required_text("currency") != "CNY") amounts.complain("currency", "must be CNY");
  if (asked.out_refund_no.size() > 64) reader.complain("out_refund_no", "is too long");
  if (asked.reason.size() > 80) reader.complain("reason", "is too long");
  if (asked.transaction_id.empty() == asked.out_trade_no.empty())
    reader.complain("out_trade_no", "or transaction_id must be given, not both");
  if (auto const read = reader.result(); !read) return std::unexpected(read.error());
  if (auto const read = amounts.result(); !read) return std::unexpected(read.error());
  return asked;
}

}  // namespace

void WechatpayDialect::refund(json::object body, Respond respond) {
  auto const asked = read(body);
  if (!asked) return respond(error_response(400, "PARAM_ERROR", asked.error().detail));
  std::string number = asked->out_trade_no;
  if (number.empty())
    if (std::string const* const known = parts_.ledger.find("wechatpay.transaction", asked->transaction_id))
      number = *known;
  body["out_trade_no"] = number;
  body.erase("transaction_id");
  auto operation = [this, body = std::move(body)](Injection injection) { return create_refund(body, injection); };
  serve(Call::refund, asked->out_refund_no, order_of(number), std::move(operation), std::move(respond));
}

HttpResponse WechatpayDialect::create_refund(json::object const& body, Injection injection) {
  auto const asked = read(body);
  Order const order = asked ? find(asked->out_trade_no) : Order{};
  if (!order.exists()) return error_response(404, "RESOURCE_NOT_EXISTS", "订单不存在");
  Bank& bank = parts_.ledger.bank();
  RefundReply const known = bank.query_refund(asked->out_refund_no);
  bool const is_new = known.verdict == Verdict::not_found;
  bool const is_same =
      is_new || (known.refund.charge_number == order.charge.number && known.refund.amount_minor == asked->refund);
  if (!is_same || asked->total != order.charge.amount_minor)
    return error_response(400, "INVALID_REQUEST", "订单金额或退款金额与之前请求不一致");
  if (is_new && (!order.is_paid() || asked->refund > bank.refundable(order.charge.number)))
    return error_response(400, "INVALID_REQUEST", "退款金额大于可退金额，或订单未支付");
  RefundReply const reply = bank.refund({.number = asked->out_refund_no,
                                         .charge_number = order.charge.number,
                                         .amount_minor = asked->refund,
                                         .currency = "CNY",
                                         .reason = asked->reason,
                                         .forced_decline = injection.fault == Fault::decline},
                                        parts_.clock.now());
  if (reply.refund.state == RefundState::declined) return error_response(403, "USER_ACCOUNT_ABNORMAL", "用户账户异常");
  parts_.ledger.keep(refunds, asked->out_refund_no, asked->notify_url);
  return json_response(200, refund_object(reply.refund, injection.fault));
}

void WechatpayDialect::query_refund(std::string number, Respond respond) {
  auto operation = [this, number](Injection injection) {
    RefundReply const known = parts_.ledger.bank().query_refund(number);
    bool const is_ours = parts_.ledger.find(refunds, number) != nullptr;
    if (!is_ours || known.verdict != Verdict::done) return error_response(404, "RESOURCE_NOT_EXISTS", "退款单不存在");
    return json_response(200, refund_object(known.refund, injection.fault));
  };
  std::string order{parts_.ledger.bank().order_of_refund(number)};
  serve(Call::query_refund, number, std::move(order), std::move(operation), std::move(respond));
}

json::object WechatpayDialect::refund_object(Refund const& refund, Fault fault) const {
  Order const order = find(refund.charge_number);
  std::string_view status = refund.state == RefundState::succeeded ? "SUCCESS" : "ABNORMAL";
  if (fault == Fault::in_progress) status = "PROCESSING";
  if (fault == Fault::nonsense_json) status = "SIDEWAYS";
  json::object object{
      {"refund_id", "5" + long_number(order.charge).substr(0, 20) + refund.id.substr(refund.id.size() - 6)},
      {"out_refund_no", refund.number},
      {"transaction_id", long_number(order.charge)},
      {"out_trade_no", refund.charge_number},
      {"channel", "ORIGINAL"},
      {"user_received_account", "零钱"},
      {"create_time", to_beijing_rfc3339(refund.created_at)},
      {"status", status},
      {"funds_account", "AVAILABLE"},
      {"amount",
       {{"total", order.charge.amount_minor},
        {"refund", refund.amount_minor},
        {"payer_total", order.charge.amount_minor},
        {"payer_refund", refund.amount_minor},
        {"settlement_refund", refund.amount_minor},
        {"settlement_total", order.charge.amount_minor},
        {"discount_refund", 0},
        {"currency", "CNY"}}}};
  if (status == "SUCCESS") object["success_time"] = to_beijing_rfc3339(refund.created_at);
  return object;
}

}  // namespace payonce::sandbox::wechatpay
