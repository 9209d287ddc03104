// The end of an order's time: what is live is closed at its provider first, and "already paid" wins.
#include <fmt/format.h>

#include <algorithm>

#include "payment/rules.h"

namespace payonce {

namespace {

// The least time until the order is looked at again while payments of it are being closed.
constexpr Millis next_look{1'000};

void close_live(Draft& draft, Attempt const& live, Terms const& terms) {
  if (!live.exposed) return end_unsent(draft, live.id, {});
  if (!live.cancel_requested)
    draft.note(live, "payment.cancel_requested", "The order has expired; closing the payment at its provider.");
  ask_to_close(draft, live.id, terms);
}

}  // namespace

Decision expire_order(Order const* order, ExpireOrder const& command, Terms const& terms, Time now) {
  if (!order || order->head.due_at != command.due_at || order->head.state != OrderState::open)
    return nothing_to_do(order);
  Draft draft{*order, now};
  // A hold was given in time: it is the shop's to capture or to give up, and the order waits for that.
  for (Attempt const& it : order->attempts)
    if (is_live(it.state) && it.state != AttemptState::authorized) close_live(draft, it, terms);
  if (draft.order().live()) {
    // Payments have schedules of their own; the order looks when the first of them is looked at.
    Time next = Time::max();
    for (Attempt const& it : draft.order().attempts)
      if (is_live(it.state)) next = std::min(next, it.due_at.value_or(now));
    draft.change_head().due_at = std::max(next, now) + next_look;
    return draft.finish(ReplyKind::accepted);
  }
  if (Attempt const* payer = draft.order().paying())
    draft.raise_alarm(payer->id, fmt::format("the order expired with {} of {} minor units paid; give them back, or "
                                             "register a new order for the rest",
                                             draft.order().paid_minor(), order->head.amount.minor));
  close(draft, "The order has expired: nothing of it can be paid any more.", {});
  return draft.finish(ReplyKind::recorded);
}

}  // namespace payonce
