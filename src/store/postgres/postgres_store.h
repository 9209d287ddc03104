// The store on PostgreSQL: any number of writers, readers and nodes.
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace payonce {

// Opens a database that must exist; postgresql://… as psql takes it. The schema is not touched: call migrate() next.
// The store must outlive its writers and readers. An Error (unavailable or invalid_request) tells what is wrong.
Result<std::unique_ptr<Store>> open_postgres(std::string const& url);

}  // namespace payonce
