// Refunds: begin or replay, and poll.
#include "engine/refund.h"

#include "base/limits.h"
#include "http/body.h"
#include "http/handlers.h"
#include "http/idempotency.h"
#include "http/part_of_payment.h"
#include "http/prefer.h"
#include "http/wire.h"

namespace payonce {

namespace {

Result<RefundRequest> read_refund_request(Exchange const& exchange, std::string key) {
  Body body{exchange.request};
  RefundRequest request{.merchant = exchange.merchant,
                        .attempt = AttemptId{exchange.segment(2)},
                        .idempotency_key = std::move(key),
                        .amount_minor = body.required_amount("amount"),
                        .reason = body.required_text("reason", limits::reason_chars),
                        .actor = exchange.actor};
  if (auto const currency = body.optional_currency("currency")) request.currency = std::string{currency->code()};
  if (auto const valid = body.result(); !valid) return std::unexpected(valid.error());
  return request;
}

}  // namespace

void post_refund(Api& api, ExchangePtr const& exchange) {
  auto key = read_idempotency_key(exchange->request);
  if (!key) return respond_problem(*exchange, key.error());
  auto request = read_refund_request(*exchange, std::move(*key));
  if (!request) return respond_problem(*exchange, request.error());

  Preferences const preferences = read_preferences(exchange->request);
  request->wait = exchange->wait = preferences.wait;
  auto answered = [exchange, preferences](Answered const& result) {
    if (!result) return respond_refusal(*exchange, result.error());
    respond_begun(*exchange, *result, *result->refund, refund_json, preferences.is_strict);
  };
  refund_payment(api.engine(), std::move(*request), std::move(answered));
}

void get_refund(Api& api, ExchangePtr const& exchange) {
  poll(api, exchange, RefundId{exchange->segment(2)}, &Reader::find_refund, &FoundRefund::refund, refund_json);
}

}  // namespace payonce
