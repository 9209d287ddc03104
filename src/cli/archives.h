// Opening databases past the store's port, for `payonce copy` and `payonce archive`.
#pragma once

#include <memory>
#include <string>

#include "store/archivist.h"

namespace payonce {

// The database must exist and be migrated.
Result<std::unique_ptr<Archive>> open_archive(std::string const& url);

// The same for `payonce archive`. Throws StoreError.
Result<std::unique_ptr<Archivist>> open_archivist(std::string const& url);

// An error when the database is one on which services can be seen at this moment.
Result<void> check_unused(std::string const& url);

// The URL without its password, for people.
std::string shown(std::string const& url);

}  // namespace payonce
