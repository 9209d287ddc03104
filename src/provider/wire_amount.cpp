#include "provider/wire_amount.h"

namespace payonce {

namespace {

// `amount`, written with `from` decimals, in units of `to` decimals.
std::optional<std::int64_t> shifted(std::int64_t amount, int from, int to) {
  for (; from < to; ++from)
    if (__builtin_mul_overflow(amount, std::int64_t{10}, &amount)) return std::nullopt;
  for (; from > to; --from) {
    if (amount % 10 != 0) return std::nullopt;
    amount /= 10;
  }
  return amount;
}

}  // namespace

std::optional<std::int64_t> to_wire(Money amount, int digits) {
  return shifted(amount.minor, amount.currency.digits(), digits);
}

std::optional<Money> from_wire(std::int64_t amount, Currency currency, int digits) {
  auto const minor = shifted(amount, digits, currency.digits());
  return minor ? std::optional{Money{*minor, currency}} : std::nullopt;
}

}  // namespace payonce
