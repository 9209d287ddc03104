#include "engine/pay.h"

#include "base/id.h"
#include "engine/cancel.h"
#include "engine/then_wait.h"

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
  AnsweredDone begun = then_wait(engine, &Reply::attempt, request.wait, std::move(done));
  if (request.replaces)
    execute_once_free(engine, std::move(begin), std::move(request.actor), request.wait, std::move(begun));
  else
    engine.execute(std::move(begin), std::move(begun));
}

}  // namespace payonce
