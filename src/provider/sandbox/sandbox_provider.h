// The connector for the sandbox bank (`payonce sandbox`, docs/reference/sandbox.md).
#pragma once

#include <memory>

#include "net/http_client.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

// invalid_request when the address is missing.
Result<std::unique_ptr<Provider>> make_sandbox_provider(ProviderSettings const& settings, HttpClient& http);

}  // namespace payonce
