// The Loop of a real process: one Asio context, run by one thread.
// Not for: sockets (http_server.h, http_client.h) or virtual time (a simulation has its own Loop).
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "base/loop.h"

namespace boost::asio {
class io_context;
}

namespace payonce {

class AsioLoop final : public Loop {
 public:
  AsioLoop();
  // Tasks that did not run are destroyed unrun. Servers and clients on the loop must be gone before.
  ~AsioLoop() override;
  AsioLoop(AsioLoop const&) = delete;
  AsioLoop& operator=(AsioLoop const&) = delete;

  // Runs tasks on the calling thread until stop(); may be called again afterwards.
  // An exception thrown by a task ends that task only; it is logged.
  void run();
  // Makes run() return after the task that runs now; tasks still queued wait for the next run(). Any thread.
  void stop();

  void post(Task task) override;
  TimerId after(Millis delay, Task task) override;
  void cancel(TimerId timer) override;

  // Calls `on_signal(number)` on the loop for each of these signals from now on, instead of their default action.
  // Loop thread, or before run(). A second call replaces the first.
  void on_signals(std::initializer_list<int> signals, std::function<void(int)> on_signal);

  // For the other parts of net/ only.
  boost::asio::io_context& context();

 private:
  struct Core;
  std::unique_ptr<Core> core_;
};

}  // namespace payonce
