// Authorizations: money that an order holds, its captures, and its end by a void.
// Source: payments_payment_v2.json of github.com/paypal/paypal-rest-api-specifications.
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "base/id.h"
#include "sandbox/paypal/paypal_dialect.h"

namespace payonce::sandbox::paypal {

namespace json = boost::json;

void PaypalDialect::capture_held(std::string authorization_id, Asked asked, Respond respond) {
  std::string const* const order_id = parts_.ledger.find(authorizations, authorization_id);
  if (order_id == nullptr) return respond(error_response(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"));
  if (asked.body.contains("amount") && !parse_money(asked.body.if_contains("amount")))
    return respond(unprocessable("DECIMAL_PRECISION"));
  std::string number = text_in(asked.body, "invoice_id");
  if (number.empty()) number = asked.request_id;
  if (number.empty()) number = mint_suffix(parts_.clock.now(), parts_.random);
  std::string order = find(*order_id).text("order");
  auto operation = [this, order_id = *order_id, number, asked = std::move(asked)](Injection injection) {
    return create_capture(find(order_id), number, asked, injection);
  };
  serve(Call::capture, number, std::move(order), std::move(operation), std::move(respond));
}

HttpResponse PaypalDialect::create_capture(Order const& order, std::string const& number, Asked const& asked,
                                           Injection injection) {
  Bank& bank = parts_.ledger.bank();
  if (is_repeat("capture of a hold", asked.request_id)) {
    std::string const known = *parts_.ledger.find("paypal.request", "capture of a hold " + asked.request_id);
    return json_response(200, held_capture_object(order, bank.query_capture(known).capture, injection.fault));
  }
  Charge const& charge = order.charge;
  if (charge.code == "hold_expired") return unprocessable("AUTHORIZATION_EXPIRED");
  if (is_voided(order)) return unprocessable("AUTHORIZATION_VOIDED");
  if (charge.state != ChargeState::authorized) return unprocessable("AUTHORIZATION_ALREADY_CAPTURED");
  std::int64_t const left = charge.amount_minor - charge.captured_minor;
  std::int64_t const minor = parse_money(asked.body.if_contains("amount")).value_or(left);
  if (minor > left) return unprocessable("MAX_CAPTURE_AMOUNT_EXCEEDED");
  json::value const* const is_final = asked.body.if_contains("final_capture");
  // Without a known request id it is a further one, whatever else it says.
  bool const is_taken = bank.query_capture(number).verdict == Verdict::done;
  std::string const own_number = is_taken ? mint_suffix(parts_.clock.now(), parts_.random) : number;
  CaptureReply const reply =
      bank.capture({.number = own_number,
                    .charge_number = charge.number,
                    .amount_minor = minor,
                    .currency = charge.currency,
                    .is_final = is_final != nullptr && is_final->is_bool() && is_final->get_bool(),
                    .forced_decline = injection.fault == Fault::decline},
                   parts_.clock.now());
  if (reply.capture.state == CaptureState::declined) return unprocessable("TRANSACTION_REFUSED");
  parts_.ledger.keep(captures, reply.capture.id, order.text("id"));
  remember("capture of a hold", asked.request_id, own_number);
  NoticeFacts facts = facts_about(order, "capture.succeeded");
  facts.amount_minor = minor;
  facts.capture_number = own_number;
  parts_.teller.announce(std::move(facts), std::string{name()}, order.text("order"));
  return json_response(201, held_capture_object(order, reply.capture, injection.fault));
}

void PaypalDialect::void_hold(std::string authorization_id, Asked asked, Respond respond) {
  std::string const* const order_id = parts_.ledger.find(authorizations, authorization_id);
  if (order_id == nullptr) return respond(error_response(404, "RESOURCE_NOT_FOUND", "INVALID_RESOURCE_ID"));
  Order const known = find(*order_id);
  auto operation = [this, order_id = *order_id, asked = std::move(asked)](Injection injection) {
    Order const order = find(order_id);
    bool const is_again = is_repeat("void", asked.request_id);
    if (!is_again && is_voided(order)) return unprocessable("PREVIOUSLY_VOIDED");
    if (!is_again && order.charge.state != ChargeState::authorized) return unprocessable("PREVIOUSLY_CAPTURED");
    parts_.ledger.bank().abandon(order.charge.number);
    remember("void", asked.request_id, order_id);
    if (!asked.wants_all) return HttpResponse{.status = 204};
    return json_response(200, authorization_object(find(order_id), injection.fault));
  };
  serve(Call::close, known.text("number"), known.text("order"), std::move(operation), std::move(respond));
}

// Ended by a void or by its time, although something of it may have been captured before.
bool PaypalDialect::is_voided(Order const& order) const {
  if (order.charge.state == ChargeState::closed) return true;
  bool const is_over = order.charge.state == ChargeState::succeeded;
  auto const parts = parts_.ledger.bank().captures_of(order.charge.number);
  return is_over && order.charge.captured_minor < order.charge.amount_minor &&
         std::ranges::none_of(parts, &Capture::is_final);
}

json::object PaypalDialect::authorization_object(Order const& order, Fault fault) const {
  Charge const& charge = order.charge;
  std::string_view status = "CREATED";
  if (charge.captured_minor > 0) status = "PARTIALLY_CAPTURED";
  if (charge.captured_minor == charge.amount_minor) status = "CAPTURED";
  if (is_voided(order)) status = "VOIDED";
  if (fault == Fault::in_progress) status = "PENDING";
  if (fault == Fault::nonsense_json) status = "SIDEWAYS";
  return {{"id", charge.id},
          {"status", status},
          {"amount", money(charge.amount_minor, charge.currency)},
          {"custom_id", order.text("custom_id")},
          {"invoice_id", order.text("invoice_id")},
          {"create_time", to_rfc3339(charge.created_at)},
          {"expiration_time", to_rfc3339(charge.hold_until.value_or(charge.created_at))},
          {"supplementary_data", {{"related_ids", {{"order_id", order.text("id")}}}}}};
}

json::object PaypalDialect::held_capture_object(Order const& order, Capture const& capture, Fault fault) const {
  std::int64_t const left = find_captured(capture.id).value_or(Captured{}).left_minor;
  std::string_view status = "COMPLETED";
  if (left < capture.amount_minor) status = left == 0 ? "REFUNDED" : "PARTIALLY_REFUNDED";
  if (fault == Fault::in_progress) status = "PENDING";
  if (fault == Fault::nonsense_json) status = "SIDEWAYS";
  json::object const up{{"href", fmt::format("{}/v2/payments/authorizations/{}", parts_.base_url, order.charge.id)},
                        {"rel", "up"},
                        {"method", "GET"}};
  return {{"id", capture.id},
          {"status", status},
          {"amount", money(capture.amount_minor, capture.currency)},
          {"final_capture", capture.is_final},
          {"custom_id", order.text("custom_id")},
          {"invoice_id", capture.number},
          {"create_time", to_rfc3339(capture.created_at)},
          {"supplementary_data",
           {{"related_ids", {{"order_id", order.text("id")}, {"authorization_id", order.charge.id}}}}},
          {"links", json::array{up}}};
}

}  // namespace payonce::sandbox::paypal
