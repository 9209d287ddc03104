// A provider inside the process that charges everything at once. For benchmarks only: it shows what payonce costs
// without a provider's time.
#pragma once

#include <memory>

#include "base/loop.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

std::unique_ptr<Provider> make_instant_provider(ProviderSettings const& settings, Loop& loop);

}  // namespace payonce
