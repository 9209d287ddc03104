// Stripe's events: snapshots of an object, signed with the endpoint's secret.
// Source: docs.stripe.com/webhooks/signature, docs.stripe.com/api/events/types.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "sandbox/stripe/stripe_dialect.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

constexpr std::string_view wrong_secret = "whsec_that_the_merchant_was_never_given";

// The event of a notice of the bank, or empty if Stripe has none.
std::string_view event_type(std::string_view type) {
  if (type == "charge.succeeded") return "payment_intent.succeeded";
  if (type == "charge.declined") return "payment_intent.payment_failed";
  if (type == "charge.closed") return "payment_intent.canceled";
  if (type == "charge.authorized") return "payment_intent.amount_capturable_updated";
  if (type == "charge.pending") return "payment_intent.processing";
  if (type == "refund.succeeded" || type == "refund.pending") return "refund.updated";
  if (type == "refund.declined") return "refund.failed";
  if (type == "charge.dispute_opened") return "charge.dispute.created";
  if (type == "charge.dispute_won" || type == "charge.dispute_lost") return "charge.dispute.closed";
  return {};
}

// Source: docs.stripe.com/api/disputes/object. It bears none of the merchant's own numbers.
json::object dispute_object(NoticeFacts const& facts, std::int64_t amount) {
  std::string_view status = "needs_response";
  if (facts.status == "dispute_won") status = "won";
  if (facts.status == "dispute_lost") status = "lost";
  return {{"id", fmt::format("dp_{}", facts.charge_id.substr(3))},
          {"object", "dispute"},
          {"amount", amount},
          {"charge", facts.charge_id},
          {"created", to_epoch_ms(facts.created_at) / 1000},
          {"livemode", false},
          {"metadata", json::object{}},
          {"payment_intent", intent_id(facts.charge_id)},
          {"reason", "fraudulent"},
          {"status", status}};
}

// Makes the merchant's own number another one, wherever the merchant wrote it.
void rename(json::object& object, NoticeFacts const& facts) {
  if (facts.number == facts.about) return;
  for (auto& entry : object.at("metadata").as_object())
    if (entry.value().as_string() == json::string_view{facts.about}) entry.value().emplace_string() = facts.number;
  for (std::string_view const name : {"id", "payment_intent"})
    if (object.contains(name)) object[name] = fmt::format("pi_{}", facts.number.substr(4));
}

}  // namespace

std::string StripeDialect::body(NoticeFacts const& facts, bool /*wrong_signature*/) const {
  std::string_view const type = event_type(facts.type);
  if (type.empty()) return {};
  Intent const intent = find_intent(intent_id(facts.charge_id));
  if (intent.record.empty()) return {};

  json::object object;
  std::string const currency = to_lower(facts.currency);
  std::int64_t const amount = from_minor(facts.amount_minor, currency);
  if (type.starts_with("charge.dispute.")) {
    object = dispute_object(facts, amount);
  } else if (facts.refund_number.empty()) {
    Charge told = intent.charge;
    if (facts.status == "pending") told.state = ChargeState::pending;
    object = intent_object(intent.record, told, Fault::none, parts_.base_url);
    if (told.state == ChargeState::succeeded) object["amount_received"] = amount;
  } else {
    Fault const fault = facts.status == "pending" ? Fault::in_progress : Fault::none;
    object = refund_json(parts_.ledger.bank().query_refund(facts.refund_number).refund, fault);
  }
  // A capture of less than the whole keeps the intent's amount.
  if (facts.amount_minor != told_minor(intent.charge) || !facts.refund_number.empty()) object["amount"] = amount;
  object["currency"] = currency;
  rename(object, facts);
  json::object event{{"id", facts.id},
                     {"object", "event"},
                     {"api_version", "2026-10-28.endive"},
                     {"created", to_epoch_ms(facts.created_at) / 1000},
                     {"data", {{"object", std::move(object)}}},
                     {"livemode", false},
                     {"pending_webhooks", 1},
                     {"request", {{"id", nullptr}, {"idempotency_key", nullptr}}},
                     {"type", type}};
  if (facts.account != account()) event["account"] = facts.account;
  return json::serialize(event);
}

HttpHeaders StripeDialect::headers(std::string const& body, bool wrong_signature) const {
  std::string_view const secret = wrong_signature ? wrong_secret : std::string_view{keys_.webhook_secret};
  std::int64_t const seconds = to_epoch_ms(parts_.clock.now()) / 1000;
  std::string const signature = hmac_sha256_hex(secret, fmt::format("{}.{}", seconds, body));
  return {{"Content-Type", "application/json; charset=utf-8"},
          {"Stripe-Signature", fmt::format("t={},v1={}", seconds, signature)}};
}

}  // namespace payonce::sandbox::stripe
