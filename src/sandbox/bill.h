// The bank's bill for one day: every movement of money, with the fee that the bank keeps. Each dialect prints it in its
// provider's form; the bank's own is here. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "sandbox/bank.h"

namespace payonce::sandbox {

struct BillLine {
  bool is_refund = false;
  std::string id;             // of the charge, capture or refund
  std::string charge_id;      // of the charge that it belongs to
  std::string number;         // the merchant's, of the charge
  std::string refund_number;  // empty of a charge
  std::string order;
  std::string currency;
  std::int64_t amount_minor = 0;  // never negative
  std::int64_t fee_minor = 0;     // of a refund: negative, what the bank gives back
  Time at;                        // when it was asked for
};

// What moved in [from, until) by charges of this dialect (empty: the bank's own), in the order in which it was asked
// for, charges first.
std::vector<BillLine> bill_of(Bank const& bank, std::string_view dialect, Time from, Time until);

// The fee of an amount: six in a thousand, rounded to the nearest minor unit.
constexpr std::int64_t fee_of(std::int64_t amount_minor) { return (amount_minor * 6 + 500) / 1000; }

// The bill as the bank itself writes it: CSV with a header, amounts in minor units, and a last line that counts the
// others.
std::string bill_csv(std::vector<BillLine> const& lines);

// The first moment of a day written as 2026-01-02 (UTC); nothing for any other text.
std::optional<Time> parse_day(std::string_view text);

}  // namespace payonce::sandbox
