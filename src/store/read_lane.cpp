#include "store/read_lane.h"

#include <map>
#include <set>

#include "base/limits.h"

namespace payonce {

ReadLane::ReadLane(Store& store, Loop& loop, Turns* turns)
    : loop_(loop),
      reader_(store.open_reader()),
      lane_(
          limits::queue_commands_max, limits::batch_commands_max, [this](std::vector<Job>& batch) { run_batch(batch); },
          turns) {}

void ReadLane::find_attempt(AttemptId attempt, AttemptDone done) {
  auto const shared = std::make_shared<AttemptDone>(std::move(done));
  submit({{},
          [shared](Error error) { (*shared)(std::unexpected(std::move(error))); },
          std::move(attempt),
          [shared](Result<std::optional<FoundAttempt>> found) { (*shared)(std::move(found)); }});
}

void ReadLane::submit(Job job) {
  if (lane_.submit(job)) return;
  loop_.post([fail = std::move(job.fail)]() mutable {
    fail({ErrorCode::overloaded, "Too many requests are waiting; repeat the same request in a second"});
  });
}

void ReadLane::find_attempts(Reader& reader, std::vector<Job>& batch, std::vector<Task>& answers) {
  std::set<AttemptId> distinct;
  for (Job const& job : batch)
    if (!job.run) distinct.insert(job.attempt);
  if (distinct.empty()) return;
  std::vector<AttemptId> const ids{distinct.begin(), distinct.end()};
  std::map<AttemptId, FoundAttempt> found;
  for (FoundAttempt& it : reader.find_attempts(ids)) {
    AttemptId id = it.attempt.id;
    found.emplace(std::move(id), std::move(it));
  }
  for (Job& job : batch) {
    if (job.run) continue;
    auto const at = found.find(job.attempt);
    std::optional<FoundAttempt> answer;
    if (at != found.end()) answer = at->second;
    answers.push_back([done = std::move(job.found), answer = std::move(answer)]() mutable { done(std::move(answer)); });
  }
}

void ReadLane::run_batch(std::vector<Job>& batch) {
  std::vector<Task> answers;
  bool is_away = false;
  auto const fail = [&](Job& job, std::exception const& error) {
    is_away = true;
    outage_.is_away(error.what());
    answers.push_back([fail = std::move(job.fail)]() mutable {
      fail({ErrorCode::unavailable, "The database can't be read; repeat the same request later"});
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
