#include "sandbox/charge.h"

namespace payonce::sandbox {

std::string_view to_text(ChargeState state) {
  switch (state) {
    case ChargeState::pending: return "pending";
    case ChargeState::requires_action: return "requires_action";
    case ChargeState::authorized: return "authorized";
    case ChargeState::succeeded: return "succeeded";
    case ChargeState::declined: return "declined";
    case ChargeState::closed: return "closed";
  }
  return {};
}

std::optional<ChargeState> parse_charge_state(std::string_view text) {
  for (ChargeState const state : {ChargeState::pending, ChargeState::requires_action, ChargeState::authorized,
                                  ChargeState::succeeded, ChargeState::declined, ChargeState::closed})
    if (to_text(state) == text) return state;
  return std::nullopt;
}

std::string_view to_text(CaptureState state) {
  switch (state) {
    case CaptureState::succeeded: return "succeeded";
    case CaptureState::declined: return "declined";
  }
  return {};
}

std::optional<CaptureState> parse_capture_state(std::string_view text) {
  for (CaptureState const state : {CaptureState::succeeded, CaptureState::declined})
    if (to_text(state) == text) return state;
  return std::nullopt;
}

std::string_view to_text(RefundState state) {
  switch (state) {
    case RefundState::succeeded: return "succeeded";
    case RefundState::declined: return "declined";
  }
  return {};
}

std::optional<RefundState> parse_refund_state(std::string_view text) {
  for (RefundState const state : {RefundState::succeeded, RefundState::declined})
    if (to_text(state) == text) return state;
  return std::nullopt;
}

}  // namespace payonce::sandbox
