// The Idempotency-Key header of a request, as the handlers of everything that moves money read it.
#pragma once

#include <string>

#include "base/error.h"
#include "net/http_message.h"

namespace payonce {

// idempotency_key_missing, or idempotency_key_invalid when the header is repeated or malformed.
Result<std::string> read_idempotency_key(HttpRequest const& request);

}  // namespace payonce
