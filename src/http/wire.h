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
std::string payment_json(OrderId const& order, Attempt const& attempt);
std::string refund_json(OrderId const& order, Refund const& refund);
std::string capture_json(OrderId const& order, Capture const& capture);
// The order with its payments, captures, refunds and effects.
std::string order_json(Order const& order, std::span<Effect const> effects);
// The order alone, as PUT answers it.
std::string order_json(OrderHead const& head);
std::string events_json(std::span<StoredEvent const> events, std::int64_t after);
std::string deliveries_json(std::span<Effect const> effects);
// What POST /v1/orders/{order_id}/checkout-tokens answers.
std::string checkout_token_json(std::string_view token, std::string_view url, Time expires_at);
std::string discrepancies_json(std::span<Discrepancy const> discrepancies);
std::string payments_json(std::span<FoundAttempt const> attempts);

}  // namespace payonce
