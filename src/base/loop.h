// The one thread on which the service thinks. Engine, workers and HTTP handlers run on it, so they need no locks;
// lanes and network clients do their slow work elsewhere and post the result here.
// A simulation puts a queue under virtual time in its place.
#pragma once

#include <cstdint>
#include <functional>

#include "base/clock.h"

namespace payonce {

using Task = std::move_only_function<void()>;

class Loop {
 public:
  using TimerId = std::uint64_t;  // never 0

  virtual ~Loop() = default;
  // Runs the task on the loop's thread, after the tasks posted before it. Any thread may call.
  virtual void post(Task task) = 0;
  // Runs the task once, `delay` from now. Loop thread only.
  virtual TimerId after(Millis delay, Task task) = 0;
  // The task will not run any more; nothing happens if it ran already. Loop thread only.
  virtual void cancel(TimerId timer) = 0;
};

}  // namespace payonce
