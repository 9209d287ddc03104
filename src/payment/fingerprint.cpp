#include "payment/fingerprint.h"

#include <fmt/compile.h>

#include "base/crypto.h"

namespace payonce {

MoneyFields money_fields(OrderId const& order, Attempt const& attempt) {
  return {order.value, attempt.provider, attempt.method, attempt.amount.minor, attempt.amount.currency.code(),
          attempt.part};
}

std::string fingerprint(MoneyFields const& fields) {
  std::string text =
      fmt::format(FMT_COMPILE("1;{}:{};{}:{};{}:{};{};{}"), fields.order.size(), fields.order, fields.provider.size(),
                  fields.provider, fields.method.size(), fields.method, fields.amount_minor, fields.currency);
  if (!fields.part.empty()) text += fmt::format(";{}:{}", fields.part.size(), fields.part);
  return sha256_hex(text);
}

std::string_view first_difference(OrderId const& order, Attempt const& attempt, BeginAttempt const& request) {
  MoneyFields const first = money_fields(order, attempt);
  MoneyFields const now{
      request.key.order.value,
      request.provider.empty() ? first.provider : std::string_view{request.provider},
      request.method,
      request.amount_minor.value_or(first.amount_minor),
      request.currency ? std::string_view{*request.currency} : first.currency,
      request.part,
  };
  if (fingerprint(now) == attempt.fingerprint) return {};
  if (now.order != first.order) return "order_id";
  if (now.amount_minor != first.amount_minor) return "amount";
  if (now.currency != first.currency) return "currency";
  if (now.provider != first.provider) return "provider";
  return now.part != first.part ? "part" : "method";
}

std::string_view first_difference(Refund const& refund, BeginRefund const& request) {
  if (request.attempt != refund.attempt) return "payment_id";
  if (request.amount_minor != refund.amount.minor) return "amount";
  if (request.currency && *request.currency != refund.amount.currency.code()) return "currency";
  return {};
}

std::string_view first_difference(Capture const& capture, BeginCapture const& request) {
  if (request.attempt != capture.attempt) return "payment_id";
  if (request.amount_minor != capture.amount.minor) return "amount";
  if (request.currency && *request.currency != capture.amount.currency.code()) return "currency";
  return request.is_final == capture.is_final ? "" : "final";
}

}  // namespace payonce
