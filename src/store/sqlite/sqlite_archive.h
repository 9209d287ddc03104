// A whole SQLite database for moving its books.
#pragma once

#include <memory>
#include <string>

#include "store/archive.h"

namespace payonce {

// The file must exist and be migrated. unavailable if anybody else has it open, a service that does nothing included.
Result<std::unique_ptr<Archive>> open_sqlite_archive(std::string const& path);

}  // namespace payonce
