// Rules and store alone: payments in batches, without HTTP, engine and provider. How far the rest could ever get.
#pragma once

#include "bench/load.h"
#include "store/store.h"

namespace payonce::bench {

struct BatchOptions {
  std::string run_id;
  int payments = 64;  // in a batch: so many are begun in one transaction and succeed in the next
  Millis warm_up{1'000};
  Millis duration{10'000};
};

// One writer, each commit durable. `answer_us` is the time of the two transactions of a batch.
LoadResult run_batches(Store& store, BatchOptions const& options, Clock const& clock,
                       std::function<void()> const& on_measuring);

}  // namespace payonce::bench
