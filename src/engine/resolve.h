// The verb "resolve": takes up attempts, refunds and captures whose time has come and asks their providers, and closes
// orders that have expired. Restart-safe, and safe beside other workers: whoever commits the take-up first has the
// work.
#pragma once

#include "engine/engine.h"

namespace payonce {

// `done` gets how many were due (a full `limit` means that there may be more), once their take-ups are committed.
void resolve_due(Engine& engine, std::size_t limit, std::move_only_function<void(std::size_t)> done);

}  // namespace payonce
