#include "engine/refund.h"

#include "base/id.h"
#include "engine/then_wait.h"

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
  engine.execute(std::move(begin), then_wait(engine, &Reply::refund, request.wait, std::move(done)));
}

}  // namespace payonce
