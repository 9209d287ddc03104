// How Stripe counts money (https://docs.stripe.com/currencies): mostly as ISO 4217 does, with exceptions that multiply
// a charge by a hundred when they are missed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"

namespace payonce::stripe {

// The number for `amount`; nothing if Stripe does not take it exactly.
std::optional<std::int64_t> wire_amount(Money amount);
// Why it does not; empty if it does.
std::string refuses(Money amount);
// From an answer: a number, and a currency in lower case. Nothing if we do not know how Stripe counts it.
std::optional<Money> read_amount(std::int64_t amount, std::string_view currency);

}  // namespace payonce::stripe
