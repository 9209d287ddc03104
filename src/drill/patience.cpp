#include "drill/patience.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

namespace payonce::drill {

namespace {

constexpr Millis look_every{10};
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "it is set from a signal handler");

}  // namespace

void expect(bool holds, std::string_view what) {
  if (!holds) throw ScenarioFailed{fmt::format("not so: {}", what)};
}

void wait_for(std::string_view what, std::function<bool()> const& condition, Millis patience) {
  SystemClock const clock;
  auto const deadline = clock.monotonic() + patience;
  while (!condition()) {
    if (interrupted) throw ScenarioFailed{"interrupted"};
    if (clock.monotonic() >= deadline)
      throw ScenarioFailed{fmt::format("waited {} s in vain until {}", patience.count() / 1000, what)};
    std::this_thread::sleep_for(look_every);
  }
}

void interrupt_all_waits() { interrupted = true; }
bool is_interrupted() { return interrupted; }

}  // namespace payonce::drill
