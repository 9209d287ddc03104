#include "payment/terms.h"

#include <array>

#include "base/enum_text.h"

namespace payonce {

std::string_view to_text(Trigger trigger) {
  switch (trigger) {
    case Trigger::payment_succeeded: return "payment.succeeded";
    case Trigger::refund_succeeded: return "refund.succeeded";
    case Trigger::refund_failed: return "refund.failed";
  }
  return "";
}

std::optional<Trigger> parse_trigger(std::string_view text) {
  using enum Trigger;
  return find_by_text(std::array{payment_succeeded, refund_succeeded, refund_failed}, text);
}

}  // namespace payonce
