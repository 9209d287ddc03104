// The rules: one pure function from an order and a command to what shall change. It reads no clock, draws no chance,
// and calls nobody; the committer runs it inside the transaction that holds the order.
#pragma once

#include "payment/command.h"
#include "payment/decision.h"
#include "payment/terms.h"

namespace payonce {

// What the committer found for a command.
struct Situation {
  Order const* order = nullptr;             // the order the command is about, or null
  Order const* key_order = nullptr;         // the order that has the command's idempotency key already, or null
  Attempt const* key_attempt = nullptr;     // the attempt (of key_order) with that key, or null …
  Refund const* key_refund = nullptr;       // … or the refund …
  Capture const* key_capture = nullptr;     // … or the capture with it
  NoticeRow const* known_notice = nullptr;  // the stored notice with the command's event id, or null
};

Decision decide(Situation const& situation, Command const& command, Terms const& terms, Time now);

}  // namespace payonce
