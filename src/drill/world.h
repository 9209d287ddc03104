// One failure's own world: a folder, a bank, one or two services on one database, a shop that takes the effects.
#pragma once

#include <string>

#include "drill/backstage.h"
#include "drill/bank.h"
#include "drill/channel.h"
#include "drill/customer.h"
#include "drill/forwarder.h"
#include "drill/node.h"
#include "drill/shop.h"

namespace payonce::drill {

struct WorldOptions {
  std::string folder;  // exists and is empty
  Channel const& channel;
  std::string keys = {};  // the folder that the bank keeps its keys in
  bool is_forgetful = false;
  Millis call_timeout{400};  // the service's patience with the bank
  std::string database;      // its URL
  int nodes = 1;             // services that run from the start
};

// What can be seen of an order from outside once nothing moves any more.
struct OrderOutcome {
  int charges = 0;
  int refunds = 0;
  std::string order_state;
  int effects = 0;
};

// How a result is hidden: an answer that suffers a fault, no notice, and recovery's next questions cut.
struct Darkness {
  std::string_view fault;
  int questions = 4;
  std::optional<Millis> delay = {};
  // It is the payment's first call that suffers, whether money moves by it or only later.
  bool at_first_call = false;
};

class World {
 public:
  // The order that a failure is about; the others are its company.
  static constexpr char const* order = "order-1";

  explicit World(WorldOptions options);

  // Everything up, and the order registered. Throws ScenarioFailed, as everything here does.
  void open();
  // The service again, now told to die as by kill -9 at this point.
  void rearm(std::string const& crash_at);
  // The service after it died.
  void revive();
  // Another service on the same database, unless it runs already.
  void start_second_node();
  // Holds the provider's statement of today against the books, as `payonce reconcile` does; what it printed. Around
  // midnight that of yesterday too.
  std::string reconcile() const;
  // The accountant's books of the order, as `payonce ledger` prints them.
  std::string ledger(std::string const& order_id = order) const;
  // Waits until nothing of the order moves any more: payments ended, refunds done, effects delivered.
  OrderOutcome settle(std::string const& order_id = order);
  // Stops the services and holds everything that was said and kept against the ledger and the ten invariants.
  void close(bool may_charge_after_decline);

  // The answer to the order's next request to charge suffers the fault, and nothing else tells of it. To be said before
  // the payment begins.
  void keep_in_the_dark(Darkness const& darkness);
  // Whether the bank got the call about the order once, where asking is no repeating.
  void expect_asked_once(std::string const& call) const;
  Channel const& channel() const { return options_.channel; }
  bool is_forgetful() const { return options_.is_forgetful; }

 private:
  WorldOptions const options_;

 public:
  // The network is made last and goes first, so that nothing on it reaches what is gone.
  Shop shop;
  Forwarder notices{backstage, 1};  // the bank's way to the service, which changes its address with every start
  Forwarder resending_proxy{backstage, 2};
  std::optional<Bank> bank;
  std::optional<Node> node;
  std::optional<Node> second_node;
  Backstage backstage;
  Customer customer;

 private:
  // Where a request goes that was sent so many times before.
  std::string url_for(int turn);
  void point_notices();
  std::string config_path() const;
  void write_config(std::string const& shop_url, std::string const& notices_url) const;
  std::string create_api_key() const;
  void run_verify() const;

  bool is_armed_ = false;  // the first service is told to die: what is to kill it must reach it
};

}  // namespace payonce::drill
