#include "provider/stripe/amount.h"

#include <fmt/format.h>

#include "provider/wire_amount.h"

namespace payonce::stripe {

namespace {

struct Count {
  int digits;         // decimals of Stripe's number
  std::int64_t step;  // it must be a multiple of this
};

struct Group {
  std::string_view currencies;
  Count count;
};
// MGA has two decimals by ISO 4217 and none here; ISK the other way round, in whole krónur.
constexpr Group groups[] = {
    {"BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF", {0, 1}},
    {"ISK", {2, 100}},
    {"BHD JOD KWD OMR TND", {3, 10}},
};
// Stripe's page lists it among those without decimals and among those with two. A wrong guess is a factor of 100.
constexpr std::string_view contradictory = "UGX";

// Nothing for a currency whose count Stripe does not document.
std::optional<Count> count_of(Currency currency) {
  for (Group const& group : groups)
    if (group.currencies.find(currency.code()) != std::string_view::npos) return group.count;
  if (currency.code() == contradictory || currency.digits() != 2) return std::nullopt;
  return Count{2, 1};
}

}  // namespace

std::optional<std::int64_t> wire_amount(Money amount) {
  auto const count = count_of(amount.currency);
  auto const wire = count ? to_wire(amount, count->digits) : std::nullopt;
  return wire && *wire % count->step == 0 ? wire : std::nullopt;
}

std::string refuses(Money amount) {
  if (wire_amount(amount)) return {};
  if (!count_of(amount.currency))
    return fmt::format("Stripe does not say how it counts {}; pay it through another provider", amount.currency.code());
  return fmt::format("Stripe can't take {} exactly; its last decimals must be 0", to_text(amount));
}

std::optional<Money> read_amount(std::int64_t amount, std::string_view currency) {
  std::string upper{currency};
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  auto const known = Currency::parse(upper);
  auto const count = known ? count_of(*known) : std::nullopt;
  return count ? from_wire(amount, *known, count->digits) : std::nullopt;
}

}  // namespace payonce::stripe
