// Which version the tables have.
#pragma once

#include <string>

#include "store/postgres/connection.h"

namespace payonce::postgres {

// Brings the tables to this program's version. One transaction under a lock, so that nodes that start together apply
// each migration once. Refuses a newer schema and one whose migrations were edited after their release. `database`
// names it for people. Throws StoreError.
Result<void> migrate(Connection& connection, std::string const& database);

}  // namespace payonce::postgres
