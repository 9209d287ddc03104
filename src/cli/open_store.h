// The databases there are, by their URL.
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace payonce {

// "sqlite:PATH" or "postgresql://…". invalid_request for any other scheme.
Result<std::unique_ptr<Store>> open_store(std::string const& url);

}  // namespace payonce
