// What the service counts about itself, in Prometheus form. Loop thread; text() may be called at any time there.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "payment/decision.h"
#include "provider/guarded_client.h"
#include "store/store.h"

namespace payonce {

class Metrics {
 public:
  Metrics();
  ~Metrics();

  void request(std::string_view route, int status, std::chrono::nanoseconds latency);
  void provider_call(std::string_view provider, CallKind kind, Outcome outcome, std::chrono::nanoseconds latency);
  void provider_health(std::string const& provider, ProviderHealth const& health);
  void notice(std::string_view provider, std::string_view result);
  void delivery(std::string_view effect, std::string_view result);
  // Gauges; the age of the oldest unknown is 0 when there is none.
  void backlog(Reader::Backlog const& backlog, Time now);

  // Prometheus text exposition format 0.0.4.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace payonce
