#include "sandbox/answer.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <limits>
#include <map>
#include <utility>

#include "base/money.h"

namespace payonce::sandbox {

namespace json = boost::json;

namespace {

// The sentence behind a code, for people.
std::string_view sentence(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> sentences[] = {
      {"card_declined", "The card was declined."},
      {"unknown_method", "The sandbox does not know this method; see its reference for those it knows."},
      {"expired", "The charge was not paid before expires_at."},
      {"closed", "The number was closed before money moved; it can't be charged any more."},
      {"buyer_refused", "The buyer refused on the bank's page."},
      {"refund_declined", "The refund was declined."},
      {"exceeds_charge", "The refunds of this charge would exceed what was charged."},
      {"charge_not_succeeded", "There is no money to give back: the charge has not succeeded."},
      {"hold_expired", "The hold ended before it was captured."},
      {"capture_declined", "The capture was declined."},
      {"exceeds_hold", "The captures of this charge would exceed what is held."},
      {"charge_not_held", "There is no money to capture: the charge is not held, or not any more."},
      {"currency_mismatch", "The currency is not that of the charge."},
  };
  for (auto const& [known, text] : sentences)
    if (known == code) return text;
  return {};
}

std::string_view told_status(std::string_view status, Fault fault) {
  if (fault == Fault::in_progress) return "pending";
  if (fault == Fault::nonsense_json) return "sideways";
  return status;
}

bool is_distorted(Fault fault) { return fault == Fault::in_progress || fault == Fault::nonsense_json; }

HttpResponse number_reused(std::string_view field) {
  return error_response(409, "number_reused", fmt::format("The number belongs to a request with another {}.", field),
                        field);
}

json::object ledger_row(Charge const& charge) {
  return {{"id", charge.id},
          {"number", charge.number},
          {"order", charge.order},
          {"amount", charge.amount_minor},
          {"captured", taken_minor(charge)},
          {"currency", charge.currency},
          {"status", to_text(charge.state)},
          {"code", charge.code},
          {"created_at", to_rfc3339(charge.created_at)},
          {"method", charge.method}};
}

json::object ledger_row(Capture const& capture) {
  return {{"id", capture.id},
          {"number", capture.number},
          {"charge_number", capture.charge_number},
          {"order", capture.order},
          {"amount", capture.amount_minor},
          {"currency", capture.currency},
          {"final", capture.is_final},
          {"status", to_text(capture.state)},
          {"code", capture.code},
          {"created_at", to_rfc3339(capture.created_at)}};
}

json::object ledger_row(Refund const& refund) {
  return {{"id", refund.id},
          {"number", refund.number},
          {"charge_number", refund.charge_number},
          {"order", refund.order},
          {"amount", refund.amount_minor},
          {"currency", refund.currency},
          {"status", to_text(refund.state)},
          {"code", refund.code},
          {"created_at", to_rfc3339(refund.created_at)}};
}

json::object ledger_row(CallRecord const& call) {
  return {{"call", to_text(call.call)},
          {"number", call.number},
          {"order", call.order},
          {"fault", to_text(call.fault)},
          {"at", to_rfc3339(call.at)}};
}

struct OrderSums {
  std::int64_t charges = 0;
  std::int64_t charged_minor = 0;
  std::int64_t refunded_minor = 0;
};

void add(std::int64_t& sum, std::int64_t amount) {
  sum = checked_add(sum, amount).value_or(std::numeric_limits<std::int64_t>::max());
}

}  // namespace

HttpResponse json_response(int status, json::object const& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(body)};
}

HttpResponse error_response(int status, std::string_view code, std::string_view message, std::string_view field) {
  json::object body{{"code", code}, {"message", message}};
  if (!field.empty()) body["field"] = field;
  return json_response(status, body);
}

HttpResponse bank_failure(int status) {
  if (status == 503) return error_response(503, "unavailable", "The bank is closed for now.");
  return error_response(500, "internal_error", "The bank has an internal problem.");
}

HttpResponse refusal(Error const& error) { return error_response(400, "invalid_request", error.detail, error.field); }

