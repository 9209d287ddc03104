// What Stripe's answers and objects mean. Not for: sending (stripe_provider.cpp) or the codes themselves (codes.h).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_client.h"
#include "payment/command.h"
#include "payment/decision.h"

namespace payonce::stripe {

// Where our numbers stand in Stripe's objects, and how a payment is confirmed: only by us, or by the buyer's page,
// which may try again after a refusal.
inline constexpr std::string_view payment_key = "payonce_payment";
inline constexpr std::string_view order_key = "payonce_order";
inline constexpr std::string_view refund_key = "payonce_refund";
inline constexpr std::string_view capture_key = "payonce_capture";
inline constexpr std::string_view confirm_key = "payonce_confirm";
inline constexpr std::string_view confirmed_by_us = "server";
inline constexpr std::string_view confirmed_by_buyer = "browser";

// The value under `key` in the object's metadata; empty if there is none.
std::string metadata_at(boost::json::object const& object, std::string_view key);
std::optional<boost::json::object> parse_object(std::string const& body);
// The number under `key`, in the object's currency; nothing if we do not know how Stripe counts it.
std::optional<Money> amount_at(boost::json::object const& object, std::string_view key);

// A PaymentIntent or a Refund as it stands. `is_live` is the mode of our key; an object of the other mode does not fit.
Answer read_intent(boost::json::object const& intent, std::optional<bool> is_live);
// The same payment as the end of its one capture: nothing of it is captured while the money is still held.
Answer read_capture(boost::json::object const& intent, CallKind kind, std::optional<bool> is_live);
Answer read_refund(boost::json::object const& refund);

// The meaning of a complete answer to `call` (or to a step of it that speaks for the whole).
Answer classify(ProviderCall const& call, HttpAnswer const& answer, std::optional<bool> is_live);

}  // namespace payonce::stripe
