// A verification's result, for people and for machines.
#pragma once

#include <string>

#include "verify/verify.h"

namespace payonce {

// One line per invariant, the facts under those that are violated, what is still open, and a verdict.
std::string report_text(VerifyReport const& report);

// The same as one JSON object, without any fact left out; docs/reference/verify.md describes it.
std::string report_json(VerifyReport const& report);

}  // namespace payonce
