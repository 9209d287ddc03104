// The connector for WeChat Pay (APIv3, direct merchant): Native, JSAPI, H5 and app payments, refunds and notices.
// docs/reference/providers.md says what it can.
#pragma once

#include <memory>

#include "provider/option.h"
#include "provider/parts.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

namespace wechatpay {

inline constexpr ProviderOption options[] = {
    {.name = "app_id", .is_required = true},
    {.name = "mch_id", .is_required = true},
    {.name = "merchant_serial", .is_required = true},
    {.name = "private_key", .type = ProviderOption::Type::secret, .is_required = true},
    {.name = "api_v3_key", .type = ProviderOption::Type::secret, .is_required = true},
    {.name = "public_key_id"},
    {.name = "public_key", .type = ProviderOption::Type::secret},
    {.name = "platform_certificates", .type = ProviderOption::Type::secrets},
    {.name = "notify_url", .is_required = true},
    {.name = "description", .fallback = "Order"},
    {.name = "default_method", .type = ProviderOption::Type::choice, .fallback = "native", .choices = "native app"},
};

}  // namespace wechatpay

// invalid_request when a key is missing or can't be read.
Result<std::unique_ptr<Provider>> make_wechatpay_provider(ProviderSettings const& settings, ProviderParts const& parts);

}  // namespace payonce
