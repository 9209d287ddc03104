// A Loop whose time the test moves by hand. One thread.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "base/loop.h"

namespace payonce::test {

class ManualLoop : public Loop {
 public:
  void post(Task task) override { posted_.push_back(std::move(task)); }
  TimerId after(Millis delay, Task task) override {
    timers_.emplace(std::pair{now_ + delay, ++last_}, std::move(task));
    return last_;
  }
  void cancel(TimerId timer) override {
    std::erase_if(timers_, [&](auto const& entry) { return entry.first.second == timer; });
  }

  // Runs what is posted, and what that posts, until nothing is left; gives how many tasks ran.
  std::size_t run_posted() {
    std::size_t count = 0;
    for (; !posted_.empty(); ++count) {
      Task task = std::move(posted_.front());
      posted_.pop_front();
      task();
    }
    return count;
  }
  // Moves time on, running each timer at its moment.
  void pass(Millis time) {
    Millis const end = now_ + time;
    run_posted();
    while (!timers_.empty() && timers_.begin()->first.first <= end) {
      auto node = timers_.extract(timers_.begin());
      now_ = node.key().first;
      node.mapped()();
      run_posted();
    }
    now_ = end;
  }
  std::size_t timers() const { return timers_.size(); }

 private:
  Millis now_{0};
  TimerId last_ = 0;
  std::deque<Task> posted_;
  std::map<std::pair<Millis, TimerId>, Task> timers_;
};

}  // namespace payonce::test
