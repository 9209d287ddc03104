#include "engine/wait.h"

#include <memory>

namespace payonce {

namespace {

using namespace std::chrono_literals;

// How often the database is asked for what other nodes did. A buyer does not notice a second; the database would notice
// ten thousand waiting buyers asking more often.
constexpr Millis look_every = 1s;

class Waiter : public std::enable_shared_from_this<Waiter> {
 public:
  Waiter(Engine& engine, Attempt attempt, std::function<bool(const Attempt&)> enough,
         std::move_only_function<void(Attempt)> done)
      : engine_(engine), attempt_(std::move(attempt)), enough_(std::move(enough)), done_(std::move(done)) {}

  void start(Millis wait) {
    deadline_ = engine_.parts().clock.monotonic() + wait;
    ticket_ = engine_.hub().listen(attempt_.id, [self = shared_from_this()](const Attempt& attempt) { self->see(attempt); });
    set_timer();
  }

 private:
  void set_timer() {
    auto const left = std::chrono::duration_cast<Millis>(deadline_ - engine_.parts().clock.monotonic());
    bool const is_last = left <= look_every;
    timer_ = engine_.parts().loop.after(is_last ? std::max(left, 0ms) : look_every,
                                        [self = shared_from_this(), is_last] { is_last ? self->finish() : self->look(); });
  }

  void look() {
    engine_.parts().reads.ask([id = attempt_.id](Reader& reader) { return reader.find_attempt(id); },
                              [self = shared_from_this()](Result<std::optional<FoundAttempt>> found) {
                                if (self->is_over_) return;
                                if (found && *found) self->see((*found)->attempt);
                                if (!self->is_over_) self->set_timer();
                              });
  }

  void see(const Attempt& attempt) {
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
  std::function<bool(const Attempt&)> enough_;
  std::move_only_function<void(Attempt)> done_;
  std::chrono::nanoseconds deadline_{0};
  Hub::Ticket ticket_;
  Loop::TimerId timer_ = 0;
  bool is_over_ = false;
};

}  // namespace

bool needs_no_waiting(const Attempt& attempt) {
  return attempt.state != AttemptState::processing && attempt.state != AttemptState::unknown;
}

void wait_until(Engine& engine, Attempt attempt, Millis wait, std::function<bool(const Attempt&)> enough,
                std::move_only_function<void(Attempt)> done) {
  if (wait <= 0ms || enough(attempt)) return done(std::move(attempt));
  std::make_shared<Waiter>(engine, std::move(attempt), std::move(enough), std::move(done))->start(wait);
}

}  // namespace payonce
