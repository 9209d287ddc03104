// Runs a batch of jobs as one transaction, and finds out what to do when that fails. No thread in it: a simulation
// calls it directly.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "payment/terms.h"
#include "store/committer.h"
#include "store/outage.h"
#include "store/store.h"
#include "store/world.h"

namespace payonce {

class BatchRunner {
 public:
  using JobPtr = std::unique_ptr<Committer::Job>;

  // All references must outlive it. Nobody else writes with this writer.
  BatchRunner(Writer& writer, Terms const& terms, Clock const& clock, IsCrowded is_crowded = {})
      : writer_(writer), terms_(terms), clock_(clock), is_crowded_(std::move(is_crowded)) {}

  // Fills in `result` of each job. Never throws.
  // - conflict, in doubt: the whole batch again; commands recognise what they did before
  // - refused, or a bug in one command: job by job, so that the bad one fails alone
  // - unavailable: every job fails with `unavailable`
  void run(std::span<JobPtr const> jobs);

 private:
  enum class Verdict { done, again, one_by_one, failed };

  Verdict try_once(std::span<JobPtr const> jobs, std::string& why);
  void run_once(std::span<JobPtr const> jobs);
  void decide_all(std::span<JobPtr const> jobs);

  Writer& writer_;
  Terms const& terms_;
  Clock const& clock_;
  IsCrowded const is_crowded_;
  World world_;
  Outage outage_{"writing"};
};

}  // namespace payonce
