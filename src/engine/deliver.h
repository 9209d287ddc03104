// The verb "deliver": brings each consequence of a paid order to the shop, at least once, always under the same id.
#pragma once

#include <functional>
#include <string>

#include "engine/engine.h"
#include "engine/settings.h"
#include "net/http_client.h"

namespace payonce {

// Waits between tries of one delivery; the sum of all tries reaches beyond three days (a broken deploy on a Friday
// evening is found on Monday).
inline constexpr Millis delivery_retry_first{5'000};
inline constexpr Millis delivery_retry_longest{4 * 3'600'000};
// An effect that nobody took for so long is dead: visible, and re-sendable by hand.
inline constexpr Millis delivery_life{84 * 3'600'000};

// The new state of an effect after a try. Pure.
// 2xx: delivered. 410: the receiver does not want it any more, dead. All else: again later, or dead after
// delivery_life.
DeliveryResult after_try(Effect const& effect, HttpAnswer const& answer, Time now);

// One round: sends up to `limit` due effects of one target and records what came of them. `claimed` gets how many were
// due, before the first is sent; `done` follows when what came of all is recorded.
void deliver_due(Engine& engine, HttpClient& http, MerchantId const& merchant, EffectTarget const& target,
                 std::size_t limit, std::move_only_function<void(std::size_t)> claimed,
                 std::move_only_function<void()> done);

}  // namespace payonce
