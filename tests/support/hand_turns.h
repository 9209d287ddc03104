// A clock and turns that a test moves by hand: lanes run when it says so, and take as long as it says.
#pragma once

#include <deque>
#include <utility>

#include "base/clock.h"
#include "store/turns.h"
#include "support/rules_world.h"

namespace payonce::test {

class HandClock final : public Clock {
 public:
  Time now() const override { return test_start; }
  std::chrono::nanoseconds monotonic() const override { return passed; }
  std::chrono::nanoseconds passed = std::chrono::hours{1};
};

class HandTurns final : public Turns {
 public:
  void give(Task turn) override { waiting.push_back(std::move(turn)); }
  void take_all() {
    while (!waiting.empty()) {
      Task turn = std::move(waiting.front());
      waiting.pop_front();
      turn();
    }
  }
  std::deque<Task> waiting;
};

}  // namespace payonce::test
