// The background work of one node: recovery, notices without a match, deliveries, gauges. Each is a verb of the engine
// in a loop; any number of nodes may run them side by side.
#pragma once

#include <memory>
#include <vector>

#include "engine/deliver.h"
#include "engine/engine.h"
#include "worker/overlap.h"
#include "worker/periodic.h"

namespace payonce {

class Workers {
 public:
  // All must outlive the workers. Effects are delivered of those merchants that are named for it.
  Workers(Engine& engine, HttpClient& http, std::vector<Merchant> const& merchants,
          std::vector<Merchant> const& to_deliver);
  ~Workers();
  Workers(Workers const&) = delete;
  Workers& operator=(Workers const&) = delete;

  void start();
  void stop();
  bool is_busy() const;

 private:
  void add(Millis pause, Periodic::RunOnce run_once);
  void add_delivery(HttpClient& http, MerchantId const& merchant, EffectTarget const& target);

  Engine& engine_;
  std::vector<std::unique_ptr<Periodic>> all_;
  std::vector<std::shared_ptr<Overlap>> deliveries_;
};

}  // namespace payonce
