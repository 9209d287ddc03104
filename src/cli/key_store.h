// Creating and revoking API keys in a store, with their trace in the audit log.
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace payonce {

// Opens the database and brings its schema up to date.
Result<std::unique_ptr<Store>> open_migrated_store(std::string const& url);

// The new secret. invalid_request if the merchant has a live key of this name.
Result<std::string> create_api_key(Store& store, MerchantId const& merchant, std::string const& name);

// not_found if the merchant has no live key of this name.
Result<void> revoke_api_key(Store& store, MerchantId const& merchant, std::string const& name);

}  // namespace payonce
