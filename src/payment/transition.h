// The state machine of attempts and refunds as tables, with the money rules proven at compile time.
// The diagrams in docs/reference/states.md are printed from these tables.
#pragma once

#include <array>
#include <cstddef>

#include "payment/outcome.h"
#include "payment/state.h"

namespace payonce {

// What happens to an attempt: a provider's outcome, or one of our own two decisions. A `declined` that answers our
// wish to cancel is `closed`, so that the books tell a refused card from a payment given up.
enum class Event {
  succeeded,
  declined,
  closed,
  pending,
  requires_action,
  authorized,
  not_found,
  in_doubt,
  not_sent,
  released,        // another attempt of the order turned out to be paid, or took its place
  dispute_opened,  // the three that take a success back or bring it again
  dispute_won,
  reversed,  // a dispute lost, or a capture that failed afterwards
};
inline constexpr std::array events{Event::succeeded,       Event::declined,   Event::closed,         Event::pending,
                                   Event::requires_action, Event::authorized, Event::not_found,      Event::in_doubt,
                                   Event::not_sent,        Event::released,   Event::dispute_opened, Event::dispute_won,
                                   Event::reversed};

std::string_view to_text(Event event);

constexpr Event event_of(Outcome outcome, bool cancel_requested) {
  switch (outcome) {
    case Outcome::succeeded: return Event::succeeded;
    case Outcome::declined: return cancel_requested ? Event::closed : Event::declined;
    case Outcome::pending: return Event::pending;
    case Outcome::requires_action: return Event::requires_action;
    case Outcome::authorized: return Event::authorized;
    case Outcome::not_found: return Event::not_found;
    case Outcome::in_doubt: return Event::in_doubt;
    case Outcome::not_sent: return Event::not_sent;
    case Outcome::dispute_opened: return Event::dispute_opened;
    case Outcome::dispute_won: return Event::dispute_won;
    case Outcome::dispute_lost:
    case Outcome::reversed: return Event::reversed;
  }
  return Event::in_doubt;
}

namespace table {

inline constexpr std::size_t n_states = attempt_states.size();
inline constexpr std::size_t n_events = events.size();
using enum AttemptState;

// clang-format off
// One letter each, so that the whole table can be seen at once.
inline constexpr auto P = processing, A = requires_action, U = unknown, H = authorized, R = released, S = succeeded,
                      F = failed, C = canceled, D = disputed, V = reversed;

// Rows: the state before; columns in the order of Event. The state itself means "stays".
inline constexpr AttemptState attempt[n_states][n_events] = {
    // succeeded, declined, closed, pending, requires_action, authorized, not_found, in_doubt, not_sent, released,
    //                               dispute_opened, dispute_won, reversed
    {S, F, C, P, A, H, U, U, P, R,   P, P, P},  // processing
    {S, F, C, P, A, H, A, A, A, R,   A, A, A},  // requires_action
    {S, F, C, P, A, H, U, U, U, R,   U, U, U},  // unknown
    {S, F, C, H, H, H, H, H, H, R,   H, H, H},  // authorized
    {S, F, C, R, R, R, R, R, R, R,   R, R, R},  // released
    {S, S, S, S, S, S, S, S, S, S,   D, S, V},  // succeeded
    {S, F, F, F, F, F, F, F, F, F,   F, F, F},  // failed
    {S, C, C, C, C, C, C, C, C, C,   C, C, C},  // canceled
    {D, D, D, D, D, D, D, D, D, D,   D, S, V},  // disputed
    {V, V, V, V, V, V, V, V, V, V,   V, V, V},  // reversed
};

inline constexpr auto RP = RefundState::processing, RU = RefundState::unknown, RS = RefundState::succeeded,
                      RF = RefundState::failed, RR = RefundState::returned;

// What is said of disputes is about payments and does not move a refund.
inline constexpr RefundState refund[refund_states.size()][outcomes.size()] = {
    // succeeded, declined, pending, requires_action, authorized, not_found, in_doubt, not_sent, four about disputes
    {RS, RF, RP, RP, RP, RU, RU, RP,   RP, RP, RP, RP},  // processing
    {RS, RF, RP, RP, RU, RU, RU, RU,   RU, RU, RU, RU},  // unknown
    {RS, RR, RS, RS, RS, RS, RS, RS,   RS, RS, RS, RS},  // succeeded
    {RS, RF, RF, RF, RF, RF, RF, RF,   RF, RF, RF, RF},  // failed
    {RR, RR, RR, RR, RR, RR, RR, RR,   RR, RR, RR, RR},  // returned
};

inline constexpr auto CP = CaptureState::processing, CU = CaptureState::unknown, CS = CaptureState::succeeded,
                      CF = CaptureState::failed;

// That the money is still held says nothing of a capture that may be on its way. A capture that is taken back for good
// afterwards is news of its payment.
inline constexpr CaptureState capture[capture_states.size()][outcomes.size()] = {
    // succeeded, declined, pending, requires_action, authorized, not_found, in_doubt, not_sent, four about disputes
    {CS, CF, CP, CP, CU, CU, CU, CP,   CP, CP, CP, CP},  // processing
    {CS, CF, CP, CP, CU, CU, CU, CU,   CU, CU, CU, CU},  // unknown
    {CS, CS, CS, CS, CS, CS, CS, CS,   CS, CS, CS, CS},  // succeeded
    {CS, CF, CF, CF, CF, CF, CF, CF,   CF, CF, CF, CF},  // failed
};
// clang-format on

}  // namespace table

constexpr AttemptState next_state(AttemptState from, Event event) {
  return table::attempt[std::size_t(from)][std::size_t(event)];
}

constexpr RefundState next_state(RefundState from, Outcome outcome) {
  return table::refund[std::size_t(from)][std::size_t(outcome)];
}

constexpr CaptureState next_state(CaptureState from, Outcome outcome) {
  return table::capture[std::size_t(from)][std::size_t(outcome)];
}

namespace proof {

constexpr bool proves_no_charge(Event event) { return event == Event::declined || event == Event::closed; }

// Calls `holds(from, event, to)` for each cell.
template <class Rule>
consteval bool everywhere(Rule holds) {
  for (AttemptState const from : attempt_states)
    for (Event const event : events)
      if (!holds(from, event, next_state(from, event))) return false;
  return true;
}

static_assert(everywhere([](auto from, auto event, auto to) {
                bool const becomes_dead = to != from && (to == AttemptState::failed || to == AttemptState::canceled);
                return !becomes_dead || proves_no_charge(event);
              }),
              "an attempt fails or is canceled only on the provider's word that it did not and will not charge");
static_assert(everywhere([](auto, auto event, auto to) { return event != Event::succeeded || has_come(to); }),
              "money that moved is believed in every state");
static_assert(everywhere([](auto from, auto event, auto to) {
                return !has_come(to) || has_come(from) || event == Event::succeeded;
              }),
              "nothing but the news that money moved makes a success");
static_assert(everywhere([](auto from, auto event, auto to) {
                bool const is_take_back = event == Event::dispute_opened || event == Event::reversed;
                return from != AttemptState::succeeded || to == from || is_take_back;
              }),
              "a success is left by a dispute or a reversal only");
static_assert(everywhere([](auto from, auto, auto to) { return !has_come(from) || has_come(to); }),
              "money that moved is never called a failure");
static_assert(everywhere([](auto from, auto, auto to) { return from != AttemptState::reversed || to == from; }),
              "what was taken back for good stays so");
static_assert(everywhere([](auto from, auto, auto to) { return is_live(from) || !is_live(to); }),
              "what left the live set never comes back into it");
static_assert(everywhere([](auto from, auto event, auto to) {
                bool const ended = from == AttemptState::failed || from == AttemptState::canceled;
                return !ended || to == from || event == Event::succeeded;
              }),
              "an ended attempt is reopened by money only");
static_assert(everywhere([](auto from, auto event, auto to) {
                bool const is_end = event == Event::succeeded || proves_no_charge(event) || event == Event::released;
                return from != AttemptState::authorized || to == from || is_end;
              }),
              "a hold is left for its money, for the provider's word that it is over, or for another payment");
static_assert(everywhere([](auto from, auto, auto) {
                return !is_watched(from) || (!is_watched(next_state(from, Event::succeeded)) &&
                                             !is_watched(next_state(from, Event::closed)));
              }),
              "every watched state has a way to an end");

}  // namespace proof

}  // namespace payonce
