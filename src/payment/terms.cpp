#include "payment/terms.h"

#include <array>

#include "base/enum_text.h"

namespace payonce {

std::string_view to_text(Trigger trigger) {
  switch (trigger) {
    case Trigger::order_paid: return "order.paid";
    case Trigger::payment_succeeded: return "payment.succeeded";
    case Trigger::payment_authorized: return "payment.authorized";
    case Trigger::payment_surplus: return "payment.surplus";
    case Trigger::payment_disputed: return "payment.disputed";
    case Trigger::dispute_won: return "payment.dispute_won";
    case Trigger::payment_reversed: return "payment.reversed";
    case Trigger::refund_succeeded: return "refund.succeeded";
    case Trigger::refund_failed: return "refund.failed";
  }
  return "";
}

std::optional<Trigger> parse_trigger(std::string_view text) {
  using enum Trigger;
  return find_by_text(std::array{order_paid, payment_succeeded, payment_authorized, payment_surplus, payment_disputed,
                                 dispute_won, payment_reversed, refund_succeeded, refund_failed},
                      text);
}

std::string_view to_text(SwitchMode mode) { return mode == SwitchMode::strict ? "strict" : "release"; }
std::string_view to_text(SurplusPolicy policy) { return policy == SurplusPolicy::automatic ? "automatic" : "manual"; }

std::optional<SwitchMode> parse_switch_mode(std::string_view text) {
  return find_by_text(std::array{SwitchMode::strict, SwitchMode::release}, text);
}

std::optional<SurplusPolicy> parse_surplus_policy(std::string_view text) {
  return find_by_text(std::array{SurplusPolicy::automatic, SurplusPolicy::manual}, text);
}

}  // namespace payonce
