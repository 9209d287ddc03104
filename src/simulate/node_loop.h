// One node's loop thread in virtual time. Its lanes get their turns here too, each after the time that a disk takes.
#pragma once

#include <algorithm>

#include "base/loop.h"
#include "simulate/stage.h"
#include "store/turns.h"

namespace payonce::simulate {

class NodeLoop final : public Loop, public Turns {
 public:
  NodeLoop(Stage& stage, Agenda::Owner owner) : stage_(stage), owner_(owner) {}

  // A moment passes, so that the node can die before the task runs; the order is kept.
  void post(Task task) override {
    last_post_ = std::max(last_post_, stage_.agenda.now() + short_while(200));
    stage_.agenda.at(last_post_, owner_, std::move(task));
  }
  TimerId after(Millis delay, Task task) override {
    return stage_.agenda.at(stage_.agenda.now() + delay * (stage_.is_calm() ? calm_stretch : 1), owner_,
                            std::move(task));
  }
  void cancel(TimerId timer) override { stage_.agenda.cancel(timer); }

  void give(Task turn) override {
    bool const is_slow = stage_.agenda.now() < slow_until_ && !stage_.is_calm();
    auto const time = is_slow ? short_while(2'000'000) : short_while(3'000);
    stage_.agenda.at(stage_.agenda.now() + time, owner_, std::move(turn));
  }

  void slow_down(Agenda::Moment until) { slow_until_ = until; }

 private:
  // Once it is calm only the long waits of back-offs matter; workers that look less often save the time to simulate.
  static constexpr int calm_stretch = 20;

  Agenda::Moment short_while(std::uint64_t most_us) { return std::chrono::microseconds(stage_.chance.below(most_us)); }

  Stage& stage_;
  Agenda::Owner const owner_;
  Agenda::Moment last_post_{0};
  Agenda::Moment slow_until_{0};
};

// The clocks of one machine.
class NodeClock final : public Clock {
 public:
  explicit NodeClock(Stage const& stage) : stage_(stage) {}
  Time now() const override { return stage_.wall_time() + offset_; }
  std::chrono::nanoseconds monotonic() const override { return stage_.agenda.now(); }
  // From the truth, not from where it stood: clocks are off by seconds, not by ever more.
  void jump(Millis by) { offset_ = by; }

 private:
  Stage const& stage_;
  Millis offset_{0};
};

}  // namespace payonce::simulate
