// Payments: begin or replay, poll, cancel, and what a person decides about one.
#include "base/limits.h"
#include "engine/cancel.h"
#include "engine/pay.h"
#include "engine/wait.h"
#include "http/body.h"
#include "http/handlers.h"
#include "http/idempotency.h"
#include "http/prefer.h"
#include "http/wire.h"

namespace payonce {

namespace {

Error no_such_payment() { return {ErrorCode::not_found, "There is no such payment of this merchant"}; }

HttpHeaders headers_for(Attempt const& attempt, bool is_replay) {
  HttpHeaders headers;
  if (is_replay) headers.push_back({"Idempotency-Replayed", "true"});
  // A second: the time in which most unknown results become known.
  if (!needs_no_waiting(attempt)) headers.push_back({"Retry-After", "1"});
  return headers;
}

Result<PayRequest> read_pay_request(Exchange const& exchange, std::string key) {
  Body body{exchange.request};
  PayRequest request{.key = {exchange.merchant, OrderId{body.required_text("order_id", limits::order_id_chars)}},
                     .idempotency_key = std::move(key),
                     .provider = body.optional_text("provider", limits::provider_name_chars),
                     .method = body.optional_text("method", limits::method_chars),
                     .part = body.optional_text("part", limits::part_chars),
                     .registers_order = body.flag("register_order"),
                     .replaces = body.flag("replace"),
                     .actor = exchange.actor};
  // Who registers an order must say what it costs; who pays one that is there may leave that to the order.
  if (request.registers_order)
    request.amount_minor = body.required_amount("amount");
  else
    request.amount_minor = body.optional_amount("amount");
  auto const currency =
      request.registers_order ? body.required_currency("currency") : body.optional_currency("currency");
  if (currency) request.currency = std::string{currency->code()};
  request.metadata = body.metadata("metadata");
  if (auto const valid = body.result(); !valid) return std::unexpected(valid.error());
  if (request.registers_order)
    if (auto const valid = check_order_id(request.key.order.value); !valid) return std::unexpected(valid.error());
  return request;
}

void respond_payment(Exchange& exchange, OrderId const& order, Reply const& reply, bool is_strict) {
  Attempt const& attempt = *reply.attempt;
  bool const is_replay = reply.kind == ReplyKind::confirmed;
  bool const is_running = !needs_no_waiting(attempt);
  if (is_replay && is_running && is_strict) {
    Refusal const refusal{
        {ErrorCode::request_in_progress, "The first request with this key is still running; ask again later"},
        attempt,
        order};
    return respond_refusal(exchange, refusal);
  }
  int const status = is_running ? 202 : is_replay ? 200 : 201;
  respond_json(exchange, status, payment_json(order, attempt), headers_for(attempt, is_replay));
}

// Loads the payment named in the path, if it is this merchant's, or answers 404.
void with_payment(Api& api, ExchangePtr const& exchange, std::move_only_function<void(FoundAttempt const&)> then) {
  AttemptId id{exchange->segment(2)};
  auto found = [exchange, then = std::move(then)](Result<FoundAttemptPtr> const& row) mutable {
    if (!row) return respond_problem(*exchange, row.error());
    if (!*row || (*row)->key.merchant != exchange->merchant) return respond_problem(*exchange, no_such_payment());
    then(**row);
  };
  api.engine().parts().reads.find_attempt(std::move(id), std::move(found));
}

}  // namespace

void post_payment(Api& api, ExchangePtr const& exchange) {
  auto key = read_idempotency_key(exchange->request);
  if (!key) return respond_problem(*exchange, key.error());
  auto request = read_pay_request(*exchange, std::move(*key));
  if (!request) return respond_problem(*exchange, request.error());

  Preferences const preferences = read_preferences(exchange->request);
  request->wait = exchange->wait = preferences.wait;
  auto answered = [exchange, order = request->key.order, preferences](Answered const& result) {
    if (!result) return respond_refusal(*exchange, result.error());
    respond_payment(*exchange, order, *result, preferences.is_strict);
  };
  pay(api.engine(), std::move(*request), std::move(answered));
}

void get_payment(Api& api, ExchangePtr const& exchange) {
  auto const wait = read_wait(exchange->target.parameter("wait"));
  if (!wait) return respond_problem(*exchange, wait.error());
  exchange->wait = *wait;
  with_payment(api, exchange, [&api, exchange, wait = *wait](FoundAttempt const& found) {
    auto respond = [exchange, order = found.key.order](Attempt const& attempt) {
      respond_json(*exchange, 200, payment_json(order, attempt), headers_for(attempt, false));
    };
    if (wait == Millis{0}) return respond(found.attempt);
    // A poller wants to know of any change; one that comes after the end gets it at once.
    auto const moved_on = [state = found.attempt.state](Attempt const& now) {
      return !is_watched(now.state) || now.state != state;
    };
    wait_until(api.engine(), found.attempt, wait, moved_on, std::move(respond));
  });
}

void post_cancel_payment(Api& api, ExchangePtr const& exchange) {
  with_payment(api, exchange, [&api, exchange](FoundAttempt const& found) {
    auto answered = [exchange, order = found.key.order](Answered const& result) {
      if (!result) return respond_refusal(*exchange, result.error());
      bool const has_ended = !is_watched(result->attempt->state);
      respond_json(*exchange, has_ended ? 200 : 202, payment_json(order, *result->attempt),
                   headers_for(*result->attempt, false));
    };
    exchange->wait = read_preferences(exchange->request).wait;
    cancel(api.engine(), {exchange->merchant, found.attempt.id, exchange->actor}, exchange->wait, std::move(answered));
  });
}

void post_resolve_payment(Api& api, ExchangePtr const& exchange) {
  Body body{exchange->request};
  std::string const outcome = body.required_text("outcome", limits::reason_chars);
  Answer answer;
  answer.code = body.required_text("document", limits::reason_chars);
  answer.text = body.required_text("reason", limits::reason_chars);
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());
  auto const parsed = parse_outcome(outcome);
  if (!parsed)
    return respond_problem(*exchange, {ErrorCode::invalid_request,
                                       "outcome must be succeeded, declined, dispute_opened, dispute_won, "
                                       "dispute_lost or reversed",
                                       "outcome"});
  answer.outcome = *parsed;

  with_payment(api, exchange, [&api, exchange, answer = std::move(answer)](FoundAttempt const& found) {
    auto answered = [exchange, order = found.key.order](Answered const& result) {
      if (!result) return respond_refusal(*exchange, result.error());
      respond_json(*exchange, 200, payment_json(order, *result->attempt));
    };
    api.engine().execute(
        RecordOutcome{found.key, found.attempt.id, Evidence::operator_, answer, exchange->actor, std::nullopt},
        std::move(answered));
  });
}

void get_reviews(Api& api, ExchangePtr const& exchange) {
  auto answered = [exchange](Result<std::vector<FoundAttempt>> const& found) {
    if (!found) return respond_problem(*exchange, found.error());
    respond_json(*exchange, 200, payments_json(*found));
  };
  api.engine().parts().reads.ask(
      [merchant = exchange->merchant](Reader& reader) {
        return reader.attempts_in_review(merchant, limits::events_page);
      },
      std::move(answered));
}

}  // namespace payonce
