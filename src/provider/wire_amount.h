// Amounts in a provider's own count. Exact or refused: nothing is rounded, and no floating point is on the way.
#pragma once

#include <cstdint>
#include <optional>

#include "base/money.h"

namespace payonce {

// Minor units of the currency, as a whole number with `digits` decimals: 500 MGA minor (2 by ISO 4217) with 0 digits
// is 5. Nothing if that is not exact or does not fit.
std::optional<std::int64_t> to_wire(Money amount, int digits);

// The way back.
std::optional<Money> from_wire(std::int64_t amount, Currency currency, int digits);

}  // namespace payonce
