// Captures of money that is held: begin or replay, and poll.
#include "engine/capture.h"

#include "http/body.h"
#include "http/handlers.h"
#include "http/idempotency.h"
#include "http/part_of_payment.h"
#include "http/prefer.h"
#include "http/wire.h"

namespace payonce {

namespace {

Result<CaptureRequest> read_capture_request(Exchange const& exchange, std::string key) {
  Body body{exchange.request};
  CaptureRequest request{.merchant = exchange.merchant,
                         .attempt = AttemptId{exchange.segment(2)},
                         .idempotency_key = std::move(key),
                         .amount_minor = body.required_amount("amount"),
                         .is_final = body.flag("final", true),
                         .actor = exchange.actor};
  if (auto const currency = body.optional_currency("currency")) request.currency = std::string{currency->code()};
  if (auto const valid = body.result(); !valid) return std::unexpected(valid.error());
  return request;
}

}  // namespace

void post_capture(Api& api, ExchangePtr const& exchange) {
  auto key = read_idempotency_key(exchange->request);
  if (!key) return respond_problem(*exchange, key.error());
  auto request = read_capture_request(*exchange, std::move(*key));
  if (!request) return respond_problem(*exchange, request.error());

  Preferences const preferences = read_preferences(exchange->request);
  request->wait = exchange->wait = preferences.wait;
  auto answered = [exchange, preferences](Answered const& result) {
    if (!result) return respond_refusal(*exchange, result.error());
    respond_begun(*exchange, *result, *result->capture, capture_json, preferences.is_strict);
  };
  capture_payment(api.engine(), std::move(*request), std::move(answered));
}

void get_capture(Api& api, ExchangePtr const& exchange) {
  poll(api, exchange, CaptureId{exchange->segment(2)}, &Reader::find_capture, &FoundCapture::capture, capture_json);
}

}  // namespace payonce
