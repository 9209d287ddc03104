#include "provider/paypal/amount.h"

#include <fmt/format.h>

#include "provider/wire_amount.h"

namespace payonce::paypal {

namespace {

// HUF and TWD have two decimals by ISO 4217 and at Stripe.
constexpr std::string_view without_decimals = "HUF JPY TWD";

// Nothing for a currency whose decimals PayPal does not document.
std::optional<int> digits_of(Currency currency) {
  if (without_decimals.find(currency.code()) != std::string_view::npos) return 0;
  return currency.digits() == 2 ? std::optional{2} : std::nullopt;
}

}  // namespace

std::optional<std::string> wire_amount(Money amount) {
  auto const digits = digits_of(amount.currency);
  auto const wire = digits ? to_wire(amount, *digits) : std::nullopt;
  if (!wire) return std::nullopt;
  return *digits == 0 ? std::to_string(*wire) : to_decimal(amount);
}

std::string refuses(Money amount) {
  if (wire_amount(amount)) return {};
  if (!digits_of(amount.currency))
    return fmt::format("PayPal does not say how it counts {}; pay it through another provider", amount.currency.code());
  return fmt::format("PayPal takes no decimals of {}", amount.currency.code());
}

std::optional<Money> read_amount(std::string_view value, std::string_view currency) {
  auto const known = Currency::parse(currency);
  if (!known || !digits_of(*known)) return std::nullopt;
  // The strict reader wants no more decimals than ISO 4217 has, and PayPal writes no more.
  auto const amount = parse_decimal(value, *known);
  return amount ? std::optional{*amount} : std::nullopt;
}

}  // namespace payonce::paypal
