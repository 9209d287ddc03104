// What happened and what is being delivered: the event feed and the effects' deliveries.
#include <algorithm>
#include <charconv>

#include "base/id.h"
#include "base/limits.h"
#include "http/handlers.h"
#include "http/wire.h"

namespace payonce {

namespace {

// A whole number from 0 to max, or the fallback when the parameter is absent; invalid_request otherwise.
Result<std::int64_t> number_parameter(Exchange const& exchange, std::string_view name, std::int64_t fallback,
                                      std::int64_t max) {
  auto const text = exchange.target.parameter(name);
  if (!text) return fallback;
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error == std::errc{} && end == text->data() + text->size() && number >= 0 && number <= max) return number;
  return fail(ErrorCode::invalid_request,
              std::string{name} + " must be a whole number from 0 to " + std::to_string(max), std::string{name});
}

// An effect's id is "<payment or refund>.<name>".
EffectName split_effect_id(std::string const& id) {
  auto const dot = std::min(id.find('.'), id.size());
  std::string const subject = id.substr(0, dot);
  EffectName effect{{}, {}, id.substr(std::min(dot + 1, id.size()))};
  if (is_refund_id(subject))
    effect.refund = RefundId{subject};
  else
    effect.attempt = AttemptId{subject};
  return effect;
}

}  // namespace

void get_events(Api& api, ExchangePtr const& exchange) {
  auto const after = number_parameter(*exchange, "after", 0, std::numeric_limits<std::int64_t>::max());
  if (!after) return respond_problem(*exchange, after.error());
  auto const limit = number_parameter(*exchange, "limit", limits::events_page, limits::events_page);
  if (!limit) return respond_problem(*exchange, limit.error());

  auto answered = [exchange, after = *after](Result<std::vector<StoredEvent>> const& events) {
    if (!events) return respond_problem(*exchange, events.error());
    respond_json(*exchange, 200, events_json(*events, after));
  };
  api.engine().parts().reads.ask(
      [merchant = exchange->merchant, after = *after, limit = *limit](Reader& reader) {
        return reader.events_after(merchant, after, static_cast<std::size_t>(limit));
      },
      std::move(answered));
}

void get_deliveries(Api& api, ExchangePtr const& exchange) {
  auto answered = [exchange](Result<std::vector<Effect>> const& effects) {
    if (!effects) return respond_problem(*exchange, effects.error());
    respond_json(*exchange, 200, deliveries_json(*effects));
  };
  api.engine().parts().reads.ask(
      [merchant = exchange->merchant](Reader& reader) { return reader.dead_effects(merchant, limits::events_page); },
      std::move(answered));
}

void post_resend_delivery(Api& api, ExchangePtr const& exchange) {
  EffectName const effect = split_effect_id(exchange->segment(2));
  Engine::Parts const& parts = api.engine().parts();
  auto const exists = std::make_shared<bool>(false);
  parts.committer.submit_work(
      [exists, effect, id = exchange->segment(2), merchant = exchange->merchant, actor = exchange->actor,
       now = parts.clock.now()](Writer& writer) {
        *exists = writer.resend_effect(merchant, effect, now);
        if (*exists) writer.insert_audit({merchant, actor, "delivery.resent", id, now});
      },
      [exists, exchange](Result<void> const& done) {
        if (!done) return respond_problem(*exchange, done.error());
        if (!*exists)
          return respond_problem(*exchange, {ErrorCode::not_found, "There is no such delivery of this merchant"});
        respond_json(*exchange, 202, R"({"state":"PENDING"})");
      });
}

}  // namespace payonce
