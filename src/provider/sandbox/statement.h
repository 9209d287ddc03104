// The sandbox bank's statement of a day.
#pragma once

#include <string_view>

#include "base/error.h"
#include "payment/statement.h"

namespace payonce::sandbox {

// CSV as docs/reference/sandbox.md describes it. invalid_request, naming the line, if it is not a whole one.
Result<Statement> read_statement(std::string_view file);

}  // namespace payonce::sandbox
