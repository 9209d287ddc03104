// Runs a batch of jobs as one transaction, and finds out what to do when that fails. No thread in it: a simulation
// calls it directly.
#pragma once

#include <span>

#include "payment/terms.h"
#include "store/committer.h"
#include "store/store.h"

namespace payonce {

// Fills in `result` of each job. Never throws.
// - conflict, in doubt: the whole batch again; commands recognise what they did before
// - refused, or a bug in one command: job by job, so that the bad one fails alone
// - unavailable: every job fails with `unavailable`
void run_batch(Writer& writer, Terms const& terms, Clock const& clock, std::span<Committer::Job> jobs);

}  // namespace payonce
