// What kind of thing a provider call is about. Not for: what an answer to it means (outcome.h).
#pragma once

#include "payment/decision.h"

namespace payonce {

constexpr bool is_about_refund(CallKind kind) { return kind == CallKind::refund || kind == CallKind::query_refund; }

// Asks and changes nothing, so that its answer is evidence of kind `query`.
constexpr bool is_query(CallKind kind) { return kind == CallKind::query || kind == CallKind::query_refund; }

}  // namespace payonce
