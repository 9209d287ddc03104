// A whole PostgreSQL database for moving its books.
#pragma once

#include <memory>
#include <string>

#include "store/archive.h"

namespace payonce {

// The database must be migrated. unavailable if others hold locks on its tables.
Result<std::unique_ptr<Archive>> open_postgres_archive(std::string const& url);

// How many sessions of payonce the database has, in all its schemas. Waits a little for those that are being closed.
Result<std::int64_t> count_postgres_sessions(std::string const& url);

}  // namespace payonce
