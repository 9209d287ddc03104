// What a line of a statement says of the payment or refund that it names. A bill lists movements, each by itself: it
// tells nothing of the whole that several of them make.
#include <fmt/format.h>

#include <algorithm>

#include "payment/rules.h"

namespace payonce {

namespace {

// A payment that has come once and is listed again, under another id of the provider's: the buyer paid twice.
bool is_second(Attempt const& attempt, Answer const& answer) {
  return has_come(attempt.state) && !answer.provider_ref.empty() && !attempt.provider_ref.empty() &&
         answer.provider_ref != attempt.provider_ref;
}

// Money of a complete hold that no capture in the books explains, nor all of them together.
bool is_of_no_capture(Order const& order, Attempt const& attempt, Answer const& answer) {
  if (!answer.amount || answer.amount->minor == came_minor(attempt)) return false;
  return std::ranges::none_of(order.captures, [&](Capture const& it) {
    return it.attempt == attempt.id && it.state == CaptureState::succeeded && it.amount == *answer.amount;
  });
}

}  // namespace

void read_as_line(Order const& order, Attempt const& attempt, std::string_view refund_number, Answer& answer) {
  if (!answer.misfit.empty()) return;
  if (!refund_number.empty()) {
    bool const is_ours =
        order.find(RefundId{std::string{refund_number}}) || outside_refund(order, attempt.id, refund_number);
    if (answer.outcome == Outcome::pending && !is_ours)
      answer.misfit = fmt::format("refund {}, which payonce did not make, is under way", refund_number.substr(0, 64));
    return;
  }
  if (order.head.capture == CaptureMode::manual) {
    // Captured money is listed capture by capture. While more may come it is asked for: the provider knows the sum.
    if (is_watched(attempt.state))
      answer.outcome = Outcome::pending;
    else if (has_come(attempt.state) && is_of_no_capture(order, attempt, answer))
      answer.misfit =
          fmt::format("it is listed with {}, and no capture of that amount is in the books", to_text(*answer.amount));
    return;
  }
  if (is_second(attempt, answer))
    answer.misfit = fmt::format("it was paid as {} and is listed as {} too", attempt.provider_ref, answer.provider_ref);
}

Discrepancy discrepancy_of(NoticeRow const& line, DiscrepancyKind kind, MerchantId merchant, std::string text,
                           Time now) {
  Discrepancy it{.merchant = std::move(merchant),
                 .kind = kind,
                 .provider = line.provider,
                 .day = line.billed->day,
                 .subject = line.event_id,
                 .number = line.number,
                 .amount = *line.answer.amount,
                 .text = std::move(text),
                 .found_at = now};
  it.id = discrepancy_id(it);
  return it;
}

}  // namespace payonce
