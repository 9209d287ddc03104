// The Idempotency-Key header, as in draft-ietf-httpapi-idempotency-key-header: a quoted structured string; the bare
// form means the same key.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace payonce {

// The key in one header value: visible ASCII (0x21–0x7E), 1 to limits::idempotency_key_chars characters.
// idempotency_key_invalid for anything else, with the reason; also for texts that are a missing value in disguise
// (null, undefined, NaN, None, [object Object], the nil UUID), since every such caller would share one key, and for a
// comma in the bare form, which is what proxies make of a repeated header.
Result<std::string> parse_idempotency_key(std::string_view header_value);

}  // namespace payonce
