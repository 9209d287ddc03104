#include "store/batch.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "store/world.h"

namespace payonce {

namespace {

using Job = Committer::Job;

// Conflicts are between transactions of other lanes, nodes or processes; each round at least one of them gets through.
constexpr int tries_max = 12;

void decide_all(World& world, Terms const& terms, Time now, std::span<Job> jobs) {
  for (Job& job : jobs) {
    if (!job.command) continue;
    OrderKey const key = world.key_of(*job.command);
    Decision decision = decide(world.situation_of(*job.command), *job.command, terms, now);
    world.apply(key, decision.changes);
    Committed committed{std::move(decision.reply), std::move(decision.calls), {}};
    for (Attempt& attempt : decision.changes.attempts) committed.changed.push_back({key, std::move(attempt)});
    job.result = std::move(committed);
  }
}

// One transaction over all jobs. Throws what the store throws.
void run_once(Writer& writer, Terms const& terms, Time now, std::span<Job> jobs) {
  std::vector<Command const*> commands;
  for (Job const& job : jobs)
    if (job.command) commands.push_back(&*job.command);

  writer.begin();
  bool has_written = false;
  if (!commands.empty()) {
    World world{writer, commands};
    decide_all(world, terms, now, jobs);
    WriteSet const changes = world.write_set();
    has_written = !changes.empty();
    if (has_written) writer.write(changes);
  }
  for (Job& job : jobs) {
    if (job.command) continue;
    job.work(writer);
    job.result = Committed{};
    has_written = true;
  }
  // A batch of replays and refusals has nothing to make durable.
  if (has_written)
    writer.commit();
  else
    writer.rollback();
}

void fail_all(std::span<Job> jobs, Error const& error) {
  for (Job& job : jobs) job.result = std::unexpected(error);
}

enum class Verdict { done, again, one_by_one, failed };

Verdict try_once(Writer& writer, Terms const& terms, Time now, std::span<Job> jobs, std::string& why) {
  try {
    run_once(writer, terms, now, jobs);
    return Verdict::done;
  } catch (StoreError const& error) {
    writer.rollback();
    why = error.what();
    switch (error.kind) {
      case StoreError::Kind::conflict:
      case StoreError::Kind::in_doubt: return Verdict::again;
      case StoreError::Kind::refused: return Verdict::one_by_one;
      case StoreError::Kind::unavailable: return Verdict::failed;
    }
    return Verdict::failed;
  } catch (std::exception const& error) {
    writer.rollback();
    why = error.what();
    return Verdict::one_by_one;
  }
}

}  // namespace

void run_batch(Writer& writer, Terms const& terms, Clock const& clock, std::span<Job> jobs) {
  std::string why;
  for (int i = 0; i < tries_max; ++i) {
    switch (try_once(writer, terms, clock.now(), jobs, why)) {
      case Verdict::done: return;
      case Verdict::again: continue;
      case Verdict::failed:
        spdlog::error("database unavailable, {} jobs refused: {}", jobs.size(), why);
        return fail_all(jobs, {ErrorCode::unavailable, "The database can't be reached; repeat the same request later"});
      case Verdict::one_by_one:
        if (jobs.size() == 1) {
          spdlog::error("job can't be committed: {}", why);
          return fail_all(jobs, {ErrorCode::internal, "The request could not be stored; nothing was changed"});
        }
        for (Job& job : jobs) run_batch(writer, terms, clock, {&job, 1});
        return;
    }
  }
  spdlog::error("{} jobs met conflicts {} times, given up for now: {}", jobs.size(), tries_max, why);
  fail_all(jobs, {ErrorCode::unavailable, "The database is too busy; repeat the same request later"});
}

}  // namespace payonce
