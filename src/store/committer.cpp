#include "store/committer.h"

#include <cstdlib>
#include <functional>

#include "base/limits.h"
#include "base/log.h"
#include "base/overloaded.h"
#include "store/batch.h"

namespace payonce {

namespace {

using Batch = std::vector<BatchRunner::JobPtr>;

// Batches that wait for the disk at once; the next one waits with its commit.
constexpr std::size_t unflushed_batches_max = 8;

void answer(Committer::Job& job) {
  if (job.command) {
    job.done(std::move(job.result));
  } else if (job.result) {
    job.work_done({});
  } else {
    job.work_done(std::unexpected(job.result.error()));
  }
}

// One post for all: waking the loop costs more than running the callbacks.
void post_answers(Loop& loop, std::vector<Batch> batches) {
  loop.post([batches = std::move(batches)] {
    for (Batch const& batch : batches)
      for (auto const& job : batch) answer(*job);
  });
}

// What others may have seen is not on the disk and can't be brought there: only a new start tells what is left.
void make_durable_or_die(Syncer& syncer) try { syncer.make_durable(); } catch (StoreError const& error) {
  log_critical("stopping at once, since commits can't be made durable: {}", error.what());
  std::abort();
}

// What came of a call, and recovery's next step: refusing them would only make more work later. All else comes from
// callers who wait and can come again.
bool ends_what_has_begun(Command const& command) {
  return std::visit(
      Overloaded{[](RecordOutcome const&) { return true; }, [](RecordRefundOutcome const&) { return true; },
                 [](RecordCaptureOutcome const&) { return true; }, [](TakeUpAttempt const&) { return true; },
                 [](TakeUpRefund const&) { return true; }, [](TakeUpCapture const&) { return true; },
                 [](ExpireOrder const&) { return true; }, [](auto const&) { return false; }},
      command);
}

}  // namespace

// One lane: a connection and the thread that owns it. Where the database can part them, a second thread makes commits
// durable and answers, while the first runs the next batch.
class Committer::LaneState {
 public:
  LaneState(Store& store, Terms const& terms, Clock const& clock, Loop& loop, Turns* turns, IsCrowded const& is_crowded)
      : writer_(store.open_writer()),
        syncer_(writer_->defer_durability()),
        runner_(*writer_, terms, clock, is_crowded),
        flush_lane_(
            unflushed_batches_max, unflushed_batches_max,
            [this, &loop](std::vector<Batch>& batches) {
              make_durable_or_die(*syncer_);
              post_answers(loop, std::move(batches));
            },
            turns),
        lane_(
            limits::queue_commands_max, limits::batch_commands_max,
            [this, &loop](Batch& batch) {
              runner_.run(batch);
              // A batch of replays and refusals, when all they saw is durable already, has nothing to wait for.
              if (syncer_ && !syncer_->is_durable()) return flush_lane_.submit_when_room(std::move(batch));
              std::vector<Batch> one;
              one.push_back(std::move(batch));
              post_answers(loop, std::move(one));
            },
            turns, &clock, store.good_batch()) {
    // What a process that died has committed can be read from the start, so that it must be durable by then.
    if (syncer_) make_durable_or_die(*syncer_);
  }

  bool submit(BatchRunner::JobPtr& job) {
    bool const ends_something = !job->command || ends_what_has_begun(*job->command);
    return lane_.submit(job, ends_something ? Admission::if_room : Admission::if_soon);
  }
  void stop() {
    lane_.stop();
    flush_lane_.stop();
  }

 private:
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Syncer> syncer_;  // null if commits are durable by themselves
  BatchRunner runner_;
  // Behind what their threads use.
  Lane<Batch> flush_lane_;
  Lane<BatchRunner::JobPtr> lane_;
};

namespace {

// One order is always in one lane of a node. Commands that know only an attempt's number take that instead; the order's
// lock in the database keeps them apart from the others.
std::size_t route(Command const& command) {
  if (auto const* notice = std::get_if<ApplyNotice>(&command)) return std::hash<std::string>{}(notice->number);
  if (auto const* cancel = std::get_if<CancelAttempt>(&command)) return std::hash<AttemptId>{}(cancel->attempt);
  if (auto const* refund = std::get_if<BeginRefund>(&command)) return std::hash<AttemptId>{}(refund->attempt);
  if (auto const* capture = std::get_if<BeginCapture>(&command)) return std::hash<AttemptId>{}(capture->attempt);
  return std::visit(
      [](auto const& other) -> std::size_t {
        if constexpr (requires { other.key.order; }) return std::hash<OrderId>{}(other.key.order);
        return 0;
      },
      command);
}

}  // namespace

Committer::Committer(Store& store, Terms const& terms, Clock const& clock, Loop& loop, Turns* turns,
                     IsCrowded const& is_crowded)
    : loop_(loop) {
  for (std::size_t i = 0; i < store.writer_lanes(); ++i)
    lanes_.push_back(std::make_unique<LaneState>(store, terms, clock, loop, turns, is_crowded));
}

Committer::~Committer() { stop(); }

void Committer::submit(Command command, CommitDone done) {
  std::size_t const lane = lanes_.size() == 1 ? 0 : route(command) % lanes_.size();
  auto job = std::make_unique<Job>();
  job->command = std::move(command);
  job->done = std::move(done);
  submit_job(lane, std::move(job));
}

void Committer::submit_work(Work work, WorkDone done) {
  auto job = std::make_unique<Job>();
  job->work = std::move(work);
  job->work_done = std::move(done);
  submit_job(0, std::move(job));
}

void Committer::submit_job(std::size_t lane, std::unique_ptr<Job> job) {
  if (lanes_[lane]->submit(job)) return;
  job->result = fail(ErrorCode::overloaded, "Too many requests are waiting; repeat the same request in a second");
  loop_.post([job = std::move(job)] { answer(*job); });
}

void Committer::stop() {
  for (auto& lane : lanes_) lane->stop();
}

}  // namespace payonce
