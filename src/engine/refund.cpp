#include "engine/refund.h"

#include "base/id.h"
#include "engine/wait.h"

namespace payonce {

void refund_payment(Engine& engine, RefundRequest request, AnsweredDone done) {
  Engine::Parts const& parts = engine.parts();
  BeginRefund begin{.merchant = std::move(request.merchant),
                    .attempt = std::move(request.attempt),
                    .refund = mint_refund_id(parts.clock.now(), parts.random),
                    .idempotency_key = std::move(request.idempotency_key),
                    .amount_minor = request.amount_minor,
                    .currency = std::move(request.currency),
                    .reason = std::move(request.reason),
                    .actor = std::move(request.actor)};
  engine.execute(std::move(begin), [&engine, wait = request.wait, done = std::move(done)](Answered answered) mutable {
    if (!answered) return done(std::move(answered));
    Refund refund = *answered->refund;
    auto finish = [&engine, done = std::move(done), reply = std::move(*answered)](Refund settled) mutable {
      engine.parts().fault_points.reach("before_reply");
      reply.refund = std::move(settled);
      done(std::move(reply));
    };
    bool (*const enough)(Refund const&) = needs_no_waiting;
    wait_until(engine, std::move(refund), wait, enough, std::move(finish));
  });
}

}  // namespace payonce
