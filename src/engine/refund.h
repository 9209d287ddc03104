// The verb "refund": begin a refund or replay it, and wait for its outcome as long as the caller wants to.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace payonce {

struct RefundRequest {
  MerchantId merchant;
  AttemptId attempt;
  std::string idempotency_key;
  std::int64_t amount_minor = 0;
  std::optional<std::string> currency = {};
  std::string reason = {};
  std::string actor = {};
  Millis wait{0};
};

// Replies: created or confirmed (a replay), with the refund as it stands at the end of the wait.
void refund_payment(Engine& engine, RefundRequest request, AnsweredDone done);

}  // namespace payonce
