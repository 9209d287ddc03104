// Whose file it is, and which version its tables have.
#pragma once

#include <string>

#include "store/sqlite/connection.h"

namespace payonce::sqlite {

// Whether the file is empty or a payonce database; an error that says what it is instead.
Result<void> check_is_ours(Connection& connection, std::string const& path);

// Brings the tables to this program's version. One transaction under the write lock, so that processes that start
// together apply each migration once. Refuses a newer schema and one whose migrations were edited after their release.
Result<void> migrate(Connection& connection, std::string const& path);

}  // namespace payonce::sqlite
