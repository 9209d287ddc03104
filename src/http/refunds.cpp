// Refunds: begin or replay, and poll.
#include "engine/refund.h"

#include "base/limits.h"
#include "engine/wait.h"
#include "http/body.h"
#include "http/handlers.h"
#include "http/idempotency.h"
#include "http/prefer.h"
#include "http/wire.h"

namespace payonce {

namespace {

HttpHeaders headers_for(Refund const& refund, bool is_replay) {
  HttpHeaders headers;
  if (is_replay) headers.push_back({"Idempotency-Replayed", "true"});
  if (!needs_no_waiting(refund)) headers.push_back({"Retry-After", "1"});
  return headers;
}

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

void respond_refund(Exchange& exchange, Reply const& reply, bool is_strict) {
  Refund const& refund = *reply.refund;
  bool const is_replay = reply.kind == ReplyKind::confirmed;
  bool const is_running = !needs_no_waiting(refund);
  if (is_replay && is_running && is_strict)
    return respond_problem(exchange, {ErrorCode::request_in_progress,
                                      "The first request with this key is still running; ask again later"});
  int const status = is_running ? 202 : is_replay ? 200 : 201;
  respond_json(exchange, status, refund_json(reply.order->key.order, refund), headers_for(refund, is_replay));
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
    respond_refund(*exchange, *result, preferences.is_strict);
  };
  refund_payment(api.engine(), std::move(*request), std::move(answered));
}

void get_refund(Api& api, ExchangePtr const& exchange) {
  auto const wait = read_wait(exchange->target.parameter("wait"));
  if (!wait) return respond_problem(*exchange, wait.error());
  exchange->wait = *wait;
  auto found = [&api, exchange, wait = *wait](Result<std::optional<FoundRefund>> row) {
    if (!row) return respond_problem(*exchange, row.error());
    if (!*row || (*row)->key.merchant != exchange->merchant)
      return respond_problem(*exchange, {ErrorCode::not_found, "There is no such refund of this merchant"});
    Refund& refund = (*row)->refund;
    auto const moved_on = [state = refund.state](Refund const& now) {
      return !is_watched(now.state) || now.state != state;
    };
    auto respond = [exchange, order = (*row)->key.order](Refund const& now) {
      respond_json(*exchange, 200, refund_json(order, now), headers_for(now, false));
    };
    wait_until(api.engine(), std::move(refund), wait, moved_on, std::move(respond));
  };
  api.engine().parts().reads.ask(
      [id = RefundId{exchange->segment(2)}](Reader& reader) { return reader.find_refund(id); }, std::move(found));
}

}  // namespace payonce
