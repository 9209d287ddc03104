// A PostgreSQL database, with services on it or an archive, as `payonce archive` uses it.
#pragma once

#include <memory>
#include <string>

#include "store/archivist.h"

namespace payonce {

// The database must be migrated. Throws StoreError; an Error for a URL that can't be read.
Result<std::unique_ptr<Archivist>> open_postgres_archivist(std::string const& url);

}  // namespace payonce
