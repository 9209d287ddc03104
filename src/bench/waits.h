// Buyers who wait for a payment that does not end: connections with a long-poll each, and nothing to tell.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"
#include "base/error.h"

namespace payonce::bench {

struct WaitOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string api_key;
  std::string number;  // of the payment
  int connections = 1'000;
  Millis warm_up{3'000};  // all of them wait by then
  Millis duration{10'000};
};

// How many were still waiting at the end. `on_measuring` is called when the warm-up is over.
Result<int> run_waits(WaitOptions const& options, Clock const& clock, std::function<void()> const& on_measuring);

}  // namespace payonce::bench
