// Ids that sort by the time they were made (48 bits of milliseconds, 80 random bits, Crockford base 32, lower case):
// 26 characters behind a prefix, so 30 in all, which fits the merchant numbers of Alipay and WeChat Pay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/named.h"
#include "base/random.h"

namespace payonce {

AttemptId mint_attempt_id(Time now, Random& random);

RefundId mint_refund_id(Time now, Random& random);
bool is_refund_id(std::string_view text);

// The one refund number under which a surplus attempt is given back. It is a function of the attempt,
// so that two finders of the same surplus can only ask for the same refund.
RefundId surplus_refund_id(AttemptId const& attempt);

// The number under which the books keep a refund that was made at the provider without payonce: a function of the
// attempt and of the provider's own number, so that whoever hears of it again finds the same row.
RefundId outside_refund_id(AttemptId const& attempt, std::string_view provider_number);

CaptureId mint_capture_id(Time now, Random& random);

// The number under which the books keep what was captured of a hold at the provider without payonce: a function of the
// attempt and of what it brought in all, so that whoever hears of it again finds the same row.
CaptureId outside_capture_id(AttemptId const& attempt, std::int64_t total_minor);

// Whether a number a provider sent us has the shape of ours (it may still be unknown to us).
bool is_attempt_id(std::string_view text);

// 26 characters for ids that need no prefix rule of their own (request ids, API key ids).
std::string mint_suffix(Time now, Random& random);

}  // namespace payonce
