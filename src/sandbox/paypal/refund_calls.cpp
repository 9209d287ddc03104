// Refunds of captures, and what can be looked up by PayPal's own ids.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "base/id.h"
#include "sandbox/paypal/paypal_dialect.h"

namespace payonce::sandbox::paypal {

namespace json = boost::json;

namespace {

constexpr std::string_view refunds = "paypal.refund";     // by PayPal's id of the refund: the bank's number
constexpr std::string_view marks = "paypal.refund_mark";  // by the bank's number: the merchant's custom_id
constexpr std::string_view targets = "paypal.refund_of";  // by the bank's number: the id of the capture

}  // namespace

void PaypalDialect::refund(std::string capture_id, Asked asked, Respond respond) {
  auto const captured = find_captured(capture_id);
  if (!captured) return respond(error_response(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"));
  if (asked.body.contains("amount") && !parse_money(asked.body.if_contains("amount")))
    return respond(unprocessable("DECIMAL_PRECISION"));
  std::string number = text_in(asked.body, "invoice_id");
  if (number.empty()) number = asked.request_id;
  if (number.empty()) number = mint_suffix(parts_.clock.now(), parts_.random);
  auto operation = [this, capture_id, number, asked = std::move(asked)](Injection injection) {
    return create_refund(capture_id, number, asked, injection);
  };
  serve(Call::refund, number, captured->order.text("order"), std::move(operation), std::move(respond));
}

HttpResponse PaypalDialect::create_refund(std::string const& capture_id, std::string const& number, Asked const& asked,
                                          Injection injection) {
  Bank& bank = parts_.ledger.bank();
  if (is_repeat("refund", asked.request_id)) {
    std::string const known = *parts_.ledger.find("paypal.request", "refund " + asked.request_id);
    return json_response(200, refund_object(bank.query_refund(known).refund, injection.fault));
  }
  auto const captured = *find_captured(capture_id);
  std::int64_t const left = captured.left_minor;
  auto const asked_minor = parse_money(asked.body.if_contains("amount"));
  std::int64_t const minor = asked_minor.value_or(left);
  if (left == 0) return unprocessable("CAPTURE_FULLY_REFUNDED");
  if (minor > left) return unprocessable("REFUND_AMOUNT_EXCEEDED");
  // A refund without a known request id is a further one, whatever else it says.
  bool const is_taken = bank.query_refund(number).verdict == Verdict::done;
  std::string const own_number = is_taken ? mint_suffix(parts_.clock.now(), parts_.random) : number;
  RefundReply const reply = bank.refund({.number = own_number,
                                         .charge_number = captured.order.text("number"),
                                         .amount_minor = minor,
                                         .currency = captured.order.text("currency"),
                                         .reason = text_in(asked.body, "note_to_payer"),
                                         .forced_decline = injection.fault == Fault::decline},
                                        parts_.clock.now());
  if (reply.refund.state == RefundState::declined) return unprocessable("REFUND_NOT_ALLOWED");
  parts_.ledger.keep(refunds, reply.refund.id, own_number);
  parts_.ledger.keep(marks, own_number, text_in(asked.body, "custom_id"));
  parts_.ledger.keep(targets, own_number, capture_id);
  remember("refund", asked.request_id, own_number);
  return json_response(201, refund_object(reply.refund, injection.fault));
}

json::object PaypalDialect::refund_object(Refund const& refund, Fault fault) const {
  std::string_view status = refund.state == RefundState::succeeded ? "COMPLETED" : "FAILED";
  if (fault == Fault::in_progress) status = "PENDING";
  if (fault == Fault::nonsense_json) status = "SIDEWAYS";
  json::object const up{{"href", fmt::format("{}/v2/payments/captures/{}", parts_.base_url, captured_by(refund))},
                        {"rel", "up"},
                        {"method", "GET"}};
  json::object object{{"id", refund.id},
                      {"status", status},
                      {"amount", money(refund.amount_minor, refund.currency)},
                      {"invoice_id", refund.number},
                      {"create_time", to_rfc3339(refund.created_at)},
                      {"links", json::array{up}}};
  std::string const* const mark = parts_.ledger.find(marks, refund.number);
  if (mark != nullptr && !mark->empty()) object["custom_id"] = *mark;
  return object;
}

std::string PaypalDialect::captured_by(Refund const& refund) const {
  if (std::string const* const known = parts_.ledger.find(targets, refund.number)) return *known;
  // Given back at the bank's own desk.
  auto const parts = parts_.ledger.bank().captures_of(refund.charge_number);
  return parts.empty() ? parts_.ledger.bank().query(refund.charge_number).charge.id : parts.front().id;
}

std::optional<PaypalDialect::Captured> PaypalDialect::find_captured(std::string_view capture_id) const {
  std::string const* const order_id = parts_.ledger.find(captures, capture_id);
  if (order_id == nullptr) return std::nullopt;
  Captured captured{std::string{capture_id}, find(*order_id), 0};
  Charge const& charge = captured.order.charge;
  Bank const& bank = parts_.ledger.bank();
  if (!captured.order.holds()) captured.left_minor = taken_minor(charge);
  for (Capture const& part : bank.captures_of(charge.number))
    if (part.id == capture_id) captured.left_minor = part.amount_minor;
  for (Refund const& refund : bank.refunds_of(charge.number))
    if (captured_by(refund) == capture_id) captured.left_minor -= refund.amount_minor;
  return captured;
}

void PaypalDialect::query(std::string kind, std::string id, Respond respond) {
  bool const is_refund = kind == "refunds";
  std::string const* const refund_number = parts_.ledger.find(refunds, id);
  std::string const* const order_of = parts_.ledger.find(kind == "captures" ? captures : authorizations, id);
  Order const order = kind == "orders" ? find(id) : order_of != nullptr ? find(*order_of) : Order{};
  bool const is_known = is_refund ? refund_number != nullptr : order.exists();
  if (!is_known) return respond(error_response(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"));
  std::string const number = is_refund ? *refund_number : order.text("number");
  std::string order_id = is_refund ? std::string{parts_.ledger.bank().order_of_refund(number)} : order.text("order");
  bool const is_part = kind == "captures" && order.holds();
  auto operation = [this, kind, number, id, is_part,
                    order_key = is_refund ? std::string{} : order.text("id")](Injection injection) {
    Fault const fault = injection.fault;
    if (kind == "refunds")
      return json_response(200, refund_object(parts_.ledger.bank().query_refund(number).refund, fault));
    Order const now = find(order_key);
    if (kind == "authorizations") return json_response(200, authorization_object(now, fault));
    for (Capture const& part : parts_.ledger.bank().captures_of(number))
      if (is_part && part.id == id) return json_response(200, held_capture_object(now, part, fault));
    return json_response(200, kind == "captures" ? capture_object(now, fault) : order_object(now, fault));
  };
  Call const call = is_refund ? Call::query_refund : is_part ? Call::query_capture : Call::query;
  serve(call, number, std::move(order_id), std::move(operation), std::move(respond));
}

}  // namespace payonce::sandbox::paypal
