// What a failing PostgreSQL statement means for the batch that made it.
#pragma once

#include <libpq-fe.h>

#include <string_view>

#include "store/store.h"

namespace payonce::postgres {

// For an SQLSTATE that the server sent before the commit: nothing was written.
StoreError::Kind kind_of(std::string_view sqlstate);

// The server's SQLSTATE; empty when libpq itself made the error, which means that the connection is lost.
std::string_view sqlstate_of(PGresult const* result);

// What was being done and what the server said. Never the detail line, which quotes rows.
StoreError error_of(PGresult const* result, StoreError::Kind kind, std::string_view doing);

}  // namespace payonce::postgres
