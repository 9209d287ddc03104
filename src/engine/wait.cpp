#include "engine/wait.h"

#include <algorithm>
#include <memory>

namespace payonce {

namespace {

using namespace std::chrono_literals;

// How often the database is asked for what other nodes did. A buyer does not notice a second; the database would notice
// ten thousand waiting buyers asking more often.
constexpr Millis look_every = 1s;

// Asks the database how the row stands now. An error and a row that is not there are both "nothing new".
template <class Done>
void look_up(ReadLane& reads, AttemptId const& id, Done done) {
  reads.find_attempt(id, [done = std::move(done)](Result<FoundAttemptPtr> const& found) mutable {
    done(found && *found ? std::optional{(*found)->attempt} : std::nullopt);
  });
}
template <class Done>
void look_up(ReadLane& reads, RefundId const& id, Done done) {
  reads.ask([id](Reader& reader) { return reader.find_refund(id); },
            [done = std::move(done)](Result<std::optional<FoundRefund>> found) mutable {
              done(found && *found ? std::optional{std::move((*found)->refund)} : std::nullopt);
            });
}

template <class Done>
void look_up(ReadLane& reads, CaptureId const& id, Done done) {
  reads.ask([id](Reader& reader) { return reader.find_capture(id); },
            [done = std::move(done)](Result<std::optional<FoundCapture>> found) mutable {
              done(found && *found ? std::optional{std::move((*found)->capture)} : std::nullopt);
            });
}

template <class Row>
class Waiter : public std::enable_shared_from_this<Waiter<Row>> {
 public:
  Waiter(Engine& engine, Row row, std::function<bool(Row const&)> enough, std::move_only_function<void(Row)> done)
      : engine_(engine), row_(std::move(row)), enough_(std::move(enough)), done_(std::move(done)) {}

  void start(Millis wait) {
    deadline_ = engine_.parts().clock.monotonic() + wait;
    ticket_ = engine_.hub<Row>().listen(row_.id, [self = this->shared_from_this()](Row const& row) { self->see(row); });
    set_timer();
  }

 private:
  void set_timer() {
    auto const left = std::chrono::duration_cast<Millis>(deadline_ - engine_.parts().clock.monotonic());
    timer_ = engine_.parts().loop.after(std::clamp(left, 0ms, look_every),
                                        [self = this->shared_from_this()] { self->look(); });
  }

  // Also the last thing before the end: what another node did meanwhile is not to be missed.
  void look() {
    look_up(engine_.parts().reads, row_.id, [self = this->shared_from_this()](std::optional<Row> const& row) {
      if (row) self->see(*row);
      if (self->is_over_) return;
      self->waits_in_vain() ? self->finish() : self->set_timer();
    });
  }

  bool waits_in_vain() const {
    bool const nothing_comes_any_more = engine_.is_draining() && engine_.under_way() == 0;
    return nothing_comes_any_more || engine_.parts().clock.monotonic() >= deadline_;
  }

  void see(Row const& row) {
    if (is_over_) return;
    row_ = row;
    if (enough_(row_)) finish();
  }

  void finish() {
    is_over_ = true;
    engine_.hub<Row>().unlisten(ticket_);
    engine_.parts().loop.cancel(timer_);
    done_(std::move(row_));
  }

  Engine& engine_;
  Row row_;
  std::function<bool(Row const&)> enough_;
  std::move_only_function<void(Row)> done_;
  std::chrono::nanoseconds deadline_{0};
  typename Hub<Row>::Ticket ticket_;
  Loop::TimerId timer_ = 0;
  bool is_over_ = false;
};

template <class Row>
void wait_for(Engine& engine, Row row, Millis wait, std::function<bool(Row const&)> enough,
              std::move_only_function<void(Row)> done) {
  if (wait <= 0ms || enough(row)) return done(std::move(row));
  std::make_shared<Waiter<Row>>(engine, std::move(row), std::move(enough), std::move(done))->start(wait);
}

}  // namespace

bool needs_no_waiting(Attempt const& attempt) {
  return attempt.state != AttemptState::processing && attempt.state != AttemptState::unknown;
}

bool needs_no_waiting(Refund const& refund) { return !is_watched(refund.state); }

bool needs_no_waiting(Capture const& capture) { return !is_watched(capture.state); }

void wait_until(Engine& engine, Attempt attempt, Millis wait, std::function<bool(Attempt const&)> enough,
                std::move_only_function<void(Attempt)> done) {
  wait_for(engine, std::move(attempt), wait, std::move(enough), std::move(done));
}

void wait_until(Engine& engine, Refund refund, Millis wait, std::function<bool(Refund const&)> enough,
                std::move_only_function<void(Refund)> done) {
  wait_for(engine, std::move(refund), wait, std::move(enough), std::move(done));
}

void wait_until(Engine& engine, Capture capture, Millis wait, std::function<bool(Capture const&)> enough,
                std::move_only_function<void(Capture)> done) {
  wait_for(engine, std::move(capture), wait, std::move(enough), std::move(done));
}

}  // namespace payonce
