// What one answer of a provider means, and where we have it from.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace payonce {

enum class Outcome {
  succeeded,        // the money moved
  declined,         // the provider's word that this number did not charge and will not: a refusal, or a closing
  pending,          // the provider has it and works on it
  requires_action,  // the provider has it and waits for the buyer
  authorized,       // the provider holds the money and moves it only when it is told to
  not_found,        // the provider does not know the number (yet)
  in_doubt,         // it was sent, and nothing usable came back: time-out, reset, 5xx, nonsense, an unlisted code
  not_sent,         // surely no byte of the request left us
  dispute_opened,   // the payer's bank took the money back, for now
  dispute_won,      // … and gave it to the shop again
  dispute_lost,     // … and keeps it
  reversed,         // the provider took the money back for good, without a dispute (a capture that failed afterwards)
};

enum class Evidence {
  response,   // the answer to the call that asked for the change (create, close, refund)
  query,      // the answer to a question
  notice,     // a signed message from the provider
  statement,  // the provider's bill
  operator_,  // a person of the shop, with a reason
};

inline constexpr std::array outcomes{Outcome::succeeded,       Outcome::declined,     Outcome::pending,
                                     Outcome::requires_action, Outcome::authorized,   Outcome::not_found,
                                     Outcome::in_doubt,        Outcome::not_sent,     Outcome::dispute_opened,
                                     Outcome::dispute_won,     Outcome::dispute_lost, Outcome::reversed};
inline constexpr std::array evidences{Evidence::response, Evidence::query, Evidence::notice, Evidence::statement,
                                      Evidence::operator_};

std::string_view to_text(Outcome outcome);
std::string_view to_text(Evidence evidence);
std::optional<Outcome> parse_outcome(std::string_view text);
std::optional<Evidence> parse_evidence(std::string_view text);

// News of money that came before.
constexpr bool is_take_back(Outcome outcome) {
  return outcome == Outcome::dispute_opened || outcome == Outcome::dispute_won || outcome == Outcome::dispute_lost ||
         outcome == Outcome::reversed;
}

// Whether this kind of evidence can carry that outcome at all. A notice never says "in doubt", and a person can settle
// an attempt but can't make it pending.
constexpr bool can_carry(Evidence evidence, Outcome outcome) {
  bool const is_final = outcome == Outcome::succeeded || outcome == Outcome::declined;
  switch (evidence) {
    case Evidence::response: return !is_take_back(outcome);
    case Evidence::query: return true;
    case Evidence::notice:
      return is_final || is_take_back(outcome) || outcome == Outcome::pending || outcome == Outcome::requires_action ||
             outcome == Outcome::authorized;
    case Evidence::statement: return is_final || is_take_back(outcome) || outcome == Outcome::pending;
    case Evidence::operator_: return is_final || is_take_back(outcome);
  }
  return false;
}

}  // namespace payonce
