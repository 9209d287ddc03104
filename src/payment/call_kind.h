// What kind of thing a provider call is about, and the command that records what came of it. Not for: what an answer
// means (outcome.h).
#pragma once

#include "payment/decision.h"

namespace payonce {

constexpr bool is_about_refund(CallKind kind) { return kind == CallKind::refund || kind == CallKind::query_refund; }

constexpr bool is_about_capture(CallKind kind) { return kind == CallKind::capture || kind == CallKind::query_capture; }

// Asks and changes nothing, so that its answer is evidence of kind `query`.
constexpr bool is_query(CallKind kind) {
  return kind == CallKind::query || kind == CallKind::query_refund || kind == CallKind::query_capture;
}

// The time until which the call is its taker's to make; afterwards recovery may have it. Never over for what recovery
// does not look at.
Time lease_of(ProviderCall const& call);

Command outcome_of(ProviderCall const& call, Answer answer);

}  // namespace payonce
