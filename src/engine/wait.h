// Waiting for an attempt, a refund or a capture to get on, without holding anything in the database.
#pragma once

#include <functional>

#include "engine/engine.h"

namespace payonce {

// Calls `done` once with the attempt, as soon as `enough` holds for it, or as it stands when `wait` is over (soon, once
// the engine drains and nothing is under way).
// Changes of this node are seen at once; those of other nodes at the next look into the database.
void wait_until(Engine& engine, Attempt attempt, Millis wait, std::function<bool(Attempt const&)> enough,
                std::move_only_function<void(Attempt)> done);
void wait_until(Engine& engine, Refund refund, Millis wait, std::function<bool(Refund const&)> enough,
                std::move_only_function<void(Refund)> done);
void wait_until(Engine& engine, Capture capture, Millis wait, std::function<bool(Capture const&)> enough,
                std::move_only_function<void(Capture)> done);

// For the caller of pay: the result is here, or the buyer has to do something.
bool needs_no_waiting(Attempt const& attempt);
bool needs_no_waiting(Refund const& refund);
bool needs_no_waiting(Capture const& capture);

}  // namespace payonce
