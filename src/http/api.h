// The HTTP interface: finds the handler of a request, checks who asks, and counts.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "http/authenticate.h"
#include "http/checkout_settings.h"
#include "http/exchange.h"

namespace payonce {

struct ApiOptions {
  bool logs_requests = true;
  // The longest that a request is left without an answer, beside what it asked to wait: a database may stand still in
  // the middle of a commit. What the request began goes on; its repeat finds it.
  Millis patience{15'000};
  CheckoutSettings checkout = {};
};

class Api {
 public:
  Api(Engine& engine, ApiOptions options);
  ~Api();

  // Answers any request. Loop thread.
  void handle(HttpRequest request, Respond respond);
  // The limit for a request's body, by its target.
  static std::size_t body_limit(std::string_view target);

  Engine& engine() { return engine_; }
  CheckoutSettings const& checkout() const { return options_.checkout; }
  // From now on /readyz says no, so that a balancer sends new requests elsewhere.
  void begin_drain() { is_draining_ = true; }
  bool is_draining() const { return is_draining_; }

 private:
  ExchangePtr open_exchange(HttpRequest request, Respond respond);
  void dispatch(ExchangePtr exchange);
  // Answers those that have waited too long, and looks again soon.
  void look_after_the_waiting();

  Engine& engine_;
  ApiOptions const options_;
  Authenticator authenticator_;
  bool is_draining_ = false;
  struct Waiting {
    std::chrono::nanoseconds since;
    std::weak_ptr<Exchange> exchange;
  };
  std::vector<Waiting> waiting_;
  Loop::TimerId timer_ = 0;
};

}  // namespace payonce
