#include "net/asio_loop.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log.h"

namespace payonce {

namespace asio = boost::asio;
using std::chrono::nanoseconds;

namespace {

void log_lost_exception(char const* what) {
  log_error("a task on the event loop ended with an exception: {}; the task is lost, the loop goes on", what);
}

// The last catch: one bad task must not take the process with it.
template <class Work>
void run_guarded(Work&& work) {
  try {
    work();
  } catch (std::exception const& error) {
    log_lost_exception(error.what());
  } catch (...) {
    log_lost_exception("not a std::exception");
  }
}

}  // namespace

struct AsioLoop::Core {
  using DueAt = std::pair<nanoseconds, TimerId>;  // ordered by time, then by creation

  SystemClock clock;
  asio::io_context context{1};  // declared first, so destroyed last: tasks may own sockets
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};

  // Tasks from any thread. They are handed to Asio as one batch, so that a busy poster pays one lock per task.
  std::mutex mutex;
  std::vector<Task> posted;  // guarded by mutex
  std::vector<Task> batch;   // loop thread
  std::size_t batch_at = 0;

  // One Asio timer stands for all of ours.
  std::map<DueAt, Task> timers;
  std::unordered_map<TimerId, nanoseconds> due_by_id;
  TimerId last_timer = 0;
  asio::steady_timer alarm{context};
  std::optional<nanoseconds> alarm_at;  // may be earlier than the first timer; then the alarm just sets itself anew

  std::optional<asio::signal_set> signals;
  std::function<void(int)> on_signal;

  void schedule_drain() {
    asio::post(context, [this] { drain(); });
  }

  // Runs what was posted before now; what these tasks post waits its turn behind sockets and timers.
  void drain() {
    if (batch_at == batch.size()) {
      batch.clear();
      batch_at = 0;
      std::scoped_lock lock(mutex);
      batch.swap(posted);
    }
    while (batch_at < batch.size()) {
      Task task = std::move(batch[batch_at++]);
      run_guarded(task);
      if (context.stopped()) break;
    }
    bool more = batch_at < batch.size();
    if (!more) {
      batch.clear();
      batch_at = 0;
      std::scoped_lock lock(mutex);
      more = draining = !posted.empty();
    }
    if (more) schedule_drain();
  }
  bool draining = false;  // guarded by mutex: a drain is scheduled or runs

  void set_alarm() {
    if (timers.empty()) return;
    nanoseconds const first = timers.begin()->first.first;
    if (alarm_at && *alarm_at <= first) return;
    alarm_at = first;
    alarm.expires_after(first - clock.monotonic());
    alarm.async_wait([this](boost::system::error_code const& error) {
      if (!error) ring();
    });
  }

  void ring() {
    alarm_at.reset();
    nanoseconds const now = clock.monotonic();
    while (!timers.empty() && timers.begin()->first.first <= now && !context.stopped()) {
      auto node = timers.extract(timers.begin());
      due_by_id.erase(node.key().second);
      run_guarded(node.mapped());
    }
    set_alarm();
  }

  void wait_for_signal() {
    signals->async_wait([this](boost::system::error_code const& error, int number) {
      if (error) return;
      wait_for_signal();
      on_signal(number);
    });
  }
};

AsioLoop::AsioLoop() : core_(std::make_unique<Core>()) {}
AsioLoop::~AsioLoop() = default;

void AsioLoop::run() {
  while (!core_->context.stopped()) run_guarded([this] { core_->context.run(); });
  core_->context.restart();
}

void AsioLoop::stop() { core_->context.stop(); }

void AsioLoop::post(Task task) {
  {
    std::scoped_lock lock(core_->mutex);
    core_->posted.push_back(std::move(task));
    if (std::exchange(core_->draining, true)) return;
  }
  core_->schedule_drain();
}

Loop::TimerId AsioLoop::after(Millis delay, Task task) {
  TimerId const timer = ++core_->last_timer;
  nanoseconds const due_at = core_->clock.monotonic() + delay;
  core_->timers.emplace(std::pair{due_at, timer}, std::move(task));
  core_->due_by_id.emplace(timer, due_at);
  core_->set_alarm();
  return timer;
}

void AsioLoop::cancel(TimerId timer) {
  auto const due = core_->due_by_id.find(timer);
  if (due == core_->due_by_id.end()) return;
  // The node is destroyed after both maps are consistent: the task's captures may call back into the loop.
  auto const node = core_->timers.extract({due->second, timer});
  core_->due_by_id.erase(due);
}

void AsioLoop::on_signals(std::initializer_list<int> signals, std::function<void(int)> on_signal) {
  core_->on_signal = std::move(on_signal);
  core_->signals.emplace(core_->context);
  for (int const number : signals) core_->signals->add(number);
  core_->wait_for_signal();
}

asio::io_context& AsioLoop::context() { return core_->context; }

}  // namespace payonce
