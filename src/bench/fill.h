// Puts payments into a database as the rules make them, many in one transaction: for measuring with much in the books.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace payonce::bench {

enum class Filled {
  paid,        // and each of its three effects delivered
  owing,       // paid, and the effects are due now
  unanswered,  // as a crash leaves them: begun, the provider was perhaps called, and nobody knows
};

struct FillOptions {
  std::string run_id;  // makes the order ids of this run its own
  std::int64_t payments = 1;
  Filled as = Filled::paid;
  std::string provider = "instant";
  std::optional<Time> due_at = {};  // of unanswered ones: when recovery looks at them; default: now
};

// The payments' numbers, of the first hundred thousand. Throws StoreError.
std::vector<AttemptId> fill(Store& store, FillOptions const& options, Clock const& clock);

}  // namespace payonce::bench
