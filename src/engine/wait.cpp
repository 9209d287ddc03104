#include "engine/wait.h"

#include <algorithm>
#include <memory>

namespace payonce {

namespace {

using namespace std::chrono_literals;

// How often the database is asked for what other nodes did. A buyer does not notice a second; the database would notice
// ten thousand waiting buyers asking more often.
constexpr Millis look_every = 1s;

class Waiter : public std::enable_shared_from_this<Waiter> {
 public:
  Waiter(Engine& engine, Attempt attempt, std::function<bool(Attempt const&)> enough,
         std::move_only_function<void(Attempt)> done)
      : engine_(engine), attempt_(std::move(attempt)), enough_(std::move(enough)), done_(std::move(done)) {}

  void start(Millis wait) {
    deadline_ = engine_.parts().clock.monotonic() + wait;
    ticket_ =
        engine_.hub().listen(attempt_.id, [self = shared_from_this()](Attempt const& attempt) { self->see(attempt); });
    set_timer();
  }

 private:
  void set_timer() {
    auto const left = std::chrono::duration_cast<Millis>(deadline_ - engine_.parts().clock.monotonic());
    timer_ =
        engine_.parts().loop.after(std::clamp(left, 0ms, look_every), [self = shared_from_this()] { self->look(); });
  }

  // Also the last thing before the end: what another node did meanwhile is not to be missed.
  void look() {
    engine_.parts().reads.find_attempt(attempt_.id,
                                       [self = shared_from_this()](Result<std::optional<FoundAttempt>> found) {
                                         if (self->is_over_) return;
                                         if (found && *found) self->see((*found)->attempt);
                                         if (self->is_over_) return;
                                         self->waits_in_vain() ? self->finish() : self->set_timer();
                                       });
  }

  bool waits_in_vain() const {
    bool const nothing_comes_any_more = engine_.is_draining() && engine_.under_way() == 0;
    return nothing_comes_any_more || engine_.parts().clock.monotonic() >= deadline_;
  }

  void see(Attempt const& attempt) {
    if (is_over_) return;
    attempt_ = attempt;
    if (enough_(attempt_)) finish();
  }

  void finish() {
    if (std::exchange(is_over_, true)) return;
    engine_.hub().unlisten(ticket_);
    engine_.parts().loop.cancel(timer_);
    done_(std::move(attempt_));
  }

  Engine& engine_;
  Attempt attempt_;
  std::function<bool(Attempt const&)> enough_;
  std::move_only_function<void(Attempt)> done_;
  std::chrono::nanoseconds deadline_{0};
  Hub::Ticket ticket_;
  Loop::TimerId timer_ = 0;
  bool is_over_ = false;
};

}  // namespace

bool needs_no_waiting(Attempt const& attempt) {
  return attempt.state != AttemptState::processing && attempt.state != AttemptState::unknown;
}

void wait_until(Engine& engine, Attempt attempt, Millis wait, std::function<bool(Attempt const&)> enough,
                std::move_only_function<void(Attempt)> done) {
  if (wait <= 0ms || enough(attempt)) return done(std::move(attempt));
  std::make_shared<Waiter>(engine, std::move(attempt), std::move(enough), std::move(done))->start(wait);
}

}  // namespace payonce
