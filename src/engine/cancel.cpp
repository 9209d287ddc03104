#include "engine/cancel.h"

#include "engine/wait.h"

namespace payonce {

void cancel(Engine& engine, CancelAttempt command, Millis wait, AnsweredDone done) {
  engine.execute(std::move(command), [&engine, wait, done = std::move(done)](Answered answered) mutable {
    if (!answered) return done(std::move(answered));
    Attempt attempt = *answered->attempt;
    auto finish = [done = std::move(done), reply = std::move(*answered)](Attempt settled) mutable {
      reply.attempt = std::move(settled);
      done(std::move(reply));
    };
    wait_until(
        engine, std::move(attempt), wait, [](Attempt const& now) { return !is_watched(now.state); }, std::move(finish));
  });
}

void close_order(Engine& engine, CloseOrder command, Millis wait, AnsweredDone done) {
  engine.execute(command, [&engine, command, wait, done = std::move(done)](Answered answered) mutable {
    bool const must_cancel_first = !answered && answered.error().error.code == ErrorCode::order_has_live_payment &&
                                   answered.error().live && wait > Millis{0};
    if (!must_cancel_first) return done(std::move(answered));
    CancelAttempt const first{command.key.merchant, answered.error().live->id, command.actor};
    auto then_close = [&engine, command, done = std::move(done)](Answered) mutable {
      // Whatever came of it, the order itself knows now: closed, paid, or still held.
      close_order(engine, command, Millis{0}, std::move(done));
    };
    cancel(engine, first, wait, std::move(then_close));
  });
}

}  // namespace payonce
