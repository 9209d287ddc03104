// An HTTP client that guards one provider's calls: how many run at once, a circuit breaker, and the pause that the
// provider asks for. What it holds back is answered `never_sent` before any byte leaves, so that a sick provider costs
// neither time nor the connections of another. It repeats nothing. Loop thread only, unless it says otherwise.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/loop.h"
#include "net/http_client.h"

namespace payonce {

enum class BreakerState {
  closed,   // calls go out
  open,     // none does
  probing,  // one goes out, to see
};

struct ProviderHealth {
  BreakerState breaker = BreakerState::closed;
  int calls_in_flight = 0;
  // Our clock less the provider's, by the Date of its last answer. Signed calls are refused when it is minutes.
  std::optional<Millis> clock_ahead = {};
};

class GuardedClient final : public HttpClient {
 public:
  struct Options {
    std::string name;             // of the provider, for the log
    int calls_max = 1'024;        // in flight or waiting for a connection
    int breaker_failures = 20;    // in a row; what counts is no answer, 5xx and 429
    Millis breaker_pause{5'000};  // the first; it doubles up to a minute while probes fail
  };

  GuardedClient(HttpClient& http, Loop& loop, Clock const& clock, Options options);
  ~GuardedClient() override;

  void send(HttpCall call, Done done) override;
  ProviderHealth health() const;
  // Whether calls_max calls are in flight, or were held back since the provider last answered: those are recovery's to
  // make, and more of them would only wait longer. Any thread.
  bool is_crowded() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace payonce
