// One state of the explored world, as bytes: the books about one order, what the provider holds of each payment, and
// the calls between them. Times are whole ticks relative to now, cut off where they stop to matter, so that time may
// pass for ever and the states stay finite. Not for: what a byte means to the rules (fold.h).
#pragma once

#include <array>
#include <cstdint>

#include "payment/decision.h"

namespace payonce::check {

using Byte = std::uint8_t;

inline constexpr Byte fresh = 1;
inline constexpr Byte stale = 2;

// A call to the provider, from its commit until nothing can come of it any more.
struct Flight {
  Byte kind = 0;        // CallKind + 1; 0: an empty place
  Byte is_first = 0;    // fresh: nothing had reached the provider before; stale: and it was taken up since
  Byte age = 0;         // ticks since it was sent
  Byte may_arrive = 0;  // the request is still on its way
  Byte is_awaited = 0;  // somebody of ours waits for the answer
  Byte answer = 0;      // Outcome + 1, once the provider has answered

  auto operator<=>(Flight const&) const = default;
};

// What the provider holds of a number.
enum class Ledger : Byte { unknown, pending, waits_for_buyer, held, charged, declined, closed };
// Of a refund or a capture.
enum class PartLedger : Byte { unknown, pending, done, refused };
enum class Dispute : Byte { none, open, won, lost };

struct RefundCell {
  // The row.
  Byte is_there = 0;
  Byte state = 0;
  Byte origin = 0;   // RefundOrigin; one that was made outside may be known to the provider alone
  Byte is_part = 0;  // half of the payment, else all of it
  Byte review = 0;
  Byte has_evidence = 0;
  Byte was_taken_up = 0;
  Byte due = 0;  // 0: never; else 1 + ticks until then
  Byte age = 0;
  Byte has_request = 0;
  Byte has_effect = 0;
  // The provider.
  PartLedger ledger = PartLedger::unknown;
  Byte paid_out = 0;  // times
  Byte notices = 0;   // kinds that are worked in, as bits
  std::array<Flight, 2> flights = {};

  auto operator<=>(RefundCell const&) const = default;
};

struct CaptureCell {
  // The row.
  Byte is_there = 0;
  Byte state = 0;
  Byte is_part = 0;  // half of the hold, else all of it
  Byte is_final = 0;
  Byte has_evidence = 0;
  Byte was_taken_up = 0;
  Byte due = 0;  // 0: never; else 1 + ticks until then
  // The provider.
  PartLedger ledger = PartLedger::unknown;
  std::array<Flight, 2> flights = {};

  auto operator<=>(CaptureCell const&) const = default;
};

struct Cell {
  // The row.
  Byte is_there = 0;
  Byte provider = 0;
  Byte other_amount = 0;  // begun while the order stood at its other amount
  Byte part = 0;          // of a split order
  Byte is_half = 0;       // over half of the split order, else over all of it
  Byte state = 0;
  Byte surplus = 0;
  Byte exposed = 0;
  Byte cancel_requested = 0;
  Byte review = 0;        // 0: none, 1: about money that does not fit, 2: another
  Byte evidence = 0;      // 0: none, 1: some, 2: a notice
  Byte was_taken_up = 0;  // 1: an odd number of times, 2: an even one
  Byte due = 0;           // 0: never; else 1 + ticks until then
  Byte sent_age = 0;      // 0: never sent; else 1 + ticks since
  Byte expires = 0;       // ticks until then
  Byte age = 0;
  Byte has_effect = 0;
  Byte commit_in_doubt = 0;  // the command that began it will be run again
  Byte came_half = 0;        // half of the hold came, and no more
  Byte disputes = 0;
  // The provider.
  Ledger ledger = Ledger::unknown;
  Byte charges = 0;  // times that it agreed to charge or hold
  Byte taken = 0;    // halves of the payment's amount that it took
  Dispute dispute = Dispute::none;
  Byte ledger_age = 0;
  Byte has_changed_its_mind = 0;  // charged what it had declined
  Byte was_open = 0;              // it told that it waits or works
  Byte was_declined = 0;
  Byte notices = 0;  // kinds that are worked in, as bits
  std::array<Flight, 3> flights = {};
  std::array<RefundCell, 2> refunds = {};
  std::array<CaptureCell, 2> captures = {};

  auto operator<=>(Cell const&) const = default;
};

struct State {
  static constexpr std::size_t cells_max = 3;

  Byte order = 0;          // OrderState
  Byte order_expires = 0;  // 0: never; else 1 + ticks until then
  Byte order_due = 0;      // the same for when it is looked at next
  Byte other_amount = 0;
  // Faults that may still happen.
  Byte crashes = 0;
  Byte lost_answers = 0;
  Byte lost_commits = 0;
  Byte changes_of_mind = 0;
  Byte misfits = 0;
  Byte disputes = 0;
  std::array<Cell, cells_max> cells = {};

  auto operator<=>(State const&) const = default;
};

// Only bytes, without gaps: a state can be hashed and compared as memory.
static_assert(std::has_unique_object_representations_v<State>);

// The one of all states that differ only in how payments, refunds, captures and calls are numbered.
State canonical(State state);

// A fingerprint of a canonical state. Two of ten million states share one with a probability below one in 300,000.
std::uint64_t fingerprint(State const& state);

}  // namespace payonce::check
