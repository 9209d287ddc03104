// Load over real HTTP. In a closed loop each connection asks for something, waits for the answer and only then asks
// again; at a fixed rate each payment has its time, and whichever connection is free takes it.
// One thread on epoll, so that the generator takes little of the machine that it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "payment/order.h"

namespace payonce::bench {

enum class Asked {
  payments,  // each pays an order, registered in the same request
  replays,   // the same payment with the same key, over and over
  polls,     // GET of one settled payment
  pings,     // GET /healthz: what the HTTP server alone can do
  refusals,  // payments of one paid order, each under a key of its own: an order that everybody wants
  notices,   // the sandbox bank's, each sent twice
};

struct LoadOptions {
  Asked asked = Asked::payments;
  std::string host = "127.0.0.1";
  std::vector<std::uint16_t> ports;  // of one service or of several, which get as many connections each
  std::string api_key;
  std::vector<AttemptId> numbers = {};  // of payments that are there: what notices tell of
  std::string run_id;                   // makes the order ids of this run its own
  int connections = 64;
  int rate = 0;           // per second, all connections together; 0: a closed loop
  Millis warm_up{1'000};  // not measured
  Millis duration{10'000};
};

struct LoadResult {
  std::int64_t answers = 0;      // that said what was expected, within the measured time
  std::int64_t unexpected = 0;   // answers that were anything else; a run with any is not worth its figures
  std::string first_unexpected;  // the first of them, cut
  std::chrono::nanoseconds measured{0};
  std::vector<std::uint32_t> answer_us;  // sent (at a fixed rate: due) to answered; sorted
};

// `on_measuring` is called when the warm-up is over. unavailable if the service can't be reached.
Result<LoadResult> run_load(LoadOptions const& options, Clock const& clock, std::function<void()> const& on_measuring);

// The value below which `share` (0 to 1) of the sorted values lie, in milliseconds.
double percentile_ms(std::vector<std::uint32_t> const& sorted_us, double share);

}  // namespace payonce::bench
