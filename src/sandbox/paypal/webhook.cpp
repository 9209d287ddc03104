// PayPal's webhooks: events about orders, holds, captures and refunds, signed with the key of a certificate that PayPal
// serves.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "base/id.h"
#include "sandbox/paypal/paypal_dialect.h"
#include "sandbox/paypal/transmission.h"

namespace payonce::sandbox::paypal {

namespace json = boost::json;

namespace {

std::string_view event_type(std::string_view type) {
  if (type == "charge.succeeded" || type == "capture.succeeded") return "PAYMENT.CAPTURE.COMPLETED";
  if (type == "charge.declined") return "PAYMENT.CAPTURE.DENIED";
  if (type == "charge.pending") return "PAYMENT.CAPTURE.PENDING";
  if (type == "refund.succeeded") return "PAYMENT.CAPTURE.REFUNDED";
  if (type == "refund.pending") return "PAYMENT.REFUND.PENDING";
  if (type == "charge.dispute_opened") return "CUSTOMER.DISPUTE.CREATED";
  if (type == "charge.dispute_won" || type == "charge.dispute_lost") return "CUSTOMER.DISPUTE.RESOLVED";
  return {};
}

// Source: customer_disputes_v1.json of github.com/paypal/paypal-rest-api-specifications.
json::object dispute_object(NoticeFacts const& facts, std::string const& capture_id, std::string const& custom_id) {
  bool const is_over = facts.status != "dispute_opened";
  json::object dispute{{"dispute_id", "PP-D-" + facts.charge_id.substr(3)},
                       {"create_time", to_rfc3339(facts.created_at)},
                       {"disputed_transactions",
                        json::array{json::object{{"seller_transaction_id", capture_id}, {"custom", custom_id}}}},
                       {"reason", "UNAUTHORISED"},
                       {"status", is_over ? "RESOLVED" : "WAITING_FOR_SELLER_RESPONSE"},
                       {"dispute_amount", money(facts.amount_minor, facts.currency)}};
  if (is_over)
    dispute["dispute_outcome"] = {
        {"outcome_code", facts.status == "dispute_won" ? "RESOLVED_SELLER_FAVOUR" : "RESOLVED_BUYER_FAVOUR"}};
  return dispute;
}

// Of an order that holds its money: each capture speaks of itself, and otherwise only the hold's begin and end are
// told.
std::string_view event_type_of_hold(NoticeFacts const& facts, bool is_voided) {
  if (!facts.refund_number.empty() || !facts.capture_number.empty() || facts.type.starts_with("charge.dispute"))
    return event_type(facts.type);
  if (facts.type == "charge.authorized") return "PAYMENT.AUTHORIZATION.CREATED";
  bool const is_end = facts.type == "charge.succeeded" || facts.type == "charge.closed";
  return is_end && is_voided ? "PAYMENT.AUTHORIZATION.VOIDED" : std::string_view{};
}

std::string event_text(NoticeFacts const& facts, std::string_view type, std::string_view resource_type,
                       json::object resource) {
  return json::serialize(json::object{{"id", "WH-" + facts.id},
                                      {"event_version", "1.0"},
                                      {"create_time", to_rfc3339(facts.created_at)},
                                      {"resource_type", resource_type},
                                      {"resource_version", "2.0"},
                                      {"event_type", type},
                                      {"summary", type},
                                      {"resource", std::move(resource)},
                                      {"links", json::array{}}});
}

}  // namespace

std::string PaypalDialect::body(NoticeFacts const& facts, bool /*wrong_signature*/) const {
  if (facts.type == "order.approved") {
    Order const order = find(facts.charge_id);
    return order.exists()
               ? event_text(facts, "CHECKOUT.ORDER.APPROVED", "checkout-order", order_object(order, Fault::none))
               : std::string{};
  }
  bool const is_hold = parts_.ledger.find(authorizations, facts.charge_id) != nullptr;
  std::string const* const order_id = parts_.ledger.find(is_hold ? authorizations : captures, facts.charge_id);
  if (order_id == nullptr) return {};
  Order const order = find(*order_id);
  std::string_view const type = is_hold ? event_type_of_hold(facts, is_voided(order)) : event_type(facts.type);
  if (type.empty()) return {};
  Bank const& bank = parts_.ledger.bank();
  if (type.starts_with("CUSTOMER.DISPUTE.")) {
    auto const parts = bank.captures_of(order.charge.number);
    return event_text(
        facts, type, "dispute",
        dispute_object(facts, parts.empty() ? facts.charge_id : parts.front().id, order.text("custom_id")));
  }
  Fault const fault = facts.status == "pending" ? Fault::in_progress : Fault::none;
  if (type.starts_with("PAYMENT.AUTHORIZATION."))
    return event_text(facts, type, "authorization", authorization_object(order, fault));
  bool const is_refund = !facts.refund_number.empty();
  json::object resource;
  if (is_refund)
    resource = refund_object(bank.query_refund(facts.refund_number).refund, fault);
  else if (is_hold)
    resource = held_capture_object(order, bank.query_capture(facts.capture_number).capture, fault);
  else
    resource = capture_object(order, fault);
  resource["amount"] = money(facts.amount_minor, facts.currency);
  if (facts.status == "declined") resource["status"] = "DECLINED";
  if (facts.number != facts.about) {
    resource["invoice_id"] = facts.number;
    resource["custom_id"] = facts.number;
    resource["supplementary_data"] = json::object{{"related_ids", {{"order_id", "FOREIGN"}}}};
  }
  if (facts.account != account()) resource["payee"] = {{"merchant_id", facts.account}};
  return event_text(facts, type, is_refund ? "refund" : "capture", std::move(resource));
}

HttpHeaders PaypalDialect::headers(std::string const& body, bool wrong_signature) const {
  std::string const id = mint_suffix(parts_.clock.now(), parts_.random);
  std::string const time = to_rfc3339(parts_.clock.now());
  std::string const text = transmission_text(id, time, keys_.webhook_id, wrong_signature ? body + " " : body);
  return {{"Content-Type", "application/json"},
          {"PAYPAL-TRANSMISSION-ID", id},
          {"PAYPAL-TRANSMISSION-TIME", time},
          {"PAYPAL-TRANSMISSION-SIG", base64_encode(keys_.webhook_key.sign(text))},
          {"PAYPAL-CERT-URL", fmt::format("{}/v1/notifications/certs/CERT-sandbox", parts_.base_url)},
          {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}};
}

}  // namespace payonce::sandbox::paypal
