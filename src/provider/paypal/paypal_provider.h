// The connector for PayPal: Orders v2 with captures, holds, refunds and webhook events. docs/reference/providers.md
// says what it can.
#pragma once

#include <memory>

#include "provider/option.h"
#include "provider/parts.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

namespace paypal {

inline constexpr ProviderOption options[] = {
    {.name = "client_id", .is_required = true},
    {.name = "captures", .type = ProviderOption::Type::choice, .fallback = "one", .choices = "one several"},
    {.name = "webhook_id"},
    {.name = "webhook_check", .type = ProviderOption::Type::choice, .fallback = "local", .choices = "local postback"},
    {.name = "webhook_certificates", .type = ProviderOption::Type::secrets},
    {.name = "return_url"},
    {.name = "cancel_url"},
};

}  // namespace paypal

// invalid_request when a setting is missing or can't be read.
Result<std::unique_ptr<Provider>> make_paypal_provider(ProviderSettings const& settings, ProviderParts const& parts);

}  // namespace payonce
