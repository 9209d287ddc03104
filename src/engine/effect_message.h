// One effect as a signed message to the shop, by the Standard Webhooks specification
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
#pragma once

#include <span>
#include <string>

#include "engine/settings.h"
#include "net/http_client.h"
#include "store/store.h"

namespace payonce {

// The JSON body. It is the same at every try: all it tells was settled when the payment or the refund ended.
std::string effect_body(DueEffect const& due, Trigger on);

// "v1,<base64>" of HMAC-SHA256 over "id.timestamp.body", one per secret, separated by blanks: during a rotation the
// receiver may know the old or the new one.
std::string effect_signature(std::string_view id, std::string_view timestamp, std::string_view body,
                             std::span<std::string const> secrets);

// The whole call; webhook-id is the effect's id and constant over tries, the timestamp is this try's.
HttpCall effect_call(DueEffect const& due, EffectTarget const& target, Time now);

// The secret in a configured text: "whsec_" and base64, as Standard Webhooks writes them. invalid_request otherwise.
Result<std::string> parse_effect_secret(std::string_view text);

}  // namespace payonce
