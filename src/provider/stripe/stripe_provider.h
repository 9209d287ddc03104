// The connector for Stripe: PaymentIntents, refunds and signed events. docs/reference/providers.md says what it can.
#pragma once

#include <memory>

#include "provider/option.h"
#include "provider/parts.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

namespace stripe {

inline constexpr ProviderOption options[] = {
    {.name = "return_url"},
    {.name = "confirmation",
     .type = ProviderOption::Type::choice,
     .fallback = "automatic",
     .choices = "automatic manual"},
    {.name = "api_version", .fallback = "2026-10-28.endive"},
};

}  // namespace stripe

// invalid_request when the key is missing.
Result<std::unique_ptr<Provider>> make_stripe_provider(ProviderSettings const& settings, ProviderParts const& parts);

}  // namespace payonce
