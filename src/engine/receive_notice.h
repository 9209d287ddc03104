// The verb "receive a notice": signature over the raw bytes first, then one transaction.
#pragma once

#include "engine/engine.h"
#include "net/http_message.h"

namespace payonce {

// Answers the provider in its own form. Safe (also for duplicates, misfits and numbers that are not ours) only once it
// is durable here; 401 for a bad signature, 400 for a body that can't be read, 404 for an unknown provider.
void receive_notice(Engine& engine, std::string_view provider, HttpRequest const& request, Respond respond);

// Looks again for the attempts of up to `limit` notices whose number was unknown. `done` gets how many were due.
void retry_unmatched_notices(Engine& engine, std::size_t limit, std::move_only_function<void(std::size_t)> done);

}  // namespace payonce
