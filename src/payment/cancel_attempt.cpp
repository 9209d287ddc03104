// The wish to give a payment up. It ends only with the provider's proof; "already paid" wins.
#include <fmt/format.h>

#include "payment/rules.h"

namespace payonce {

Decision cancel_attempt(Order const* order, CancelAttempt const& command, Terms const& terms, Time now) {
  Attempt const* const found = order ? order->find(command.attempt) : nullptr;
  if (!found) return refuse(ErrorCode::not_found, "There is no such payment");
  Draft draft{*order, now};
  if (found->state == AttemptState::canceled) return draft.finish(ReplyKind::confirmed, &command.attempt);
  if (!is_watched(found->state))
    return refuse(
        ErrorCode::payment_not_cancelable,
        fmt::format("The payment is {}; only a payment that may still charge can be canceled", to_text(found->state)),
        {}, order, found);
  if (found->state == AttemptState::authorized && command.spares_holds)
    return refuse(ErrorCode::payment_not_cancelable, "The money is held for the shop, which alone may give it up", {},
                  order, found);
  if (Capture const* under_way = order->capturing(found->id))
    return refuse_capture_under_way(*order, *found, *under_way);
  if (!found->exposed) {
    end_unsent(draft, command.attempt, command.actor);
    return draft.finish(ReplyKind::recorded, &command.attempt);
  }
  if (found->cancel_requested) return draft.finish(ReplyKind::accepted, &command.attempt);

  draft.note(*found, "payment.cancel_requested", "Asked to give the payment up; closing it at its provider.").actor =
      command.actor;
  ask_to_close(draft, command.attempt, terms);
  return draft.finish(ReplyKind::accepted, &command.attempt);
}

}  // namespace payonce
