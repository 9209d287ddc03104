// The connector for Alipay: page, wap, app and QR payments, refunds and notices over the open platform's gateway.
// docs/reference/providers.md says what it can.
#pragma once

#include <memory>

#include "provider/option.h"
#include "provider/parts.h"
#include "provider/provider.h"
#include "provider/settings.h"

namespace payonce {

namespace alipay {

inline constexpr ProviderOption options[] = {
    {.name = "app_id", .is_required = true},
    {.name = "private_key", .type = ProviderOption::Type::secret, .is_required = true},
    {.name = "alipay_public_keys", .type = ProviderOption::Type::secrets},
    {.name = "app_certificate", .type = ProviderOption::Type::secret},
    {.name = "alipay_certificates", .type = ProviderOption::Type::secrets},
    {.name = "alipay_root_certificates", .type = ProviderOption::Type::secret},
    {.name = "notify_url"},
    {.name = "return_url"},
    {.name = "subject", .fallback = "Order"},
    {.name = "default_method",
     .type = ProviderOption::Type::choice,
     .fallback = "page",
     .choices = "page wap app precreate"},
    {.name = "precreate_product",
     .type = ProviderOption::Type::choice,
     .fallback = "QR_CODE_OFFLINE",
     .choices = "QR_CODE_OFFLINE FACE_TO_FACE_PAYMENT"},
};

}  // namespace alipay

// invalid_request when a key is missing or can't be read.
Result<std::unique_ptr<Provider>> make_alipay_provider(ProviderSettings const& settings, ProviderParts const& parts);

}  // namespace payonce
