#include "sandbox/stripe/wire.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/limits.h"
#include "base/money.h"

namespace payonce::sandbox::stripe {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 15> without_decimals{"bif", "clp", "djf", "jpy", "kmf", "krw", "mga", "pyg",
                                                            "rwf", "vnd", "vuv", "xaf", "xof", "xpf", "gnf"};
constexpr std::array<std::string_view, 5> with_three_decimals{"bhd", "jod", "kwd", "omr", "tnd"};

// How a currency is written in Stripe's interface.
struct Notation {
  int digits;             // behind the decimal point
  std::int64_t multiple;  // of which amounts must be
};

Notation notation_of(std::string_view currency) {
  if (std::ranges::find(without_decimals, currency) != without_decimals.end()) return {0, 1};
  if (std::ranges::find(with_three_decimals, currency) != with_three_decimals.end()) return {3, 10};
  if (currency == "isk" || currency == "ugx") return {2, 100};
  return {2, 1};
}

std::int64_t power_of_ten(int digits) {
  std::int64_t power = 1;
  for (int i = 0; i < digits; ++i) power *= 10;
  return power;
}

char to_upper_char(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char to_lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view value_of(Parameters const& parameters, std::string_view name) {
  auto const found = std::ranges::find(parameters, name, &Parameters::value_type::first);
  return found == parameters.end() ? std::string_view{} : std::string_view{found->second};
}

json::object members_of(Parameters const& parameters, std::string_view name) {
  json::object members;
  for (auto const& [key, value] : parameters) {
    bool const is_member =
        key.size() > name.size() + 2 && key.starts_with(name) && key[name.size()] == '[' && key.ends_with(']');
    if (is_member) members[key.substr(name.size() + 1, key.size() - name.size() - 2)] = value;
  }
  return members;
}

HttpResponse error_response(ErrorFacts facts) {
  json::object error{{"type", facts.type}, {"message", facts.message}};
  if (!facts.code.empty()) error["code"] = facts.code;
  if (!facts.decline_code.empty()) error["decline_code"] = facts.decline_code;
  if (!facts.parameter.empty()) error["param"] = facts.parameter;
  if (!facts.intent.empty()) error["payment_intent"] = std::move(facts.intent);
  return {.status = facts.status,
          .headers = {{"Content-Type", "application/json"}},
          .body = json::serialize(json::object{{"error", std::move(error)}})};
}

HttpResponse failure(int status) {
  return error_response({.status = status, .type = "api_error", .message = "Something went wrong on Stripe's end."});
}

std::optional<std::int64_t> to_minor(std::int64_t amount, std::string_view currency) {
  auto const iso = Currency::parse(to_upper(currency));
  Notation const notation = notation_of(currency);
  if (!iso || amount < 1 || amount > limits::amount_minor_max || amount % notation.multiple != 0) return std::nullopt;
  if (iso->digits() <= notation.digits) {
    std::int64_t const factor = power_of_ten(notation.digits - iso->digits());
    return amount % factor == 0 ? std::optional{amount / factor} : std::nullopt;
  }
  std::int64_t const factor = power_of_ten(iso->digits() - notation.digits);
  return amount <= limits::amount_minor_max / factor ? std::optional{amount * factor} : std::nullopt;
}

std::int64_t from_minor(std::int64_t minor, std::string_view currency) {
  auto const iso = Currency::parse(to_upper(currency));
  int const wire_digits = notation_of(currency).digits;
  int const iso_digits = iso ? iso->digits() : wire_digits;
  if (iso_digits <= wire_digits) return minor * power_of_ten(wire_digits - iso_digits);
  return minor / power_of_ten(iso_digits - wire_digits);
}

std::string to_upper(std::string_view text) {
  std::string upper{text};
  std::ranges::transform(upper, upper.begin(), to_upper_char);
  return upper;
}

std::string to_lower(std::string_view text) {
  std::string lower{text};
  std::ranges::transform(lower, lower.begin(), to_lower_char);
  return lower;
}

}  // namespace payonce::sandbox::stripe
