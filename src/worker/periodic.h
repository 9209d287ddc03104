// A job that is done again and again: at once while there is more to do, otherwise after a pause.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/loop.h"

namespace payonce {

// Loop thread only.
class Periodic {
 public:
  // Does one round and calls back with whether there may be more right now.
  using RunOnce = std::function<void(std::move_only_function<void(bool has_more)>)>;

  Periodic(Loop& loop, Millis pause, RunOnce run_once)
      : core_(std::make_shared<Core>(Core{loop, pause, std::move(run_once)})) {}
  ~Periodic() { stop(); }
  Periodic(Periodic const&) = delete;
  Periodic& operator=(Periodic const&) = delete;

  void start() { run(core_); }
  // No round begins any more; one that is under way may still end. May be called twice or without start.
  void stop() {
    core_->is_stopped = true;
    if (core_->timer != 0) core_->loop.cancel(core_->timer);
  }
  bool is_running_a_round() const { return core_->is_busy; }

 private:
  struct Core {
    Loop& loop;
    Millis pause;
    RunOnce run_once;
    Loop::TimerId timer = 0;
    bool is_busy = false;
    bool is_stopped = false;
  };

  static void run(std::shared_ptr<Core> const& core) {
    if (core->is_stopped) return;
    core->is_busy = true;
    core->run_once([core](bool has_more) {
      core->is_busy = false;
      if (core->is_stopped) return;
      if (has_more) return core->loop.post([core] { run(core); });
      core->timer = core->loop.after(core->pause, [core] { run(core); });
    });
  }

  std::shared_ptr<Core> core_;
};

}  // namespace payonce
