#include "base/money.h"

#include <fmt/compile.h>

#include <algorithm>
#include <stdexcept>

#include "base/limits.h"

namespace payonce {

namespace {

// ISO 4217, List One (currencies in use, without funds and metals), by number of minor-unit digits.
constexpr std::string_view without_minor = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
constexpr std::string_view with_three = "BHD IQD JOD KWD LYD OMR TND";
constexpr std::string_view with_four = "CLF UYW";
constexpr std::string_view with_two =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP "
    "CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR "
    "JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN "
    "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP "
    "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";

struct Row {
  std::string_view codes;
  int digits;
};
constexpr Row rows[] = {{with_two, 2}, {without_minor, 0}, {with_three, 3}, {with_four, 4}};

bool lists(std::string_view codes, std::string_view code) {
  for (std::size_t at = 0; at + 3 <= codes.size(); at += 4)
    if (codes.substr(at, 3) == code) return true;
  return false;
}

std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  while (exponent-- > 0) power *= 10;
  return power;
}

bool all_digits(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<Currency> Currency::parse(std::string_view code) {
  if (code.size() == 3)
    for (Row const& row : rows)
      if (lists(row.codes, code)) return Currency{{code[0], code[1], code[2]}, row.digits};
  return fail(
      ErrorCode::invalid_request,
      fmt::format("\"{}\" is not an ISO 4217 currency code in use; write it like USD or CNY", code.substr(0, 16)),
      "currency");
}

Currency Currency::of(std::string_view code) {
  auto const currency = parse(code);
  if (!currency) throw std::logic_error(currency.error().detail);
  return *currency;
}

std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<std::int64_t> checked_subtract(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return std::nullopt;
  return difference;
}

Result<Money> parse_decimal(std::string_view text, Currency currency) {
  auto const refuse = [&] {
    return fail(ErrorCode::invalid_request,
                fmt::format("\"{}\" is not an amount in {}; write digits with at most {} behind the point",
                            text.substr(0, 40), currency.code(), currency.digits()),
                "amount");
  };
  auto const point = text.find('.');
  std::string_view const whole = text.substr(0, point);
  std::string_view const fraction = point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  bool const dangling_point = point != std::string_view::npos && fraction.empty();
  if (whole.empty() || dangling_point || fraction.size() > std::size_t(currency.digits())) return refuse();
  if (!all_digits(whole) || !all_digits(fraction)) return refuse();

  std::int64_t minor = 0;
  auto const push_digit = [&](char digit) {
    if (minor > limits::amount_minor_max / 10) return false;
    minor = minor * 10 + (digit - '0');
    return minor <= limits::amount_minor_max;
  };
  for (char const digit : whole)
    if (!push_digit(digit)) return refuse();
  for (int i = 0; i < currency.digits(); ++i)
    if (!push_digit(std::size_t(i) < fraction.size() ? fraction[std::size_t(i)] : '0')) return refuse();
  return Money{minor, currency};
}

std::string to_decimal(Money money) {
  int const digits = money.currency.digits();
  if (digits == 0) return fmt::format(FMT_COMPILE("{}"), money.minor);
  std::int64_t const unit = power_of_ten(digits);
  std::int64_t const rest = money.minor % unit;
  return fmt::format(FMT_COMPILE("{}{}.{:0{}}"), money.minor < 0 && money.minor / unit == 0 ? "-" : "",
                     money.minor / unit, rest < 0 ? -rest : rest, digits);
}

std::string to_text(Money money) { return fmt::format(FMT_COMPILE("{} {}"), to_decimal(money), money.currency.code()); }

}  // namespace payonce
