// Reads, batched like writes: one thread with one reading connection takes all questions that queued up, and wakes the
// loop once for all their answers. Reads never write.
#pragma once

#include <functional>
#include <memory>

#include "base/loop.h"
#include "store/lane.h"
#include "store/outage.h"
#include "store/store.h"

namespace payonce {

// Shared by all who asked for it at the same time; null if there is no such attempt.
using FoundAttemptPtr = std::shared_ptr<FoundAttempt const>;

class ReadLane {
 public:
  // Both must outlive it. It has a thread of its own, unless it is given turns.
  ReadLane(Store& store, Loop& loop, Turns* turns = nullptr);

  // Runs `question` on the lane's thread and `done` with its value on the loop.
  // Errors: overloaded (queue full), unavailable (the database can't be read).
  template <class Question, class Done>
  void ask(Question question, Done done);

  // Those that are asked for at the same time are read at once: polling and waiting buyers ask for nothing else.
  using AttemptDone = std::move_only_function<void(Result<FoundAttemptPtr> const&)>;
  void find_attempt(AttemptId attempt, AttemptDone done);

  void stop() { lane_.stop(); }

 private:
  struct Job {
    // Either a question, which gives what to do on the loop …
    std::move_only_function<Task(Reader&)> run;
    std::move_only_function<void(Error)> fail;
    // … or an attempt that is asked for.
    AttemptId attempt;
    AttemptDone found;

    void refuse(Error error) { run ? fail(std::move(error)) : found(std::unexpected(std::move(error))); }
  };
  void submit(Job job);
  static void find_attempts(Reader& reader, std::vector<Job>& batch, std::vector<Task>& answers);
  void run_batch(std::vector<Job>& batch);

  Loop& loop_;
  std::unique_ptr<Reader> reader_;
  Outage outage_{"reading"};
  Lane<Job> lane_;  // behind what its thread uses
};

template <class Question, class Done>
void ReadLane::ask(Question question, Done done) {
  using Value = std::invoke_result_t<Question&, Reader&>;
  // Both halves of the job end in the same callback; only one of them runs.
  auto const shared = std::make_shared<Done>(std::move(done));
  submit({[question = std::move(question), shared](Reader& reader) mutable -> Task {
            return [value = question(reader), shared]() mutable { (*shared)(Result<Value>{std::move(value)}); };
          },
          [shared](Error error) { (*shared)(Result<Value>{std::unexpected(std::move(error))}); },
          {},
          {}});
}

}  // namespace payonce
