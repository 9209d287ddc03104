// Virtual time: what is going to happen, in order. Time stands still while something happens.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/loop.h"

namespace payonce::simulate {

class Agenda {
 public:
  using Moment = std::chrono::nanoseconds;  // since the start of the world
  // Who does it: a process that may die before it does, or the world (0).
  using Owner = std::uint64_t;
  static constexpr Owner world = 0;

  Moment now() const { return now_; }

  // The task runs at `moment`, after those that were set for it before; a moment that is over means now.
  Loop::TimerId at(Moment moment, Owner owner, Task task);
  void cancel(Loop::TimerId id);
  // The owner is dead: nothing it was going to do happens, nor what is set for it from now on.
  void drop(Owner owner);

  // The owner stands still: what it was going to do until then it does then.
  void freeze(Owner owner, Moment until) { frozen_until_[owner] = until; }
  // Nobody stands still from now on. What was put off already stays where it is.
  void thaw() { frozen_until_.clear(); }

  // Does the next thing, if there is one before `end`; otherwise time moves to `end`.
  bool step(Moment end);

 private:
  struct Entry {
    Owner owner;
    Task task;
  };
  using Key = std::pair<Moment, Loop::TimerId>;

  Moment now_{0};
  Loop::TimerId last_ = 0;
  std::map<Key, Entry> entries_;
  std::unordered_map<Loop::TimerId, Moment> moments_;
  std::unordered_set<Owner> dead_;
  std::unordered_map<Owner, Moment> frozen_until_;
};

}  // namespace payonce::simulate
