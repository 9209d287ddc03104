// How a scenario ends early, and how it waits: for a condition, looking again and again, never for a time alone.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace payonce::drill {

// Ends the scenario that throws it; only the runner catches it. An exception, since no step of a scenario can go on
// after it, and checks after each would hide what a scenario does.
class ScenarioFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Says that `what` does not hold unless it does.
void expect(bool holds, std::string_view what);

// Ends as failed when the condition does not come true in time.
void wait_for(std::string_view what, std::function<bool()> const& condition, Millis patience = Millis{20'000});

// Makes every wait end at once, in all scenarios: the person at the terminal has had enough. Safe in a signal handler.
void interrupt_all_waits();
bool is_interrupted();

}  // namespace payonce::drill
