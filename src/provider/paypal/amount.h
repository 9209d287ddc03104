// How PayPal writes money (https://developer.paypal.com/reference/currency-codes): decimal texts, with its own idea of
// which currencies have no decimals.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/money.h"

namespace payonce::paypal {

// "10.00", or "10" where PayPal takes no decimals; nothing if PayPal does not take it exactly.
std::optional<std::string> wire_amount(Money amount);
// Why it does not; empty if it does.
std::string refuses(Money amount);
// From an answer. Nothing if it can't be read exactly.
std::optional<Money> read_amount(std::string_view value, std::string_view currency);

}  // namespace payonce::paypal
