#include "engine/resolve.h"

#include <memory>

namespace payonce {

namespace {

struct Due {
  std::vector<DueAttempt> attempts;
  std::vector<DueRefund> refunds;
  std::vector<DueCapture> captures;
  std::vector<DueOrder> orders;
};

}  // namespace

void resolve_due(Engine& engine, std::size_t limit, std::move_only_function<void(std::size_t)> done) {
  Engine::Parts const& parts = engine.parts();
  auto take_up_all = [&engine, done = std::move(done)](Result<Due> due) mutable {
    std::size_t const count =
        due ? due->attempts.size() + due->refunds.size() + due->captures.size() + due->orders.size() : 0;
    if (count == 0) return done(0);
    // The last one to be committed reports.
    auto const one_done =
        std::make_shared<std::move_only_function<void()>>([left = count, count, done = std::move(done)]() mutable {
          if (--left == 0) done(count);
        });
    for (DueAttempt const& it : due->attempts)
      engine.execute(TakeUpAttempt{it.key, it.attempt, it.due_at}, [one_done](Answered const&) { (*one_done)(); });
    for (DueRefund const& it : due->refunds)
      engine.execute(TakeUpRefund{it.key, it.refund, it.due_at}, [one_done](Answered const&) { (*one_done)(); });
    for (DueCapture const& it : due->captures)
      engine.execute(TakeUpCapture{it.key, it.capture, it.due_at}, [one_done](Answered const&) { (*one_done)(); });
    for (DueOrder const& it : due->orders)
      engine.execute(ExpireOrder{it.key, it.due_at}, [one_done](Answered const&) { (*one_done)(); });
  };
  parts.reads.ask(
      [now = parts.clock.now(), limit](Reader& reader) {
        return Due{reader.due_attempts(now, limit), reader.due_refunds(now, limit), reader.due_captures(now, limit),
                   reader.due_orders(now, limit)};
      },
      std::move(take_up_all));
}

}  // namespace payonce
