// The only way to change anything: commands go in, committed replies come out. A lane takes all commands that queued up
// while its last transaction was committing and runs them as one transaction; see docs/internals/committer.md.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/loop.h"
#include "payment/decision.h"
#include "payment/terms.h"
#include "store/lane.h"
#include "store/store.h"

namespace payonce {

// What a command's commit brought.
struct Committed {
  std::expected<Reply, Refusal> reply;
  std::vector<ProviderCall> calls;  // to be made now, by whoever submitted the command
  std::vector<Attempt> changed;
  std::vector<Refund> changed_refunds;
  std::vector<Capture> changed_captures;
};

// Errors: overloaded (too much waits; nothing was done), unavailable (the database can't be reached: nothing was
// done, or repeating the command finds what was done), internal (this command can't be committed; logged).
using CommitDone = std::move_only_function<void(Result<Committed>)>;

// Whether so many calls to the provider wait already that nothing new may begin there. Any thread.
using IsCrowded = std::function<bool(std::string_view provider)>;

class Committer {
 public:
  // All must outlive the committer. Its lanes have threads of their own, unless they are given turns. Without
  // `is_crowded` no provider ever is.
  Committer(Store& store, Terms const& terms, Clock const& clock, Loop& loop, Turns* turns = nullptr,
            IsCrowded const& is_crowded = {});
  ~Committer();

  // `done` runs on the loop once the command's transaction is durable, or has failed. Any thread.
  void submit(Command command, CommitDone done);

  // Other writes (deliveries, API keys) inside the same transactions. `work` may run several times and must only use
  // the writer; `done` runs on the loop.
  using Work = std::move_only_function<void(Writer&)>;
  using WorkDone = std::move_only_function<void(Result<void>)>;
  void submit_work(Work work, WorkDone done);

  // Commits what is queued, posts the last replies, ends the threads. May be called twice.
  void stop();

  struct Job {
    std::optional<Command> command;  // either a command …
    CommitDone done;
    Work work;  // … or other work
    WorkDone work_done;
    Result<Committed> result = fail(ErrorCode::internal, "not run");
  };

 private:
  class LaneState;
  void submit_job(std::size_t lane, std::unique_ptr<Job> job);

  Loop& loop_;
  std::vector<std::unique_ptr<LaneState>> lanes_;
};

}  // namespace payonce
