// The order itself: registered, confirmed, changed, closed.
#include <fmt/compile.h>

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
                         .updated_at = now,
                         .expires_at = command.expires_at,
                         .due_at = command.expires_at,
                         .capture = command.capture},
               {},
               {}};
}

void note_registered(Draft& draft) {
  Money const amount = draft.change_head().amount;
  draft.note("order.registered", fmt::format(FMT_COMPILE("Order registered: {}."), to_text(amount))).to =
      to_text(OrderState::open);
}

void close(Draft& draft, std::string why, std::string actor) {
  draft.change_head().state = OrderState::closed;
  auto& event = draft.note("order.closed", std::move(why));
  event.from = to_text(OrderState::open);
  event.to = to_text(OrderState::closed);
  event.actor = std::move(actor);
}

namespace {

// Money came at a price that the shop does not ask for any more. The difference is for a person.
void note_difference(Draft& draft, Attempt const& payer, Money const& wanted) {
  draft.raise_alarm(payer.id, fmt::format("the order was paid at {} and shall cost {} now; give back or ask for the "
                                          "difference",
                                          to_text(draft.order().head.amount), to_text(wanted)));
}

// Why the order can't be changed to this amount; nothing if it can.
std::optional<Decision> change_refused(Draft& draft, Money const& wanted) {
  Order const& order = draft.order();
  OrderHead const& head = order.head;
  bool const is_split = head.policy == Policy::split;
  if (Attempt const* live = order.live(); live && !is_split)
    return refuse(
        ErrorCode::order_conflict,
        fmt::format("The order stands at {} and payment {} of it may still charge; say \"replace\": true to have it "
                    "closed first, or cancel it",
                    to_text(head.amount), live->id.value),
        "amount", &order, live);
  if (head.state != OrderState::open) {
    Attempt const* const payer = order.paying();
    Decision refusal = refuse(ErrorCode::order_conflict,
                              fmt::format("The order is {} at {}; its amount can't change any more",
                                          to_text(head.state), to_text(head.amount)),
                              "amount", &order, payer);
    if (payer) {
      note_difference(draft, *payer, wanted);
      refusal.changes = draft.finish(ReplyKind::nothing).changes;
    }
    return refusal;
  }
  std::int64_t const bound = order.paid_minor() + order.held_minor();
  if (is_split && (wanted.minor < bound || wanted.currency != head.amount.currency) && bound > 0)
    return refuse(ErrorCode::order_conflict,
                  fmt::format("{} minor units of {} are paid or held by payments under way; the order can't be less",
                              bound, head.amount.currency.code()),
                  "amount", &order, order.live());
  return std::nullopt;
}

}  // namespace

Decision register_order(Order const* order, RegisterOrder const& command, Terms const& terms, Time now) {
  if (!order) {
    Draft draft{new_order(command, now), now};
    note_registered(draft);
    return draft.finish(ReplyKind::created);
  }

  Draft draft{*order, now};
  OrderHead const& head = draft.order().head;
  if (head.policy != command.policy)
    return refuse(ErrorCode::order_conflict,
                  fmt::format("The order is registered with policy {}", to_text(head.policy)), "policy");
  if (head.capture != command.capture)
    return refuse(ErrorCode::order_conflict,
                  fmt::format("The order is registered with {} capture", to_text(head.capture)), "capture");
  if (head.amount != command.amount) {
    if (auto refusal = change_refused(draft, command.amount)) return std::move(*refusal);
    draft.note("order.changed",
               fmt::format("Amount changed from {} to {}.", to_text(head.amount), to_text(command.amount)));
    draft.change_head().amount = command.amount;
    if (Attempt const* payer = draft.order().paying()) pay_if_complete(draft, payer->id, terms);
  }
  if (head.metadata != command.metadata) draft.change_head().metadata = command.metadata;
  if (head.state == OrderState::open && command.expires_at && head.expires_at != command.expires_at)
    draft.change_head().expires_at = draft.change_head().due_at = command.expires_at;
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
  close(draft, "Order closed: nothing of it can be paid any more.", command.actor);
  return draft.finish(ReplyKind::recorded);
}

}  // namespace payonce
