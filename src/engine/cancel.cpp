#include "engine/cancel.h"

#include <algorithm>

#include "engine/wait.h"

namespace payonce {

namespace {

bool stands_in_the_way(Answered const& answered) {
  return !answered && answered.error().live && is_live(answered.error().live->state);
}

bool is_out_of_the_way(Answered const& canceled) {
  // A refusal says that it has ended otherwise, or that it is being captured.
  if (!canceled) return canceled.error().error.code != ErrorCode::capture_in_progress;
  return !is_live(canceled->attempt->state);
}

}  // namespace

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

template <class OrderCommand>
void execute_once_free(Engine& engine, OrderCommand command, std::string actor, Millis wait, AnsweredDone done) {
  auto const deadline = engine.parts().clock.monotonic() + wait;
  engine.execute(command, [&engine, command, actor, deadline, done = std::move(done)](Answered answered) mutable {
    if (!stands_in_the_way(answered)) return done(std::move(answered));
    auto const left = [&engine, deadline] {
      return std::max(std::chrono::duration_cast<Millis>(deadline - engine.parts().clock.monotonic()), Millis{0});
    };
    CancelAttempt closing{command.key.merchant, answered.error().live->id, actor};
    auto again = [&engine, command = std::move(command), actor = std::move(actor), left,
                  done = std::move(done)](Answered const& canceled) mutable {
      // Another payment of a split order may be next; one that is still live has had its time.
      if (is_out_of_the_way(canceled))
        execute_once_free(engine, std::move(command), std::move(actor), left(), std::move(done));
      else
        engine.execute(std::move(command), std::move(done));
    };
    cancel(engine, std::move(closing), left(), std::move(again));
  });
}

template void execute_once_free(Engine&, BeginAttempt, std::string, Millis, AnsweredDone);
template void execute_once_free(Engine&, RegisterOrder, std::string, Millis, AnsweredDone);
template void execute_once_free(Engine&, CloseOrder, std::string, Millis, AnsweredDone);

}  // namespace payonce
