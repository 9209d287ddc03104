// One node: the real engine, workers, committer and reading lane over the real store, on a loop of its own in virtual
// time. It can die at any moment between two of its tasks and be started again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/settings.h"
#include "simulate/bank.h"
#include "simulate/node_loop.h"
#include "simulate/shaky_store.h"
#include "simulate/shops.h"
#include "worker/workers.h"

namespace payonce::simulate {

class Node {
 public:
  struct Surroundings {
    Stage& stage;
    sqlite::MemoryDisk& disk;
    std::map<std::string, std::unique_ptr<Bank>> const& banks;
    Shop& shop;
    // Whether the bank can be reached by anyone.
    std::function<bool(std::string const&)> is_bank_there;
    // A call leaves for a bank; the time is the node's own.
    std::function<void(ProviderCall const&, Time)> inspect_call;
  };

  Node(Surroundings surroundings, int index);
  ~Node();

  int index() const { return index_; }
  bool is_up() const { return parts_ != nullptr; }
  // The process, as long as it lives.
  Agenda::Owner process() const { return process_; }

  void start();
  // As kill -9. Not from within one of its own tasks.
  void die();

  // Only while it is up.
  Engine& engine();
  void jump_clock(Millis by) { clock_.jump(by); }
  void slow_down(Agenda::Moment until, Millis most);
  void cut_off(Agenda::Moment until) { cut_off_until_ = until; }
  // As kill -STOP, and -CONT then. A process that is started meanwhile is another one.
  void freeze(Agenda::Moment until);

 private:
  struct Parts;

  Surroundings const surroundings_;
  int const index_;
  NodeClock clock_;
  Agenda::Owner process_ = 0;
  int starts_ = 0;
  Agenda::Moment cut_off_until_{0};
  std::unique_ptr<Parts> parts_;
};

// The shop of every simulated world: its banks in the plan's order, and its effects.
std::vector<Merchant> simulated_merchants(Plan const& plan);

}  // namespace payonce::simulate
