// The verb "pay": begin an attempt or replay it, and wait for its outcome as long as the caller wants to.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"

namespace payonce {

struct PayRequest {
  OrderKey key;
  std::string idempotency_key;
  std::string provider = {};
  std::string method = {};
  std::optional<std::int64_t> amount_minor = {};
  std::optional<std::string> currency = {};
  std::string metadata = {};
  std::string part = {};
  bool registers_order = false;
  // Has the live payment closed at its provider first, for as long as `wait` allows.
  bool replaces = false;
  std::string actor = {};
  Millis wait{0};
};

// Replies: created or confirmed (a replay), with the attempt as it stands at the end of the wait.
// The outcome does not depend on anyone waiting: a caller that is gone changes nothing.
void pay(Engine& engine, PayRequest request, AnsweredDone done);

}  // namespace payonce
