// PayPal's webhooks: events about captures and refunds, signed with the key of a certificate that PayPal serves.
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
  if (type == "charge.succeeded") return "PAYMENT.CAPTURE.COMPLETED";
  if (type == "charge.declined") return "PAYMENT.CAPTURE.DENIED";
  if (type == "charge.pending") return "PAYMENT.CAPTURE.PENDING";
  if (type == "refund.succeeded") return "PAYMENT.CAPTURE.REFUNDED";
  if (type == "refund.pending") return "PAYMENT.REFUND.PENDING";
  return {};
}

}  // namespace

std::string PaypalDialect::body(NoticeFacts const& facts, bool /*wrong_signature*/) const {
  std::string_view const type = event_type(facts.type);
  std::string const* const order_id = parts_.ledger.find("paypal.capture", facts.charge_id);
  if (type.empty() || order_id == nullptr) return {};
  Order const order = find(*order_id);
  Fault const fault = facts.status == "pending" ? Fault::in_progress : Fault::none;
  bool const is_refund = !facts.refund_number.empty();
  json::object resource = is_refund
                              ? refund_object(parts_.ledger.bank().query_refund(facts.refund_number).refund, fault)
                              : capture_object(order, fault);
  resource["amount"] = money(facts.amount_minor, facts.currency);
  if (facts.status == "declined") resource["status"] = "DECLINED";
  if (facts.number != facts.about) {
    resource["invoice_id"] = facts.number;
    resource["custom_id"] = facts.number;
    resource["supplementary_data"] = json::object{{"related_ids", {{"order_id", "FOREIGN"}}}};
  }
  if (facts.account != account()) resource["payee"] = {{"merchant_id", facts.account}};
  return json::serialize(json::object{{"id", "WH-" + facts.id},
                                      {"event_version", "1.0"},
                                      {"create_time", to_rfc3339(facts.created_at)},
                                      {"resource_type", is_refund ? "refund" : "capture"},
                                      {"resource_version", "2.0"},
                                      {"event_type", type},
                                      {"summary", type},
                                      {"resource", resource},
                                      {"links", json::array{}}});
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
