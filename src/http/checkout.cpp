// What a browser with a checkout token may do: see how its order stands, pay it, cancel. Every answer but a malformed
// request's is the state as the database has it, so that a page never has to guess.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/limits.h"
#include "engine/cancel.h"
#include "engine/pay.h"
#include "engine/wait.h"
#include "http/body.h"
#include "http/checkout_view.h"
#include "http/handlers.h"
#include "http/prefer.h"
#include "http/wire.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t expires_in_default_s = 3600;
constexpr std::int64_t expires_in_max_s = 24 * 3600;
constexpr std::int64_t expires_in_min_s = 10;
constexpr std::size_t return_url_chars = 512;
constexpr std::size_t offer_chars = 64;
// How often an order without a live payment is looked at for a waiting browser, and the longest wait for a live one
// between two looks: what is not a change of state (a wish to cancel) is seen then.
constexpr Millis look_every = 2s;

using GrantPtr = std::shared_ptr<CheckoutGrant const>;

Error no_such_checkout() {
  return {ErrorCode::not_found, "There is no such checkout: the address is incomplete, or older than a day"};
}

// The shop's page lives elsewhere. The token in the path is all the authority there is, so any page may ask.
void allow_any_origin(Exchange& exchange) {
  exchange.respond = [respond = std::move(exchange.respond)](HttpResponse response) mutable {
    response.headers.push_back({"Access-Control-Allow-Origin", "*"});
    respond(std::move(response));
  };
}

// The grant of the token in the path; null after it was answered with 404.
GrantPtr take_grant(Api& api, ExchangePtr const& exchange) {
  allow_any_origin(*exchange);
  auto grant =
      open_checkout_token(exchange->segment(1), api.checkout().usable_secrets(), api.engine().parts().clock.now());
  if (grant) return std::make_shared<CheckoutGrant const>(std::move(*grant));
  respond_problem(*exchange, no_such_checkout());
  return nullptr;
}

// Answers with the state: at once if it is not the one that the browser has seen, else when it changes or the wait is
// over.
class StateAnswer : public std::enable_shared_from_this<StateAnswer> {
 public:
  StateAnswer(Api& api, ExchangePtr exchange, GrantPtr grant, std::string seen, Millis wait)
      : api_(api),
        exchange_(std::move(exchange)),
        grant_(std::move(grant)),
        seen_(std::move(seen)),
        deadline_(api.engine().parts().clock.monotonic() + wait) {}

  void look() {
    auto answered = [self = shared_from_this()](Result<std::optional<Order>> const& order) {
      if (!order) return respond_problem(*self->exchange_, order.error());
      if (!*order) return respond_problem(*self->exchange_, no_such_checkout());
      self->see(**order);
    };
    api_.engine().parts().reads.ask([key = grant_->key](Reader& reader) { return reader.find_order(key); },
                                    std::move(answered));
  }

 private:
  void see(Order const& order) {
    Engine::Parts const& parts = api_.engine().parts();
    Time const now = parts.clock.now();
    CheckoutState state = render_state(order, view_of(order, *grant_, api_.checkout(), now), *grant_, now);
    auto const left = std::chrono::duration_cast<Millis>(deadline_ - parts.clock.monotonic());
    if (state.version != seen_ || left <= 0ms || api_.is_draining())
      return respond_json(*exchange_, 200, std::move(state.json));
    Millis const pause = std::min(left, look_every);
    Attempt const* const live = order.live();
    if (!live) return static_cast<void>(parts.loop.after(pause, [self = shared_from_this()] { self->look(); }));
    auto const moved_on = [was = live->state](Attempt const& attempt) { return attempt.state != was; };
    wait_until(api_.engine(), *live, pause, moved_on, [self = shared_from_this()](Attempt const&) { self->look(); });
  }

  Api& api_;
  ExchangePtr const exchange_;
  GrantPtr const grant_;
  std::string const seen_;
  std::chrono::nanoseconds const deadline_;
};

void respond_state(Api& api, ExchangePtr const& exchange, GrantPtr grant, std::string seen = {}, Millis wait = 0ms) {
  std::make_shared<StateAnswer>(api, exchange, std::move(grant), std::move(seen), wait)->look();
}

// Refusals that say no more than how the order stands; the browser is shown that instead.
bool is_told_by_state(ErrorCode code) {
  using enum ErrorCode;
  return code == order_has_live_payment || code == order_already_paid || code == order_closed ||
         code == idempotency_key_reused || code == amount_mismatch || code == payment_not_cancelable;
}

AnsweredDone then_state(Api& api, ExchangePtr const& exchange, GrantPtr grant) {
  return [&api, exchange, grant = std::move(grant)](Answered const& result) {
    if (!result && !is_told_by_state(result.error().error.code))
      return respond_problem(*exchange, result.error().error);
    respond_state(api, exchange, grant);
  };
}

}  // namespace

