// Opening a database that commands only read: unlike the service, they must not make a new one out of a typing error.
#pragma once

#include <memory>
#include <string>

#include "cli/settings.h"
#include "store/store.h"

namespace payonce {

// not_found if the database does not exist.
Result<std::unique_ptr<Store>> open_existing_store(std::string const& url);

// The settings of a file (empty: the environment alone), with the database's URL replaced unless `database` is empty.
Result<Settings> settings_for_reading(std::string const& config, std::string const& database);

}  // namespace payonce
