// Orders: register or confirm, read, close, and money that came by other means.
#include "base/id.h"
#include "base/limits.h"
#include "engine/cancel.h"
#include "http/body.h"
#include "http/handlers.h"
#include "http/idempotency.h"
#include "http/prefer.h"
#include "http/wire.h"

namespace payonce {

namespace {

OrderKey key_of(Exchange const& exchange) { return {exchange.merchant, OrderId{exchange.segment(2)}}; }

}  // namespace

void put_order(Api& api, ExchangePtr const& exchange) {
  OrderKey key = key_of(*exchange);
  if (auto const valid = check_order_id(key.order.value); !valid) return respond_problem(*exchange, valid.error());
  Body body{exchange->request};
  std::int64_t const amount = body.required_amount("amount");
  auto const currency = body.required_currency("currency");
  std::string const policy_text = body.optional_text("policy", 16);
  std::string const capture_text = body.optional_text("capture", 16);
  std::string metadata = body.metadata("metadata");
  auto const expires_at = body.optional_time("expires_at");
  bool const replaces = body.flag("replace");
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());
  auto const policy = policy_text.empty() ? Policy::single : parse_policy(policy_text);
  if (!policy)
    return respond_problem(*exchange, {ErrorCode::invalid_request, "policy must be single or split", "policy"});
  auto const capture = capture_text.empty() ? CaptureMode::automatic : parse_capture_mode(capture_text);
  if (!capture)
    return respond_problem(*exchange, {ErrorCode::invalid_request, "capture must be automatic or manual", "capture"});

  auto answered = [exchange](Answered const& result) {
    if (!result) return respond_refusal(*exchange, result.error());
    respond_json(*exchange, result->kind == ReplyKind::created ? 201 : 200, order_json(*result->order));
  };
  RegisterOrder command{std::move(key), Money{amount, *currency}, *policy, std::move(metadata), expires_at, *capture};
  exchange->wait = read_preferences(exchange->request).wait;
  if (replaces)
    execute_once_free(api.engine(), std::move(command), exchange->actor, exchange->wait, std::move(answered));
  else
    api.engine().execute(std::move(command), std::move(answered));
}

void get_order(Api& api, ExchangePtr const& exchange) {
  struct Found {
    std::optional<Order> order;
    std::vector<Effect> effects;
  };
  auto answered = [exchange](Result<Found> const& found) {
    if (!found) return respond_problem(*exchange, found.error());
    if (!found->order)
      return respond_problem(*exchange, {ErrorCode::not_found, "There is no such order of this merchant"});
    respond_json(*exchange, 200, order_json(*found->order, found->effects));
  };
  api.engine().parts().reads.ask(
      [key = key_of(*exchange)](Reader& reader) { return Found{reader.find_order(key), reader.effects_of(key)}; },
      std::move(answered));
}

void post_close_order(Api& api, ExchangePtr const& exchange) {
  auto answered = [exchange](Answered const& result) {
    if (!result) return respond_refusal(*exchange, result.error());
    respond_json(*exchange, 200, order_json(*result->order));
  };
  exchange->wait = read_preferences(exchange->request).wait;
  execute_once_free(api.engine(), CloseOrder{key_of(*exchange), exchange->actor}, exchange->actor, exchange->wait,
                    std::move(answered));
}

void post_offline_payment(Api& api, ExchangePtr const& exchange) {
  auto key = read_idempotency_key(exchange->request);
  if (!key) return respond_problem(*exchange, key.error());
  Body body{exchange->request};
  std::int64_t const amount = body.required_amount("amount");
  auto const currency = body.required_currency("currency");
  std::string reason = body.required_text("reason", limits::reason_chars);
  std::string document = body.required_text("document", limits::method_chars);
  std::string part = body.optional_text("part", limits::part_chars);
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());

  Engine::Parts const& parts = api.engine().parts();
  auto answered = [exchange](Answered const& result) {
    if (!result) return respond_refusal(*exchange, result.error());
    bool const is_replay = result->kind == ReplyKind::confirmed;
    HttpHeaders headers;
    if (is_replay) headers.push_back({"Idempotency-Replayed", "true"});
    respond_json(*exchange, is_replay ? 200 : 201, payment_json(result->order->key.order, *result->attempt),
                 std::move(headers));
  };
  api.engine().execute(RecordOfflinePayment{key_of(*exchange), mint_attempt_id(parts.clock.now(), parts.random),
                                            std::move(*key), Money{amount, *currency}, std::move(reason),
                                            std::move(document), exchange->actor, std::move(part)},
                       std::move(answered));
}

}  // namespace payonce
