// The verbs "cancel a payment" and "close an order": at the provider first, with proof, then here.
#pragma once

#include "engine/engine.h"

namespace payonce {

// Replies with the attempt as it stands at the end of `wait`: CANCELED, SUCCEEDED ("already paid" wins), or still live.
void cancel(Engine& engine, CancelAttempt command, Millis wait, AnsweredDone done);

// Cancels what is live, then closes the order. Refused with order_already_paid when the money was faster, and with
// order_has_live_payment when the provider has given no proof within `wait`.
void close_order(Engine& engine, CloseOrder command, Millis wait, AnsweredDone done);

}  // namespace payonce
