// An SQLite database, with services on it or an archive, as `payonce archive` uses it.
#pragma once

#include <memory>
#include <string>

#include "store/archivist.h"

namespace payonce {

// The file must exist and be migrated. Throws StoreError.
std::unique_ptr<Archivist> open_sqlite_archivist(std::string const& path);

}  // namespace payonce
