#include "provider/stripe/classify.h"

#include <boost/json.hpp>

#include "payment/call_kind.h"
#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/stripe/amount.h"
#include "provider/stripe/codes.h"

namespace payonce::stripe {

namespace {

namespace json = boost::json;

// https://docs.stripe.com/api/payment_intents/object; `requires_payment_method` is read apart.
constexpr StatusMeaning intent_statuses[] = {
    {"succeeded", Outcome::succeeded},         {"canceled", Outcome::declined},
    {"processing", Outcome::pending},          {"requires_action", Outcome::requires_action},
    {"requires_capture", Outcome::authorized}, {"requires_confirmation", Outcome::pending},
};
// https://docs.stripe.com/api/refunds/object
constexpr StatusMeaning refund_statuses[] = {
    {"succeeded", Outcome::succeeded},     {"failed", Outcome::declined}, {"canceled", Outcome::declined},
    {"requires_action", Outcome::pending}, {"pending", Outcome::pending},
};

// The client secret lets its holder act on the payment; it goes to the buyer's page and into no record.
std::string evidence_of(json::object object) {
  object.erase("client_secret");
  return json::serialize(object);
}

// Without a method of payment: not yet begun, refused and over, or refused and open for another try of the buyer's.
Outcome without_method(json::object const& intent) {
  if (metadata_at(intent, confirm_key) == confirmed_by_buyer) return Outcome::requires_action;
  return object_at(intent, "last_payment_error") ? Outcome::declined : Outcome::pending;
}

// Where the buyer has to go; for a page that drives Stripe's own script, the secret it needs.
std::string action_of(json::object const& intent) {
  auto const* next = object_at(intent, "next_action");
  auto const* redirect = next ? object_at(*next, "redirect_to_url") : nullptr;
  return redirect ? text_at(*redirect, "url") : text_at(intent, "client_secret");
}

// Statuses under which an error code proves nothing: no refusal at all, trouble on the way, another request under the
// same key, limits.
constexpr bool hides_outcome(int status) {
  return status < 400 || status >= 500 || status == 409 || status == 424 || status == 429;
}

// The code that our table knows the error by.
std::string code_of(json::object const& error, int status) {
  if (text_at(error, "type") == "idempotency_error") return "idempotency_error";
  std::string code = text_at(error, "code");
  return code.empty() ? "http_" + std::to_string(status) : code;
}

Answer read_error(ProviderCall const& call, HttpAnswer const& answer, json::object const& error,
                  std::optional<bool> is_live) {
  std::string const code = code_of(error, answer.status);
  auto const* const intent = object_at(error, "payment_intent");
  bool const is_ours = intent && metadata_at(*intent, payment_key) == call.attempt.id.value;
  Answer meaning = in_doubt(code, answer);
  if (is_ours) {
    meaning.provider_ref = text_at(*intent, "id");
    meaning.text = evidence_of(*intent);
  }
  if (hides_outcome(answer.status)) return meaning;
  // The request does not fit the payment's state, and the error shows that state.
  if (code == "payment_intent_unexpected_state" && is_ours)
    return is_about_capture(call.kind) ? read_capture(*intent, call.kind, is_live) : read_intent(*intent, is_live);
  meaning.outcome = outcome_of(meaning_of(codes, call.kind, code), call);
  std::string const decline = text_at(error, "decline_code");
  if (!decline.empty()) meaning.code += "/" + decline;
  if (!is_ours) meaning.text = answer.body;
  return meaning;
}

}  // namespace

std::optional<Money> amount_at(json::object const& object, std::string_view key) {
  auto const* amount = object.if_contains(key);
  return amount && amount->is_int64() ? read_amount(amount->get_int64(), text_at(object, "currency")) : std::nullopt;
}

std::string metadata_at(json::object const& object, std::string_view key) {
  auto const* metadata = object_at(object, "metadata");
  return metadata ? text_at(*metadata, key) : std::string{};
}

std::optional<json::object> parse_object(std::string const& body) {
  boost::system::error_code error;
  json::value value = json::parse(body, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

Answer read_intent(json::object const& intent, std::optional<bool> is_live) {
  std::string const status = text_at(intent, "status");
  Answer answer;
  answer.outcome = status == "requires_payment_method" ? without_method(intent) : outcome_in(intent_statuses, status);
  answer.code = status;
  answer.provider_ref = text_at(intent, "id");
  answer.text = evidence_of(intent);
  if (auto const* error = object_at(intent, "last_payment_error"); error && answer.outcome == Outcome::declined)
    answer.code = text_at(*error, "code");
  if (answer.outcome == Outcome::requires_action) answer.action_url = action_of(intent);
  if (answer.outcome == Outcome::succeeded) {
    answer.amount = amount_at(intent, "amount_received");
    if (!answer.amount) answer.misfit = "the answer names no amount and currency that can be compared";
  }
  if (answer.outcome == Outcome::authorized) answer.amount = amount_at(intent, "amount_capturable");
  auto const* live = intent.if_contains("livemode");
  if (is_live && live && live->is_bool() && live->get_bool() != *is_live)
    answer.misfit =
        *is_live ? "the payment is of test mode, our key is not" : "our key is of test mode, the payment is not";
  return answer;
}

Answer read_capture(json::object const& intent, CallKind kind, std::optional<bool> is_live) {
  Answer answer = read_intent(intent, is_live);
  answer.provider_ref = text_at(intent, "latest_charge");
  // Asked, it says that no capture has been made; told to capture, that it has not come to it.
  bool const is_held = answer.outcome == Outcome::authorized;
  if (is_held) answer.outcome = kind == CallKind::query_capture ? Outcome::not_found : Outcome::pending;
  if (is_held) answer.amount.reset();
  return answer;
}

Answer read_refund(json::object const& refund) {
  Answer answer;
  answer.code = text_at(refund, "status");
  answer.outcome = outcome_in(refund_statuses, answer.code);
  answer.provider_ref = text_at(refund, "id");
  answer.text = json::serialize(refund);
  answer.amount = amount_at(refund, "amount");
  if (std::string const reason = text_at(refund, "failure_reason"); !reason.empty()) answer.code += "/" + reason;
  return answer;
}

Answer classify(ProviderCall const& call, HttpAnswer const& answer, std::optional<bool> is_live) {
  if (auto none = unanswered(answer)) return std::move(*none);
  auto const object = parse_object(answer.body);
  std::string const status = "http_" + std::to_string(answer.status);
  if (!object) return in_doubt(status, answer);
  if (auto const* error = object_at(*object, "error")) return read_error(call, answer, *error, is_live);
  if (answer.status != 200) return in_doubt(status, answer);
  bool const is_refund = is_about_refund(call.kind);
  std::string const number = metadata_at(*object, is_refund ? refund_key : payment_key);
  if (number != (is_refund ? call.refund->id.value : call.attempt.id.value)) {
    Answer other;
    other.code = "other_number";
    other.text = "the answer is about \"" + number.substr(0, 64) + "\"";
    return other;
  }
  if (is_about_capture(call.kind)) return read_capture(*object, call.kind, is_live);
  return is_refund ? read_refund(*object) : read_intent(*object, is_live);
}

}  // namespace payonce::stripe
