// What the sandbox bank keeps: charges, captures and refunds, as rows of its ledger.
// Not for: the rules of how they change (bank.h) or their JSON (record.h for the journal, answer.h for callers).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace payonce::sandbox {

enum class ChargeState {
  pending,          // the bank works on it
  requires_action,  // the buyer has to approve it on the bank's page
  authorized,       // the money is held, and moves by captures only
  succeeded,        // the money moved
  declined,         // refused
  closed,           // ended before money moved; the number is barred for ever
};

std::string_view to_text(ChargeState state);
std::optional<ChargeState> parse_charge_state(std::string_view text);

// The money may still move by the ordinary course of things, or be held.
constexpr bool is_open(ChargeState state) {
  return state == ChargeState::pending || state == ChargeState::requires_action;
}

struct Charge {
  std::string id;  // ch_…; empty for the stand-in of a number that was closed before it was ever charged
  std::string number;
  std::string order;
  std::int64_t amount_minor = 0;
  std::string currency;
  std::string method;
  std::string dialect = {};        // in which its merchant speaks; empty: the bank's own
  std::optional<Time> expires_at;  // an open charge is closed then
  ChargeState state = ChargeState::pending;
  std::string code;  // why it was declined or closed
  Time created_at{};
  std::optional<Time> succeeds_at;      // set while it is going to succeed by itself, even from declined
  std::optional<Time> hold_until = {};  // its money is held until then and only moved by captures; unset: moved at once
  std::int64_t captured_minor = 0;      // of a hold

  bool operator==(Charge const&) const = default;
};

// What moved of it, and what its amount is to those who ask: of a hold that is over, what was captured.
constexpr std::int64_t taken_minor(Charge const& charge) {
  if (charge.hold_until) return charge.captured_minor;
  return charge.state == ChargeState::succeeded ? charge.amount_minor : 0;
}
constexpr std::int64_t told_minor(Charge const& charge) {
  return charge.state == ChargeState::succeeded ? taken_minor(charge) : charge.amount_minor;
}

enum class CaptureState { succeeded, declined };

std::string_view to_text(CaptureState state);
std::optional<CaptureState> parse_capture_state(std::string_view text);

struct Capture {
  std::string id;  // cp_…
  std::string number;
  std::string charge_number;
  std::string order;  // of the charge
  std::int64_t amount_minor = 0;
  std::string currency;
  bool is_final = true;  // the rest of the hold is let go
  CaptureState state = CaptureState::succeeded;
  std::string code;  // why it was declined
  Time created_at{};

  bool operator==(Capture const&) const = default;
};

enum class RefundState { succeeded, declined };

std::string_view to_text(RefundState state);
std::optional<RefundState> parse_refund_state(std::string_view text);

struct Refund {
  std::string id;  // re_…
  std::string number;
  std::string charge_number;
  std::string order;  // of the charge
  std::int64_t amount_minor = 0;
  std::string currency;
  std::string reason;
  RefundState state = RefundState::succeeded;
  std::string code;  // why it was declined
  Time created_at{};

  bool operator==(Refund const&) const = default;
};

}  // namespace payonce::sandbox
