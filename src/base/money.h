// Money is a whole number of minor units (cents, fen, yen, fils) with its ISO 4217 currency. No floating point,
// no factor of 100: the number of digits comes from one table, and decimal text goes through one parser.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace payonce {

class Currency {
 public:
  // Upper-case ISO 4217 code of a currency in use; invalid_request otherwise.
  static Result<Currency> parse(std::string_view code);
  // For codes written in the source; a code that is not in the table is a bug and throws std::logic_error.
  static Currency of(std::string_view code);

  std::string_view code() const { return {code_.data(), code_.size()}; }
  // Digits behind the decimal point of one major unit: 0 (JPY), 2 (USD), 3 (KWD) or 4 (CLF).
  int digits() const { return digits_; }

  bool operator==(Currency const&) const = default;

 private:
  Currency(std::array<char, 3> code, int digits) : code_(code), digits_(digits) {}

  std::array<char, 3> code_;
  int digits_;
};

struct Money {
  std::int64_t minor;
  Currency currency;

  bool operator==(Money const&) const = default;
};

// Sums and differences of minor units; nothing when the result does not fit in 64 bits.
std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b);
std::optional<std::int64_t> checked_subtract(std::int64_t a, std::int64_t b);

// "19.99" USD -> 1999. Accepts digits with an optional point and at most the currency's digits behind it;
// no sign, exponent, blank or grouping. invalid_request otherwise, also beyond limits::amount_minor_max.
Result<Money> parse_decimal(std::string_view text, Currency currency);

// 1999 USD -> "19.99"; 80 JPY -> "80".
std::string to_decimal(Money money);

// For people and logs: "19.99 USD".
std::string to_text(Money money);

}  // namespace payonce
