// WeChat Pay's notices: signed, and encrypted inside
// (https://pay.weixin.qq.com/docs/partner/apis/partner-native-payment/payment-notice.html).
#pragma once

#include "provider/provider.h"
#include "provider/wechatpay/classify.h"
#include "provider/wechatpay/keys.h"

namespace payonce::wechatpay {

// signature_invalid, or invalid_request when it can't be read or opened.
Result<Notice> read_notice(HttpRequest const& request, Keys const& keys, Owner const& owner, Time now);

}  // namespace payonce::wechatpay
