#include "engine/engine.h"

#include "base/log.h"
#include "payment/call_kind.h"

namespace payonce {

void Engine::execute(Command command, AnsweredDone done) {
  ++under_way_;
  parts_.committer.submit(std::move(command), [this, done = std::move(done)](Result<Committed> result) mutable {
    --under_way_;
    if (!result) return done(std::unexpected(Refusal{result.error()}));
    for (Attempt const& changed : result->changed) hub<Attempt>().publish(changed);
    for (Refund const& changed : result->changed_refunds) hub<Refund>().publish(changed);
    for (Capture const& changed : result->changed_captures) hub<Capture>().publish(changed);
    for (ProviderCall& call : result->calls) perform(std::move(call));
    done(std::move(result->reply));
  });
}

void Engine::perform(ProviderCall call) {
  Provider* const provider = parts_.providers.find(call.attempt.provider);
  // No harm either way: recovery finds the attempt due and asks the provider first.
  if (!provider || parts_.clock.now() >= lease_of(call)) {
    log_warn("payment {}: {} call left to recovery", call.attempt.id.value, to_text(call.kind));
    return;
  }
  parts_.fault_points.reach("before_call");
  ++under_way_;
  auto const started = parts_.clock.monotonic();
  auto const shared = std::make_shared<ProviderCall const>(std::move(call));
  provider->call(*shared, [this, shared, started](Answer answer) {
    --under_way_;
    parts_.metrics.provider_call(shared->attempt.provider, shared->kind, answer.outcome,
                                 parts_.clock.monotonic() - started);
    record(*shared, std::move(answer));
  });
}

void Engine::record(ProviderCall const& call, Answer answer) {
  parts_.fault_points.reach("before_save");
  auto saved = [id = call.attempt.id, kind = call.kind](Answered const& answered) {
    if (!answered)
      log_error("payment {}: the answer to a {} call is not saved ({}); recovery will ask again", id.value,
                to_text(kind), answered.error().error.detail);
  };
  execute(outcome_of(call, std::move(answer)), std::move(saved));
}

}  // namespace payonce
