// Our objects as JSON: the shapes that openapi.json describes. Money is integer minor units; sequence numbers are
// strings, since they may leave the range that JavaScript holds.
#pragma once

#include <span>
#include <string>

#include "payment/decision.h"
#include "payment/order.h"
#include "store/store.h"

namespace payonce {

// An attempt: to the shop it is the payment.
std::string payment_json(const OrderId& order, const Attempt& attempt);
// The order with its payments, refunds and effects.
std::string order_json(const Order& order, std::span<const Effect> effects);
// The order alone, as PUT answers it.
std::string order_json(const OrderHead& head);
std::string events_json(std::span<const StoredEvent> events, std::int64_t after);
std::string deliveries_json(std::span<const Effect> effects);
std::string payments_json(std::span<const FoundAttempt> attempts);

}  // namespace payonce
