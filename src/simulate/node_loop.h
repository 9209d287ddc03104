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

  // A moment passes, so that the node can die before the task runs; the order is kept. What a lane has decided in its
  // turn is known only when its commit returns, which is when the disk is done.
  void post(Task task) override {
    last_post_ = std::max(last_post_, stage_.agenda.now() + time_taken(200));
    stage_.agenda.at(last_post_, owner_, std::move(task));
  }
  TimerId after(Millis delay, Task task) override {
    return stage_.agenda.at(stage_.agenda.now() + delay * (stage_.is_calm() ? calm_stretch : 1), owner_,
                            std::move(task));
  }
  void cancel(TimerId timer) override { stage_.agenda.cancel(timer); }

  void give(Task turn) override { stage_.agenda.at(stage_.agenda.now() + time_taken(3'000), owner_, std::move(turn)); }

  // Until then everything takes up to so long.
  void slow_down(Agenda::Moment until, Millis most) {
    slow_until_ = until;
    slow_most_ = most;
  }

 private:
  // Once it is calm only the long waits of back-offs matter; workers that look less often save the time to simulate.
  static constexpr int calm_stretch = 20;

  Agenda::Moment time_taken(std::uint64_t most_us) {
    bool const is_slow = stage_.agenda.now() < slow_until_ && !stage_.is_calm();
    if (is_slow) most_us = static_cast<std::uint64_t>(std::chrono::microseconds{slow_most_}.count());
    return std::chrono::microseconds(stage_.chance.below(most_us));
  }

  Stage& stage_;
  Agenda::Owner const owner_;
  Agenda::Moment last_post_{0};
  Agenda::Moment slow_until_{0};
  Millis slow_most_{1};
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
