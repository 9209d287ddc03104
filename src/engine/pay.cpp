#include "engine/pay.h"

#include "base/id.h"
#include "engine/cancel.h"
#include "engine/wait.h"

namespace payonce {

void pay(Engine& engine, PayRequest request, AnsweredDone done) {
  Engine::Parts const& parts = engine.parts();
  BeginAttempt begin{.key = std::move(request.key),
                     .attempt = mint_attempt_id(parts.clock.now(), parts.random),
                     .idempotency_key = std::move(request.idempotency_key),
                     .provider = std::move(request.provider),
                     .method = std::move(request.method),
                     .amount_minor = request.amount_minor,
                     .currency = std::move(request.currency),
                     .metadata = std::move(request.metadata),
                     .part = std::move(request.part),
                     .replaces = request.replaces,
                     .registers_order = request.registers_order};
  auto begun = [&engine, wait = request.wait, done = std::move(done)](Answered answered) mutable {
    if (!answered) return done(std::move(answered));
    Attempt attempt = *answered->attempt;
    auto finish = [&engine, done = std::move(done), reply = std::move(*answered)](Attempt settled) mutable {
      engine.parts().fault_points.reach("before_reply");
      reply.attempt = std::move(settled);
      done(std::move(reply));
    };
    bool (*const enough)(Attempt const&) = needs_no_waiting;
    wait_until(engine, std::move(attempt), wait, enough, std::move(finish));
  };
  if (request.replaces)
    execute_once_free(engine, std::move(begin), std::move(request.actor), request.wait, std::move(begun));
  else
    engine.execute(std::move(begin), std::move(begun));
}

}  // namespace payonce
