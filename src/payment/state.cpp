#include "payment/state.h"

#include "base/enum_text.h"

namespace payonce {

std::string_view to_text(AttemptState state) {
  switch (state) {
    case AttemptState::processing: return "PROCESSING";
    case AttemptState::requires_action: return "REQUIRES_ACTION";
    case AttemptState::unknown: return "UNKNOWN";
    case AttemptState::authorized: return "AUTHORIZED";
    case AttemptState::released: return "RELEASED";
    case AttemptState::succeeded: return "SUCCEEDED";
    case AttemptState::failed: return "FAILED";
    case AttemptState::canceled: return "CANCELED";
    case AttemptState::disputed: return "DISPUTED";
    case AttemptState::reversed: return "REVERSED";
  }
  return "";
}

std::string_view to_text(OrderState state) {
  switch (state) {
    case OrderState::open: return "OPEN";
    case OrderState::paid: return "PAID";
    case OrderState::closed: return "CLOSED";
  }
  return "";
}

std::string_view to_text(RefundState state) {
  switch (state) {
    case RefundState::processing: return "R_PROCESSING";
    case RefundState::unknown: return "R_UNKNOWN";
    case RefundState::succeeded: return "R_SUCCEEDED";
    case RefundState::failed: return "R_FAILED";
    case RefundState::returned: return "R_RETURNED";
  }
  return "";
}

std::string_view to_text(CaptureState state) {
  switch (state) {
    case CaptureState::processing: return "C_PROCESSING";
    case CaptureState::unknown: return "C_UNKNOWN";
    case CaptureState::succeeded: return "C_SUCCEEDED";
    case CaptureState::failed: return "C_FAILED";
  }
  return "";
}

std::string_view to_text(CaptureMode mode) { return mode == CaptureMode::automatic ? "automatic" : "manual"; }

std::string_view to_text(Policy policy) {
  switch (policy) {
    case Policy::single: return "single";
    case Policy::split: return "split";
  }
  return "";
}

std::optional<AttemptState> parse_attempt_state(std::string_view text) { return find_by_text(attempt_states, text); }
std::optional<OrderState> parse_order_state(std::string_view text) { return find_by_text(order_states, text); }
std::optional<RefundState> parse_refund_state(std::string_view text) { return find_by_text(refund_states, text); }
std::optional<CaptureState> parse_capture_state(std::string_view text) { return find_by_text(capture_states, text); }
std::optional<CaptureMode> parse_capture_mode(std::string_view text) { return find_by_text(capture_modes, text); }
std::optional<Policy> parse_policy(std::string_view text) { return find_by_text(policies, text); }

}  // namespace payonce
