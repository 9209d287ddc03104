#include "provider/answers.h"

#include <algorithm>

namespace payonce {

namespace {

// Whether nothing about this number had left for the provider before.
bool is_first(ProviderCall const& call) {
  if (call.kind == CallKind::create) return call.first_create;
  if (call.kind == CallKind::capture) return call.capture->tries == 0;
  return call.kind == CallKind::refund && call.refund->tries == 0;
}

}  // namespace

Answer in_doubt(std::string code, HttpAnswer const& answer) {
  Answer doubt;
  doubt.outcome = Outcome::in_doubt;
  doubt.code = std::move(code);
  doubt.text = answer.body.empty() ? answer.error : answer.body;
  return doubt;
}

Answer not_offered() {
  Answer answer;
  answer.outcome = Outcome::not_sent;
  answer.code = "not_offered";
  answer.text = "this provider has no such call";
  return answer;
}

std::optional<Answer> unanswered(HttpAnswer const& answer) {
  if (answer.delivery == Delivery::answered) return std::nullopt;
  if (answer.delivery == Delivery::in_doubt) return in_doubt("no_answer", answer);
  Answer unsent;
  unsent.outcome = Outcome::not_sent;
  unsent.code = "not_sent";
  unsent.text = answer.error;
  return unsent;
}

Meaning meaning_of(std::span<CodeMeaning const> table, CallKind kind, std::string_view code) {
  auto const at = std::ranges::find_if(
      table, [&](CodeMeaning const& line) { return line.code == code && (line.calls & on(kind)) != 0; });
  return at == table.end() ? Meaning::in_doubt : at->meaning;
}

Outcome outcome_in(std::span<StatusMeaning const> table, std::string_view status) {
  auto const at = std::ranges::find(table, status, &StatusMeaning::status);
  return at == table.end() ? Outcome::in_doubt : at->outcome;
}

Outcome outcome_of(Meaning meaning, ProviderCall const& call) {
  switch (meaning) {
    case Meaning::succeeded: return Outcome::succeeded;
    case Meaning::declined: return Outcome::declined;
    case Meaning::not_taken: return is_first(call) ? Outcome::declined : Outcome::in_doubt;
    case Meaning::pending: return Outcome::pending;
    case Meaning::requires_action: return Outcome::requires_action;
    case Meaning::not_found: return Outcome::not_found;
    case Meaning::in_doubt: return Outcome::in_doubt;
  }
  return Outcome::in_doubt;
}

}  // namespace payonce
