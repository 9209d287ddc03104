// The HTTP interface: finds the handler of a request, checks who asks, and counts.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "http/authenticate.h"
#include "http/checkout_settings.h"
#include "http/exchange.h"

namespace payonce {

struct ApiOptions {
  bool logs_requests = true;
  CheckoutSettings checkout = {};
};

class Api {
 public:
  Api(Engine& engine, ApiOptions options);

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

  Engine& engine_;
  ApiOptions const options_;
  Authenticator authenticator_;
  bool is_draining_ = false;
};

}  // namespace payonce