void post_checkout_token(Api& api, ExchangePtr const& exchange) {
  Body body{exchange->request};
  std::int64_t const life_s =
      body.optional_number("expires_in", expires_in_min_s, expires_in_max_s).value_or(expires_in_default_s);
  std::string return_url = body.optional_text("return_url", return_url_chars);
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());
  if (!return_url.empty() && !is_web_address(return_url))
    return respond_problem(
        *exchange, {ErrorCode::invalid_request, "return_url must begin with https:// or http://", "return_url"});
  CheckoutSettings const& settings = api.checkout();
  auto const secrets = settings.usable_secrets();
  if (secrets.empty())
    return respond_problem(*exchange, {ErrorCode::not_found,
                                       "There are no checkout pages here: set secrets and url in "
                                       "[checkout] of the configuration, then start again"});

  // Whole seconds, as the token keeps them.
  std::int64_t const ends_s = to_epoch_ms(api.engine().parts().clock.now()) / 1000 + life_s;
  CheckoutGrant grant{
      {exchange->merchant, OrderId{exchange->segment(2)}}, from_epoch_ms(ends_s * 1000), std::move(return_url)};
  auto answered = [&settings, exchange, grant, secret = secrets.front()](Result<std::optional<Order>> const& order) {
    if (!order) return respond_problem(*exchange, order.error());
    if (!*order) return respond_problem(*exchange, {ErrorCode::not_found, "There is no such order of this merchant"});
    if ((*order)->head.policy != Policy::single)
      return respond_problem(*exchange,
                             {ErrorCode::order_conflict,
                              "This order is paid in parts, and a checkout takes whole ones; begin each part with "
                              "POST /v1/payments and show its action_url and message on a page of the shop"});
    std::string const token = seal_checkout_token(grant, secret);
    respond_json(*exchange, 201, checkout_token_json(token, settings.url + "/checkout/" + token, grant.expires_at));
  };
  api.engine().parts().reads.ask([key = grant.key](Reader& reader) { return reader.find_order(key); },
                                 std::move(answered));
}

void get_checkout_state(Api& api, ExchangePtr const& exchange) {
  GrantPtr grant = take_grant(api, exchange);
  if (!grant) return;
  auto const wait = read_wait(exchange->target.parameter("wait"));
  if (!wait) return respond_problem(*exchange, wait.error());
  exchange->wait = *wait;
  respond_state(api, exchange, std::move(grant), std::string{exchange->target.parameter("seen").value_or("")}, *wait);
}

void post_checkout_pay(Api& api, ExchangePtr const& exchange) {
  GrantPtr grant = take_grant(api, exchange);
  if (!grant) return;
  Body body{exchange->request};
  std::string const offer_text = body.required_text("offer", offer_chars);
  std::string const method_id = body.required_text("method", limits::method_chars + limits::provider_name_chars + 1);
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());
  auto const offer = parse_offer(offer_text);
  if (!offer)
    return respond_problem(*exchange, {ErrorCode::invalid_request, "offer must be the state's, as it came", "offer"});
  auto const& methods = api.checkout().methods_of(grant->key.merchant);
  auto const method = std::ranges::find(methods, method_id, &CheckoutMethod::id);
  if (method == methods.end())
    return respond_problem(*exchange, {ErrorCode::provider_unknown, "There is no such method here", "method"});
  // An old page learns how things stand, and begins nothing.
  if (grant->has_expired(api.engine().parts().clock.now())) return respond_state(api, exchange, std::move(grant));

  exchange->wait = read_preferences(exchange->request).wait;
  PayRequest request{.key = grant->key,
                     .idempotency_key = checkout_key(grant->key.order, offer->number),
                     .provider = method->provider,
                     .method = method->method,
                     .amount_minor = offer->amount_minor,
                     .currency = offer->currency,
                     .replaces = offer->replaces,
                     .actor = "buyer",
                     .wait = exchange->wait};
  pay(api.engine(), std::move(request), then_state(api, exchange, std::move(grant)));
}

void post_checkout_cancel(Api& api, ExchangePtr const& exchange) {
  GrantPtr grant = take_grant(api, exchange);
  if (!grant) return;
  Body body{exchange->request};
  AttemptId attempt{body.required_text("payment_id", limits::idempotency_key_chars)};
  if (auto const valid = body.result(); !valid) return respond_problem(*exchange, valid.error());
  if (grant->has_expired(api.engine().parts().clock.now())) return respond_state(api, exchange, std::move(grant));

  exchange->wait = read_preferences(exchange->request).wait;
  auto found = [&api, exchange, grant, attempt](Result<FoundAttemptPtr> const& row) {
    if (!row) return respond_problem(*exchange, row.error());
    if (!*row || (*row)->key != grant->key)
      return respond_problem(*exchange, {ErrorCode::not_found, "There is no such payment of this order"});
    cancel(api.engine(), {grant->key.merchant, attempt, "buyer", true}, exchange->wait,
           then_state(api, exchange, grant));
  };
  api.engine().parts().reads.find_attempt(attempt, std::move(found));
}

}  // namespace payonce
