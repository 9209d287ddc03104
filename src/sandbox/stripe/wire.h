// The small parts of Stripe's wire format: form parameters, errors, amounts. Pure.
// Source: docs.stripe.com/api/errors, docs.stripe.com/currencies.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "net/http_message.h"

namespace payonce::sandbox::stripe {

using Parameters = std::vector<std::pair<std::string, std::string>>;

// The value of the first parameter of that name, or empty.
std::string_view value_of(Parameters const& parameters, std::string_view name);
// metadata[a]=b and its like, as an object.
boost::json::object members_of(Parameters const& parameters, std::string_view name);

struct ErrorFacts {
  int status = 400;
  std::string_view type = "invalid_request_error";
  std::string_view code = {};
  std::string message = {};
  std::string_view parameter = {};
  std::string_view decline_code = {};
  boost::json::object intent = {};  // as it now stands, if it is about one
};
HttpResponse error_response(ErrorFacts facts);
// 500 or 503.
HttpResponse failure(int status);

// Stripe's amount of a currency (lower case) in minor units of ISO 4217, and back. Nothing if the currency is not
// known, the amount does not fit, or Stripe takes only amounts that are rounder.
std::optional<std::int64_t> to_minor(std::int64_t amount, std::string_view currency);
std::int64_t from_minor(std::int64_t minor, std::string_view currency);

std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);

}  // namespace payonce::sandbox::stripe
