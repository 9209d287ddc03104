// The order itself: registered, confirmed, changed, closed.
#include <fmt/format.h>

#include "payment/rules.h"

namespace payonce {

Order new_order(RegisterOrder const& command, Time now) {
  return Order{OrderHead{.key = command.key,
                         .amount = command.amount,
                         .policy = command.policy,
                         .state = OrderState::open,
                         .paid_minor = 0,
                         .held_minor = 0,
                         .metadata = command.metadata,
                         .created_at = now,
                         .updated_at = now},
               {},
               {}};
}

void note_registered(Draft& draft) {
  Money const amount = draft.change_head().amount;
  draft.note("order.registered", fmt::format("Order registered: {}.", to_text(amount))).to = to_text(OrderState::open);
}

Decision register_order(Order const* order, RegisterOrder const& command, Time now) {
  if (!order) {
    Draft draft{new_order(command, now), now};
    note_registered(draft);
    return draft.finish(ReplyKind::created);
  }

  OrderHead const& head = order->head;
  Draft draft{*order, now};
  if (head.amount != command.amount) {
    if (Attempt const* live = order->live())
      return refuse(
          ErrorCode::order_conflict,
          fmt::format("The order stands at {} and payment {} of it may still charge; cancel that payment, then "
                      "change the amount",
                      to_text(head.amount), live->id.value),
          "amount", order, live);
    if (head.state != OrderState::open)
      return refuse(ErrorCode::order_conflict,
                    fmt::format("The order is {} at {}; its amount can't change any more", to_text(head.state),
                                to_text(head.amount)),
                    "amount", order, order->paying());
    draft.note("order.changed", fmt::format("Amount changed from {} to {}; no payment was under way.",
                                            to_text(head.amount), to_text(command.amount)));
    draft.change_head().amount = command.amount;
  }
  if (head.metadata != command.metadata) draft.change_head().metadata = command.metadata;
  return draft.finish(ReplyKind::confirmed);
}

Decision close_order(Order const* order, CloseOrder const& command, Time now) {
  if (!order) return refuse(ErrorCode::not_found, "There is no such order", "order_id");
  if (order->head.state == OrderState::paid)
    return refuse(ErrorCode::order_already_paid, "The order is paid; it can't be closed, only refunded", {}, order,
                  order->paying());
  if (Attempt const* live = order->live())
    return refuse(ErrorCode::order_has_live_payment,
                  fmt::format("Payment {} may still charge; it must be closed at its provider first", live->id.value),
                  {}, order, live);
  Draft draft{*order, now};
  if (order->head.state == OrderState::closed) return draft.finish(ReplyKind::confirmed);
  draft.change_head().state = OrderState::closed;
  auto& event = draft.note("order.closed", "Order closed: nothing of it can be paid any more.");
  event.from = to_text(OrderState::open);
  event.to = to_text(OrderState::closed);
  event.actor = command.actor;
  return draft.finish(ReplyKind::recorded);
}

}  // namespace payonce
