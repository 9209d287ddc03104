#include "store/committer.h"

#include <functional>

#include "base/limits.h"
#include "store/batch.h"

namespace payonce {

// One lane: a connection and the thread that owns it.
class Committer::LaneState {
 public:
  LaneState(Store& store, Terms const& terms, Clock const& clock, Loop& loop)
      : writer_(store.open_writer()),
        lane_(limits::queue_commands_max, limits::batch_commands_max, [this, &terms, &clock, &loop](auto& batch) {
          run_batch(*writer_, terms, clock, batch);
          // One post for all: waking the loop costs more than running the callbacks.
          loop.post([jobs = std::move(batch)]() mutable {
            for (Job& job : jobs) answer(job);
          });
        }) {}

  bool submit(Job& job) { return lane_.submit(job); }
  void stop() { lane_.stop(); }

  static void answer(Job& job) {
    if (job.command) {
      job.done(std::move(job.result));
    } else if (job.result) {
      job.work_done({});
    } else {
      job.work_done(std::unexpected(job.result.error()));
    }
  }

 private:
  std::unique_ptr<Writer> writer_;
  Lane<Job> lane_;  // after the writer, which its thread uses
};

namespace {

// One order is always in one lane of a node. Commands that know only an attempt's number take that instead; the order's
// lock in the database keeps them apart from the others.
std::size_t route(Command const& command) {
  if (auto const* notice = std::get_if<ApplyNotice>(&command)) return std::hash<std::string>{}(notice->number);
  if (auto const* cancel = std::get_if<CancelAttempt>(&command)) return std::hash<AttemptId>{}(cancel->attempt);
  return std::visit(
      [](auto const& other) -> std::size_t {
        if constexpr (requires { other.key.order; }) return std::hash<OrderId>{}(other.key.order);
        return 0;
      },
      command);
}

}  // namespace

Committer::Committer(Store& store, Terms const& terms, Clock const& clock, Loop& loop) : loop_(loop) {
  for (std::size_t i = 0; i < store.writer_lanes(); ++i)
    lanes_.push_back(std::make_unique<LaneState>(store, terms, clock, loop));
}

Committer::~Committer() { stop(); }

void Committer::submit(Command command, CommitDone done) {
  std::size_t const lane = lanes_.size() == 1 ? 0 : route(command) % lanes_.size();
  Job job;
  job.command = std::move(command);
  job.done = std::move(done);
  submit_job(lane, std::move(job));
}

void Committer::submit_work(Work work, WorkDone done) {
  Job job;
  job.work = std::move(work);
  job.work_done = std::move(done);
  submit_job(0, std::move(job));
}

void Committer::submit_job(std::size_t lane, Job job) {
  if (lanes_[lane]->submit(job)) return;
  job.result = fail(ErrorCode::overloaded, "Too many requests are waiting; repeat the same request in a second");
  loop_.post([job = std::move(job)]() mutable { LaneState::answer(job); });
}

void Committer::stop() {
  for (auto& lane : lanes_) lane->stop();
}

}  // namespace payonce
