#include "payment/outcome.h"

#include "base/enum_text.h"

namespace payonce {

std::string_view to_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::succeeded: return "succeeded";
    case Outcome::declined: return "declined";
    case Outcome::pending: return "pending";
    case Outcome::requires_action: return "requires_action";
    case Outcome::authorized: return "authorized";
    case Outcome::not_found: return "not_found";
    case Outcome::in_doubt: return "in_doubt";
    case Outcome::not_sent: return "not_sent";
    case Outcome::dispute_opened: return "dispute_opened";
    case Outcome::dispute_won: return "dispute_won";
    case Outcome::dispute_lost: return "dispute_lost";
    case Outcome::reversed: return "reversed";
  }
  return "";
}

std::string_view to_text(Evidence evidence) {
  switch (evidence) {
    case Evidence::response: return "response";
    case Evidence::query: return "query";
    case Evidence::notice: return "notice";
    case Evidence::statement: return "statement";
    case Evidence::operator_: return "operator";
  }
  return "";
}

std::optional<Outcome> parse_outcome(std::string_view text) { return find_by_text(outcomes, text); }
std::optional<Evidence> parse_evidence(std::string_view text) { return find_by_text(evidences, text); }

}  // namespace payonce
