#include "sandbox/stripe/objects.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "sandbox/stripe/wire.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

std::string intent_id(std::string_view charge_id) { return fmt::format("pi_{}", charge_id.substr(3)); }

std::string_view intent_status(IntentRecord const& record, Charge const& charge) {
  switch (charge.state) {
    case ChargeState::pending: return "processing";
    case ChargeState::authorized: return "requires_capture";
    case ChargeState::succeeded: return "succeeded";
    case ChargeState::closed: return "canceled";
    case ChargeState::declined: return "requires_payment_method";
    case ChargeState::requires_action: break;
  }
  json::string const& phase = record.at("phase").as_string();
  return {phase.data(), phase.size()};
}

json::object intent_object(IntentRecord record, Charge const& charge, Fault fault, std::string_view base_url) {
  std::string status{intent_status(record, charge)};
  if (fault == Fault::in_progress) status = "processing";
  if (fault == Fault::nonsense_json) status = "sideways";
  bool const has_succeeded = status == "succeeded";
  std::int64_t const amount = record.at("amount").as_int64();
  std::int64_t const taken = from_minor(taken_minor(charge), to_lower(charge.currency));

  record["status"] = status;
  record["amount_received"] = has_succeeded ? taken : 0;
  record["amount_capturable"] = status == "requires_capture" ? amount : 0;
  record["latest_charge"] = has_succeeded ? json::value(charge.id) : json::value();
  record["next_action"] = nullptr;
  if (status == "requires_action")
    record["next_action"] = {
        {"type", "redirect_to_url"},
        {"redirect_to_url",
         {{"url", fmt::format("{}/pay/{}", base_url, charge.number)}, {"return_url", record.at("return_url")}}}};
  record.erase("number");
  record.erase("phase");
  return record;
}

json::object refund_object(json::object const& record, Refund const& refund, std::string_view charge_id, Fault fault) {
  std::string_view status = refund.state == RefundState::succeeded ? "succeeded" : "failed";
  if (fault == Fault::in_progress) status = "pending";
  if (fault == Fault::nonsense_json) status = "sideways";
  std::string const currency = to_lower(refund.currency);
  json::object object{{"id", refund.id},
                      {"object", "refund"},
                      {"amount", from_minor(refund.amount_minor, currency)},
                      {"balance_transaction", fmt::format("txn_{}", refund.id.substr(3))},
                      {"charge", charge_id},
                      {"created", to_epoch_ms(refund.created_at) / 1000},
                      {"currency", currency},
                      {"metadata", record.at("metadata")},
                      {"payment_intent", intent_id(charge_id)},
                      {"reason", record.at("reason")},
                      {"status", status}};
  if (status == "failed") object["failure_reason"] = "declined";
  if (status == "pending") object["pending_reason"] = "processing";
  return object;
}

}  // namespace payonce::sandbox::stripe
