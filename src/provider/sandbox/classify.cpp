#include "provider/sandbox/classify.h"

#include <boost/json.hpp>

#include "payment/call_kind.h"
#include "provider/answers.h"
#include "provider/json_fields.h"

namespace payonce::sandbox {

namespace {

namespace json = boost::json;

constexpr StatusMeaning status_meanings[] = {
    {"succeeded", Outcome::succeeded},
    {"declined", Outcome::declined},
    {"closed", Outcome::declined},
    {"pending", Outcome::pending},
    {"requires_action", Outcome::requires_action},
    {"authorized", Outcome::authorized},
    {"dispute_opened", Outcome::dispute_opened},
    {"dispute_won", Outcome::dispute_won},
    {"dispute_lost", Outcome::dispute_lost},
    {"reversed", Outcome::reversed},
};

// The code of "I don't know this number", and the number that was asked about.
std::string_view not_found_code(CallKind kind) {
  if (is_about_refund(kind)) return "refund_not_found";
  return is_about_capture(kind) ? "capture_not_found" : "charge_not_found";
}

std::string const& number_of(ProviderCall const& call) {
  if (is_about_refund(call.kind)) return call.refund->id.value;
  return is_about_capture(call.kind) ? call.capture->id.value : call.attempt.id.value;
}

// HTTP statuses whose body holds the charge or refund as it stands.
constexpr bool tells_status(int http_status) { return http_status == 200 || http_status == 402 || http_status == 409; }

Answer read_object(ProviderCall const& call, HttpAnswer const& answer, json::object const& object,
                   std::string_view account) {
  std::string const code = text_at(object, "code");
  bool const is_unknown_there = answer.status == 404 && is_query(call.kind) && code == not_found_code(call.kind);
  Answer meaning;
  meaning.code = code;
  meaning.text = answer.body;
  if (is_unknown_there) {
    meaning.outcome = Outcome::not_found;
    return meaning;
  }
  if (!tells_status(answer.status) || text_at(object, "number") != number_of(call))
    return in_doubt("http_" + std::to_string(answer.status), answer);

  std::string const status = text_at(object, "status");
  meaning.outcome = outcome_of(status);
  if (meaning.code.empty()) meaning.code = status;
  meaning.provider_ref = text_at(object, "id");
  meaning.action_url = text_at(object, "action_url");
  meaning.amount = money_in(object);
  if (auto const until = parse_rfc3339(text_at(object, "hold_until"))) meaning.hold_until = *until;
  std::string const answered_account = text_at(object, "account");
  if (!answered_account.empty() && answered_account != account)
    meaning.misfit = "the answer is about account " + answered_account.substr(0, 64);
  return meaning;
}

}  // namespace

Outcome outcome_of(std::string_view status) { return outcome_in(status_meanings, status); }

Answer classify(ProviderCall const& call, HttpAnswer const& answer, std::string_view account) {
  if (auto none = unanswered(answer)) return std::move(*none);
  boost::system::error_code error;
  auto const value = json::parse(answer.body, error);
  auto const* object = error ? nullptr : value.if_object();
  if (!object) return in_doubt("http_" + std::to_string(answer.status), answer);
  return read_object(call, answer, *object, account);
}

}  // namespace payonce::sandbox
