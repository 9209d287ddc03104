#include "store/read_lane.h"

#include <map>
#include <ranges>

#include "base/limits.h"

namespace payonce {

ReadLane::ReadLane(Store& store, Loop& loop, Turns* turns)
    : loop_(loop),
      reader_(store.open_reader()),
      lane_(
          limits::queue_commands_max, limits::batch_commands_max, [this](std::vector<Job>& batch) { run_batch(batch); },
          turns) {}

void ReadLane::find_attempt(AttemptId attempt, AttemptDone done) {
  submit({{}, {}, std::move(attempt), std::move(done)});
}

void ReadLane::submit(Job job) {
  if (lane_.submit(job)) return;
  loop_.post([job = std::move(job)]() mutable {
    job.refuse({ErrorCode::overloaded, "Too many requests are waiting; repeat the same request in a second"});
  });
}

void ReadLane::find_attempts(Reader& reader, std::vector<Job>& batch, std::vector<Task>& answers) {
  std::map<AttemptId, FoundAttemptPtr> found;
  for (Job const& job : batch)
    if (!job.run) found.try_emplace(job.attempt);
  if (found.empty()) return;
  auto const asked = std::views::keys(found);
  std::vector<AttemptId> const ids{asked.begin(), asked.end()};
  for (FoundAttempt& it : reader.find_attempts(ids)) {
    FoundAttemptPtr& place = found[it.attempt.id];
    place = std::make_shared<FoundAttempt const>(std::move(it));
  }
  for (Job& job : batch)
    if (!job.run)
      answers.push_back(
          [done = std::move(job.found), answer = found[job.attempt]]() mutable { done(std::move(answer)); });
}

void ReadLane::run_batch(std::vector<Job>& batch) {
  std::vector<Task> answers;
  bool is_away = false;
  auto const fail = [&](Job& job, std::exception const& error) {
    is_away = true;
    outage_.is_away(error.what());
    answers.push_back([job = std::move(job)]() mutable {
      job.refuse({ErrorCode::unavailable, "The database can't be read; repeat the same request later"});
    });
  };
  try {
    find_attempts(*reader_, batch, answers);
  } catch (std::exception const& error) {
    for (Job& job : batch)
      if (!job.run) fail(job, error);
  }
  for (Job& job : batch) {
    if (!job.run) continue;
    try {
      answers.push_back(job.run(*reader_));
    } catch (std::exception const& error) {
      fail(job, error);
    }
  }
  if (!is_away) outage_.is_back();
  reader_->wait_until_durable();
  loop_.post([answers = std::move(answers)]() mutable {
    for (Task& answer : answers) answer();
  });
}

}  // namespace payonce
