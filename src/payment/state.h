// The states of attempts, orders and refunds, as they stand in the database and on the wire.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace payonce {

enum class AttemptState {
  processing,       // committed; the provider is being asked or is working on it
  requires_action,  // the buyer must do something at the provider (3-D Secure, scan, sign in)
  unknown,          // the answer was lost or says nothing; the money may have moved
  authorized,       // the provider holds the money for the shop; it moves by captures, or not at all
  released,         // left the live set for another attempt, but may still charge: watched until it can't
  succeeded,        // the money moved
  failed,           // the provider's word: no charge was and will be made
  canceled,         // closed on request, with proof that it can't charge any more
  disputed,         // the money moved, and the payer's bank has taken it back until the dispute is decided
  reversed,         // the money moved and was taken back for good: a dispute lost, or a capture that failed afterwards
};

enum class OrderState {
  open,
  paid,
  closed,  // by the shop; no attempt can begin any more
};

enum class RefundState {
  processing,
  unknown,
  succeeded,
  failed,
  returned,  // given back, and the provider brought the money back to the shop: it did not reach the buyer
};

enum class CaptureState {
  processing,
  unknown,
  succeeded,
  failed,
};

// When the money of an order's payments moves.
enum class CaptureMode {
  automatic,  // as soon as the buyer has paid
  manual,     // it is held first, and the shop captures it, at once or in parts, or gives it up
};

enum class Policy {
  single,  // at most one attempt of the order is live or paid
  split,   // several attempts pay it, each its part; at most one of a part is live or paid
};

inline constexpr std::array attempt_states{
    AttemptState::processing, AttemptState::requires_action, AttemptState::unknown, AttemptState::authorized,
    AttemptState::released,   AttemptState::succeeded,       AttemptState::failed,  AttemptState::canceled,
    AttemptState::disputed,   AttemptState::reversed};
inline constexpr std::array order_states{OrderState::open, OrderState::paid, OrderState::closed};
inline constexpr std::array policies{Policy::single, Policy::split};
inline constexpr std::array refund_states{RefundState::processing, RefundState::unknown, RefundState::succeeded,
                                          RefundState::failed, RefundState::returned};
inline constexpr std::array capture_states{CaptureState::processing, CaptureState::unknown, CaptureState::succeeded,
                                           CaptureState::failed};
inline constexpr std::array capture_modes{CaptureMode::automatic, CaptureMode::manual};

std::string_view to_text(AttemptState state);
std::string_view to_text(OrderState state);
std::string_view to_text(RefundState state);
std::string_view to_text(CaptureState state);
std::string_view to_text(CaptureMode mode);
std::string_view to_text(Policy policy);
std::optional<AttemptState> parse_attempt_state(std::string_view text);
std::optional<OrderState> parse_order_state(std::string_view text);
std::optional<RefundState> parse_refund_state(std::string_view text);
std::optional<CaptureState> parse_capture_state(std::string_view text);
std::optional<CaptureMode> parse_capture_mode(std::string_view text);
std::optional<Policy> parse_policy(std::string_view text);

// Live: holds the order's one place, since it may still charge.
constexpr bool is_live(AttemptState state) {
  switch (state) {
    case AttemptState::processing:
    case AttemptState::requires_action:
    case AttemptState::unknown:
    case AttemptState::authorized: return true;
    case AttemptState::released:
    case AttemptState::succeeded:
    case AttemptState::failed:
    case AttemptState::canceled:
    case AttemptState::disputed:
    case AttemptState::reversed: return false;
  }
  return false;
}

// The money has moved, whatever became of it later.
constexpr bool has_come(AttemptState state) {
  return state == AttemptState::succeeded || state == AttemptState::disputed || state == AttemptState::reversed;
}

// Watched: the recovery worker keeps asking the provider about it.
constexpr bool is_watched(AttemptState state) { return is_live(state) || state == AttemptState::released; }

constexpr bool is_watched(RefundState state) {
  return state == RefundState::processing || state == RefundState::unknown;
}

constexpr bool is_watched(CaptureState state) {
  return state == CaptureState::processing || state == CaptureState::unknown;
}

// It has given money back or may still do so.
constexpr bool takes_money(RefundState state) { return is_watched(state) || state == RefundState::succeeded; }

}  // namespace payonce
