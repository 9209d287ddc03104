#include "engine/capture.h"

#include "base/id.h"
#include "engine/then_wait.h"

namespace payonce {

void capture_payment(Engine& engine, CaptureRequest request, AnsweredDone done) {
  Engine::Parts const& parts = engine.parts();
  BeginCapture begin{.merchant = std::move(request.merchant),
                     .attempt = std::move(request.attempt),
                     .capture = mint_capture_id(parts.clock.now(), parts.random),
                     .idempotency_key = std::move(request.idempotency_key),
                     .amount_minor = request.amount_minor,
                     .currency = std::move(request.currency),
                     .is_final = request.is_final,
                     .actor = std::move(request.actor)};
  engine.execute(std::move(begin), then_wait(engine, &Reply::capture, request.wait, std::move(done)));
}

}  // namespace payonce
