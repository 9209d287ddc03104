// The verb "capture": begin a capture of money that is held, or replay it, and wait for its outcome as long as the
// caller wants to.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace payonce {

struct CaptureRequest {
  MerchantId merchant;
  AttemptId attempt;
  std::string idempotency_key;
  std::int64_t amount_minor = 0;
  std::optional<std::string> currency = {};
  bool is_final = true;
  std::string actor = {};
  Millis wait{0};
};

// Replies: created or confirmed (a replay), with the capture as it stands at the end of the wait.
void capture_payment(Engine& engine, CaptureRequest request, AnsweredDone done);

}  // namespace payonce
