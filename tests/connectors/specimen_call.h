// A specimen's account as the configuration would give it, and calls about it as the rules would ask for them.
#pragma once

#include "connectors/specimen.h"
#include "payment/terms.h"

namespace payonce::test {

// Named "it", with what the configuration fills in for options that are left out.
ProviderSettings specimen_settings(Specimen const& specimen, std::string const& url);

// About attempt 1, or refund 1 or capture 1 of it, its request written and stored.
ProviderCall specimen_call(Specimen const& specimen, ProviderTerms const& terms, CallKind kind, Time now);

}  // namespace payonce::test
