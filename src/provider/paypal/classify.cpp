#include "provider/paypal/classify.h"

#include <boost/json.hpp>

#include "payment/call_kind.h"
#include "provider/answers.h"
#include "provider/json_fields.h"
#include "provider/paypal/amount.h"
#include "provider/paypal/codes.h"
#include "provider/paypal/holds.h"

namespace payonce::paypal {

namespace {

namespace json = boost::json;

// An order without a capture.
constexpr StatusMeaning order_statuses[] = {
    {"CREATED", Outcome::requires_action},
    {"SAVED", Outcome::requires_action},
    {"PAYER_ACTION_REQUIRED", Outcome::requires_action},
    {"APPROVED", Outcome::pending},
    {"VOIDED", Outcome::declined},
};
constexpr StatusMeaning capture_statuses[] = {
    {"COMPLETED", Outcome::succeeded}, {"PENDING", Outcome::pending},    {"DECLINED", Outcome::declined},
    {"FAILED", Outcome::declined},     {"REFUNDED", Outcome::succeeded}, {"PARTIALLY_REFUNDED", Outcome::succeeded},
};
constexpr StatusMeaning refund_statuses[] = {
    {"COMPLETED", Outcome::succeeded},
    {"PENDING", Outcome::pending},
    {"FAILED", Outcome::declined},
    {"CANCELLED", Outcome::declined},
};

json::object const* capture_in(json::object const& order) {
  auto const* unit = first_at(order, "purchase_units");
  auto const* payments = unit ? object_at(*unit, "payments") : nullptr;
  return payments ? first_at(*payments, "captures") : nullptr;
}

// Where the buyer agrees.
std::string approval_link(json::object const& order) {
  std::string const newer = link_in(order, "payer-action");
  return newer.empty() ? link_in(order, "approve") : newer;
}

std::string custom_id_of_order(json::object const& order) {
  auto const* unit = first_at(order, "purchase_units");
  return unit ? text_at(*unit, "custom_id") : std::string{};
}

// The issue of the error's first detail, which tells more than its name.
std::string code_of(json::object const& error, int status) {
  auto const* detail = first_at(error, "details");
  std::string const issue = detail ? text_at(*detail, "issue") : std::string{};
  return issue.empty() ? "http_" + std::to_string(status) : issue;
}

Answer read_error(ProviderCall const& call, HttpAnswer const& answer, json::object const& error) {
  Answer meaning = in_doubt(code_of(error, answer.status), answer);
  bool const hides_outcome = answer.status < 400 || answer.status >= 500 || answer.status == 429;
  if (!hides_outcome) meaning.outcome = outcome_of(meaning_of(codes, call.kind, meaning.code), call);
  return meaning;
}

Answer other_number(std::string_view number) {
  Answer other;
  other.code = "other_number";
  other.text = "the answer is about \"" + std::string{number.substr(0, 64)} + "\"";
  return other;
}

}  // namespace

std::optional<json::object> parse_object(std::string const& body) {
  boost::system::error_code error;
  json::value value = json::parse(body, error);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

std::string refund_mark(AttemptId const& attempt, RefundId const& refund) { return attempt.value + ":" + refund.value; }

Mark parse_mark(std::string_view custom_id) {
  auto const colon = custom_id.find(':');
  if (colon == std::string_view::npos) return {std::string{custom_id}, {}};
  return {std::string{custom_id.substr(0, colon)}, std::string{custom_id.substr(colon + 1)}};
}

std::string link_in(json::object const& object, std::string_view rel) {
  auto const* links = object.if_contains("links");
  if (!links || !links->is_array()) return {};
  for (json::value const& link : links->get_array())
    if (link.is_object() && text_at(link.get_object(), "rel") == rel) return text_at(link.get_object(), "href");
  return {};
}

std::optional<Money> amount_in(json::object const& object) {
  auto const* amount = object_at(object, "amount");
  return amount ? read_amount(text_at(*amount, "value"), text_at(*amount, "currency_code")) : std::nullopt;
}

Time settled_by(Attempt const& attempt) { return attempt.expires_at + settling; }

Answer read_capture(json::object const& capture) {
  Answer answer;
  answer.code = text_at(capture, "status");
  answer.outcome = outcome_in(capture_statuses, answer.code);
  answer.text = json::serialize(capture);
  if (answer.outcome != Outcome::succeeded) return answer;
  answer.amount = amount_in(capture);
  if (!answer.amount) answer.misfit = "the answer names no amount and currency that can be compared";
  if (answer.code != "COMPLETED") answer.misfit = "it was paid, and given back in whole or in part outside payonce";
  return answer;
}

Answer read_order(json::object const& order, Time now, Time settled_by) {
  std::string const status = text_at(order, "status");
  Answer answer;
  if (authorization_in(order)) {
    answer = read_hold(order, now);
  } else if (auto const* capture = capture_in(order)) {
    answer = read_capture(*capture);
  } else {
    answer.code = status;
    answer.outcome = outcome_in(order_statuses, status);
    bool const is_over = answer.outcome != Outcome::in_doubt && now > settled_by;
    if (is_over) answer.outcome = Outcome::declined;
    if (answer.outcome == Outcome::requires_action) answer.action_url = approval_link(order);
  }
  answer.provider_ref = text_at(order, "id");
  answer.text = json::serialize(order);
  return answer;
}

Answer read_refund(json::object const& refund) {
  Answer answer;
  answer.code = text_at(refund, "status");
  answer.outcome = outcome_in(refund_statuses, answer.code);
  answer.provider_ref = text_at(refund, "id");
  answer.text = json::serialize(refund);
  answer.amount = amount_in(refund);
  return answer;
}

std::optional<json::object> order_in(HttpAnswer const& answer, AttemptId const& id) {
  bool const is_answer = answer.delivery == Delivery::answered && answer.status == 200;
  auto order = is_answer ? parse_object(answer.body) : std::nullopt;
  return order && custom_id_of_order(*order) == id.value ? std::move(order) : std::nullopt;
}

Answer classify(ProviderCall const& call, HttpAnswer const& answer, Time now) {
  if (auto none = unanswered(answer)) return std::move(*none);
  auto const object = parse_object(answer.body);
  if (!object) return in_doubt("http_" + std::to_string(answer.status), answer);
  bool const is_success = answer.status == 200 || answer.status == 201;
  if (!is_success) return read_error(call, answer, *object);
  if (is_about_refund(call.kind)) {
    std::string const number = text_at(*object, "invoice_id");
    return number == call.refund->id.value ? read_refund(*object) : other_number(number);
  }
  if (is_about_capture(call.kind)) {
    std::string const number = text_at(*object, "invoice_id");
    return number == call.capture->id.value ? read_held_capture(*object) : other_number(number);
  }
  std::string const number = custom_id_of_order(*object);
  return number == call.attempt.id.value ? read_order(*object, now, settled_by(call.attempt)) : other_number(number);
}

}  // namespace payonce::paypal
