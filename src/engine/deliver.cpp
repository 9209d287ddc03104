#include "engine/deliver.h"

#include <fmt/format.h>

#include <memory>

#include "base/log.h"
#include "engine/effect_message.h"
#include "payment/backoff.h"

namespace payonce {

namespace {

// One round: what was claimed, and the results as they come in. The last answer writes them all in one transaction.
struct Round {
  std::vector<DueEffect> due;
  std::vector<DeliveryResult> results;
  std::move_only_function<void(std::size_t)> claimed;
  std::move_only_function<void()> done;
};

void record(Engine& engine, std::shared_ptr<Round> const& round) {
  engine.parts().committer.submit_work([round](Writer& writer) { writer.record_deliveries(round->results); },
                                       [round](Result<void> const& saved) {
                                         // Not saved means sent again when the lease is over; the receiver knows the
                                         // id.
                                         if (!saved)
                                           log_error("results of {} deliveries are not saved: {}", round->due.size(),
                                                     saved.error().detail);
                                         round->done();
                                       });
}

void send_all(Engine& engine, HttpClient& http, EffectTarget const& target, std::shared_ptr<Round> const& round) {
  for (DueEffect const& due : round->due) {
    auto answered = [&engine, round, &effect = due.effect](HttpAnswer const& answer) {
      Engine::Parts const& parts = engine.parts();
      round->results.push_back(after_try(effect, answer, parts.clock.now()));
      parts.metrics.delivery(effect.name, to_text(round->results.back().state));
      if (round->results.size() == round->due.size()) record(engine, round);
    };
    http.send(effect_call(due, target, engine.parts().clock.now()), std::move(answered));
  }
}

}  // namespace

DeliveryResult after_try(Effect const& effect, HttpAnswer const& answer, Time now) {
  DeliveryResult result{
      .merchant = effect.key.merchant, .attempt = effect.attempt, .refund = effect.refund, .name = effect.name};
  bool const is_taken = answer.delivery == Delivery::answered && answer.status >= 200 && answer.status < 300;
  if (is_taken) {
    result.state = EffectState::delivered;
    result.delivered_at = now;
    return result;
  }
  result.last_error =
      answer.delivery == Delivery::answered ? fmt::format("the receiver answered {}", answer.status) : answer.error;
  bool const is_unwanted = answer.delivery == Delivery::answered && answer.status == 410;
  if (is_unwanted || now - effect.created_at >= delivery_life) {
    result.state = EffectState::dead;
    return result;
  }
  result.due_at = now + backoff(delivery_retry_first, delivery_retry_longest, effect.tries - 1, effect.id());
  return result;
}

void deliver_due(Engine& engine, HttpClient& http, MerchantId const& merchant, EffectTarget const& target,
                 std::size_t limit, std::move_only_function<void(std::size_t)> claimed,
                 std::move_only_function<void()> done) {
  Engine::Parts const& parts = engine.parts();
  auto const round = std::make_shared<Round>();
  round->claimed = std::move(claimed);
  round->done = std::move(done);
  Time const now = parts.clock.now();
  // Beyond the last answer of this round, so that nobody else sends what we still may be sending.
  Time const lease_until = now + target.timeout + Millis{5'000};
  parts.committer.submit_work(
      [round, merchant, name = target.name, now, lease_until, limit](Writer& writer) {
        round->due = writer.claim_effects(merchant, name, now, lease_until, limit);
      },
      [&engine, &http, &target, round](Result<void> const& committed) {
        if (!committed) round->due.clear();
        round->claimed(round->due.size());
        if (round->due.empty()) return round->done();
        send_all(engine, http, target, round);
      });
}

}  // namespace payonce
