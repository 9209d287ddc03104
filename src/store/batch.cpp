#include "store/batch.h"

#include <fmt/format.h>

#include "base/log.h"

namespace payonce {

namespace {

using JobPtr = BatchRunner::JobPtr;

// Conflicts are between transactions of other lanes, nodes or processes; each round at least one of them gets through.
constexpr int tries_max = 12;

void fail_all(std::span<JobPtr const> jobs, Error const& error) {
  for (JobPtr const& job : jobs) job->result = std::unexpected(error);
}

// The provider that the decision begins something at: a payment, refund or capture that was not there before. Empty if
// it begins nothing.
std::string_view begins_at(Decision const& decision) {
  Changes const& changes = decision.changes;
  bool const is_new = decision.reply && decision.reply->kind == ReplyKind::created &&
                      (!changes.attempts.empty() || !changes.refunds.empty() || !changes.captures.empty());
  return is_new && !decision.calls.empty() ? decision.calls.front().attempt.provider : std::string_view{};
}

Decision too_crowded(std::string_view provider) {
  Decision decision;
  decision.reply = std::unexpected(
      Refusal{{ErrorCode::overloaded,
               fmt::format("Provider {} does not keep up: too many calls to it are waiting. Nothing was begun; repeat "
                           "the same request in a second",
                           provider),
               "provider"}});
  return decision;
}

}  // namespace

void BatchRunner::run(std::span<JobPtr const> jobs) {
  std::string why;
  for (int i = 0; i < tries_max; ++i) {
    switch (try_once(jobs, why)) {
      case Verdict::done: return outage_.is_back();
      case Verdict::again: continue;
      case Verdict::failed:
        outage_.is_away(why);
        return fail_all(jobs, {ErrorCode::unavailable, "The database can't be reached; repeat the same request later"});
      case Verdict::one_by_one:
        if (jobs.size() == 1) {
          log_error("job can't be committed: {}", why);
          return fail_all(jobs, {ErrorCode::internal, "The request could not be stored; nothing was changed"});
        }
        for (JobPtr const& job : jobs) run({&job, 1});
        return;
    }
  }
  log_error("{} jobs met conflicts {} times, given up for now: {}", jobs.size(), tries_max, why);
  fail_all(jobs, {ErrorCode::unavailable, "The database is too busy; repeat the same request later"});
}

BatchRunner::Verdict BatchRunner::try_once(std::span<JobPtr const> jobs, std::string& why) {
  try {
    run_once(jobs);
    return Verdict::done;
  } catch (StoreError const& error) {
    writer_.rollback();
    world_.forget();
    why = error.what();
    switch (error.kind) {
      case StoreError::Kind::conflict:
      case StoreError::Kind::in_doubt: return Verdict::again;
      case StoreError::Kind::refused: return Verdict::one_by_one;
      case StoreError::Kind::unavailable: return Verdict::failed;
    }
    return Verdict::failed;
  } catch (std::exception const& error) {
    writer_.rollback();
    world_.forget();
    why = error.what();
    return Verdict::one_by_one;
  }
}

// One transaction over all jobs. Throws what the store throws.
void BatchRunner::run_once(std::span<JobPtr const> jobs) {
  std::vector<Command const*> commands;
  for (JobPtr const& job : jobs)
    if (job->command) commands.push_back(&*job->command);

  writer_.begin();
  world_.open(writer_, commands);
  decide_all(jobs);
  WriteSet const changes = world_.take_write_set();
  bool has_written = !changes.empty();
  if (has_written) writer_.write(changes);
  for (JobPtr const& job : jobs) {
    if (job->command) continue;
    job->work(writer_);
    job->result = Committed{};
    has_written = true;
  }
  // A batch of replays and refusals has nothing to make durable.
  if (has_written)
    writer_.commit();
  else
    writer_.rollback();
  world_.settle();
}

void BatchRunner::decide_all(std::span<JobPtr const> jobs) {
  Time const now = clock_.now();
  for (JobPtr const& job : jobs) {
    if (!job->command) continue;
    Decision decision = decide(world_.situation_of(*job->command), *job->command, terms_, now);
    if (auto const provider = begins_at(decision); is_crowded_ && !provider.empty() && is_crowded_(provider))
      decision = too_crowded(std::string{provider});
    job->result = Committed{std::move(decision.reply), std::move(decision.calls), decision.changes.attempts,
                            decision.changes.refunds, decision.changes.captures};
    world_.apply(world_.key_of(*job->command), std::move(decision.changes));
  }
}

}  // namespace payonce