HttpResponse charge_response(ChargeReply const& reply, Call call, Fault fault, AnswerContext const& context) {
  if (reply.verdict == Verdict::not_found)
    return error_response(404, "charge_not_found", "No charge has this number, and none was closed under it.");
  if (reply.verdict == Verdict::number_reused) return number_reused(reply.field);

  Charge const& charge = reply.charge;
  bool const waits = charge.state == ChargeState::requires_action && !is_distorted(fault);
  std::string_view const code = is_distorted(fault) ? std::string_view{} : std::string_view{charge.code};
  json::object body{{"id", charge.id},
                    {"number", charge.number},
                    {"order", charge.order},
                    {"status", told_status(to_text(charge.state), fault)},
                    {"amount", told_minor(charge)},
                    {"currency", charge.currency},
                    {"code", code},
                    {"message", sentence(code)},
                    {"action_url", waits ? fmt::format("{}/pay/{}", context.base_url, charge.number) : ""},
                    {"account", context.account}};
  if (charge.state == ChargeState::authorized) body["hold_until"] = to_rfc3339(*charge.hold_until);
  int status = 200;
  if (!is_distorted(fault)) {
    if (reply.verdict == Verdict::number_closed) status = 409;
    if (call == Call::create && charge.state == ChargeState::declined) status = 402;
  }
  return json_response(status, body);
}

HttpResponse capture_response(CaptureReply const& reply, Call call, Fault fault) {
  if (reply.verdict == Verdict::not_found && call == Call::capture)
    return error_response(404, "charge_not_found", "No charge has this number.", "charge_number");
  if (reply.verdict == Verdict::not_found)
    return error_response(404, "capture_not_found", "No capture has this number.");
  if (reply.verdict == Verdict::number_reused) return number_reused(reply.field);

  Capture const& capture = reply.capture;
  std::string_view const code = is_distorted(fault) ? std::string_view{} : std::string_view{capture.code};
  json::object const body{{"id", capture.id},
                          {"number", capture.number},
                          {"charge_number", capture.charge_number},
                          {"status", told_status(to_text(capture.state), fault)},
                          {"amount", capture.amount_minor},
                          {"currency", capture.currency},
                          {"final", capture.is_final},
                          {"code", code},
                          {"message", sentence(code)}};
  bool const declined = capture.state == CaptureState::declined && call == Call::capture && !is_distorted(fault);
  return json_response(declined ? 402 : 200, body);
}

HttpResponse refund_response(RefundReply const& reply, Call call, Fault fault) {
  if (reply.verdict == Verdict::not_found && call == Call::refund)
    return error_response(404, "charge_not_found", "No charge has this number.", "charge_number");
  if (reply.verdict == Verdict::not_found) return error_response(404, "refund_not_found", "No refund has this number.");
  if (reply.verdict == Verdict::number_reused) return number_reused(reply.field);

  Refund const& refund = reply.refund;
  std::string_view const code = is_distorted(fault) ? std::string_view{} : std::string_view{refund.code};
  json::object const body{{"id", refund.id},
                          {"number", refund.number},
                          {"charge_number", refund.charge_number},
                          {"status", told_status(to_text(refund.state), fault)},
                          {"amount", refund.amount_minor},
                          {"currency", refund.currency},
                          {"code", code},
                          {"message", sentence(code)}};
  bool const declined = refund.state == RefundState::declined && call == Call::refund && !is_distorted(fault);
  return json_response(declined ? 402 : 200, body);
}

json::object ledger_json(Ledger const& ledger, std::string_view order) {
  auto const wanted = [&](auto const& row) { return order.empty() || row.order == order; };
  std::map<std::string, OrderSums, std::less<>> sums;
  json::array charges;
  for (Charge const& charge : ledger.bank().charges()) {
    if (!wanted(charge)) continue;
    charges.push_back(ledger_row(charge));
    OrderSums& sum = sums[charge.order];
    if (taken_minor(charge) == 0) continue;
    ++sum.charges;
    add(sum.charged_minor, taken_minor(charge));
  }
  json::array captures;
  for (Capture const& capture : ledger.bank().captures())
    if (wanted(capture)) captures.push_back(ledger_row(capture));
  json::array refunds;
  for (Refund const& refund : ledger.bank().refunds()) {
    if (!wanted(refund)) continue;
    refunds.push_back(ledger_row(refund));
    if (refund.state == RefundState::succeeded) add(sums[refund.order].refunded_minor, refund.amount_minor);
  }
  json::array calls;
  for (CallRecord const& call : ledger.last_calls())
    if (wanted(call)) calls.push_back(ledger_row(call));
  json::object by_order;
  for (auto const& [id, sum] : sums)
    by_order[id] = {
        {"charged", sum.charges}, {"charged_minor", sum.charged_minor}, {"refunded_minor", sum.refunded_minor}};
  json::array barred;
  if (order.empty())
    for (std::string const& number : ledger.bank().barred_numbers()) barred.emplace_back(number);
  return {{"charges", std::move(charges)}, {"captures", std::move(captures)}, {"refunds", std::move(refunds)},
          {"calls", std::move(calls)},     {"by_order", std::move(by_order)}, {"barred", std::move(barred)}};
}

}  // namespace payonce::sandbox
