// What makes two requests under one key "the same": the fields that steer money, typed and in a fixed order. Bodies
// that differ in blanks, field order or metadata are the same request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "payment/command.h"

namespace payonce {

struct MoneyFields {
  std::string_view order;
  std::string_view provider;
  std::string_view method;
  std::int64_t amount_minor;
  std::string_view currency;
  std::string_view part = {};  // of a split order
};

MoneyFields money_fields(OrderId const& order, Attempt const& attempt);

// Hex SHA-256 over the fields, each with its length, so that no two sets of fields share a text.
std::string fingerprint(MoneyFields const& fields);

// The name of the first request field in which the new request differs from the attempt that has its key; empty if they
// are the same. What the new request leaves out (amount, currency, provider) means what the first one resolved it to.
std::string_view first_difference(OrderId const& order, Attempt const& attempt, BeginAttempt const& request);

// The same for refunds: payment, amount and currency. The row itself holds these fields and never changes them, so that
// there is no hash to store.
std::string_view first_difference(Refund const& refund, BeginRefund const& request);
// And for captures, where `final` counts too.
std::string_view first_difference(Capture const& capture, BeginCapture const& request);

}  // namespace payonce
