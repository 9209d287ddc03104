// A simulated town: nodes over one store, banks, a shop and a postman, and the judge who watches them. What happens in
// it is said by a run (run.h) or by a scenario (scenario.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "simulate/judge.h"
#include "simulate/node.h"
#include "simulate/postman.h"
#include "simulate/subscriber.h"
#include "simulate/town.h"

namespace payonce::simulate {

class World {
 public:
  // Its files are in memory under the name of this folder, which must exist. One world at a time.
  World(Plan const& plan, std::string const& folder, bool keeps_story);
  World(World const&) = delete;
  World& operator=(World const&) = delete;

  Stage& stage() { return stage_; }
  Town& town() { return town_; }
  Judge& judge() { return judge_; }
  Shop const& shop() const { return shop_; }
  Postman& postman() { return postman_; }

  void start_nodes();
  // Lets time pass, until the judge has seen enough.
  void pass(Millis time);
  bool is_over() const { return stage_.violation().has_value(); }

  // A process dies as by kill -9; it stays dead until it is started.
  void kill(Node& node);
  void lose_power();
  void send_away(std::string const& bank, Millis time) { away_until_[bank] = stage_.agenda.now() + time; }
  // From here on nothing fails any more, and all nodes are up.
  void calm_down();

  // What no question can settle goes to a person: a payment that a bank does not know and can't close for certain.
  void ask_the_banks_by_phone();
  // What still waits for something; nothing once everything has come to its end, or to a person.
  std::optional<Unsettled> unsettled();

 private:
  // Its nodes complain of what is done to them on purpose.
  struct Quiet {
    Quiet();
    ~Quiet();
    LogLevel level;
  };

  Quiet quiet_;
  Stage stage_;
  sqlite::MemoryDisk disk_;
  Shop shop_{stage_};
  Banks banks_;
  std::map<std::string, Agenda::Moment> away_until_;
  Judge judge_{stage_, disk_, banks_, shop_};
  std::vector<std::unique_ptr<Node>> nodes_;
  Town town_{stage_, judge_, banks_, nodes_};
  Postman postman_{town_};
  Subscriber subscriber_{town_};
};

}  // namespace payonce::simulate
