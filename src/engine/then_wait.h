// What comes after a command that begins something, or replays it: to wait for its end as long as the caller wants to.
#pragma once

#include "engine/wait.h"

namespace payonce {

// `row`: the part of the reply that is waited for.
template <class Row>
AnsweredDone then_wait(Engine& engine, std::optional<Row> Reply::* row, Millis wait, AnsweredDone done) {
  return [&engine, row, wait, done = std::move(done)](Answered answered) mutable {
    if (!answered) return done(std::move(answered));
    Row begun = *((*answered).*row);
    auto finish = [&engine, row, done = std::move(done), reply = std::move(*answered)](Row settled) mutable {
      engine.parts().fault_points.reach("before_reply");
      reply.*row = std::move(settled);
      done(std::move(reply));
    };
    bool (*const enough)(Row const&) = needs_no_waiting;
    wait_until(engine, std::move(begun), wait, enough, std::move(finish));
  };
}

}  // namespace payonce
