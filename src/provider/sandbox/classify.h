// What the sandbox bank's answers mean: one table from HTTP status and charge status to an outcome.
#pragma once

#include <string_view>

#include "net/http_client.h"
#include "payment/command.h"
#include "payment/decision.h"

namespace payonce::sandbox {

// The meaning of an answer to `call`. Everything that is not in the table is in doubt: another status, a body that is
// not JSON, a number that is not the one we asked about.
Answer classify(ProviderCall const& call, HttpAnswer const& answer, std::string_view account);

// The outcome that a charge's or refund's status text stands for; in_doubt for a text that is not in the table.
Outcome outcome_of(std::string_view status);

}  // namespace payonce::sandbox
