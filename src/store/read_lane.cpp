#include "store/read_lane.h"

#include <spdlog/spdlog.h>

#include "base/limits.h"

namespace payonce {

ReadLane::ReadLane(Store& store, Loop& loop)
    : loop_(loop),
      reader_(store.open_reader()),
      lane_(limits::queue_commands_max, limits::batch_commands_max,
            [this](std::vector<Job>& batch) { run_batch(*reader_, loop_, batch); }) {}

void ReadLane::submit(Job job) {
  if (lane_.submit(job)) return;
  loop_.post([fail = std::move(job.fail)]() mutable {
    fail({ErrorCode::overloaded, "Too many requests are waiting; repeat the same request in a second"});
  });
}

void ReadLane::run_batch(Reader& reader, Loop& loop, std::vector<Job>& batch) {
  std::vector<Task> answers;
  for (Job& job : batch) {
    try {
      answers.push_back(job.run(reader));
    } catch (std::exception const& error) {
      spdlog::error("read failed: {}", error.what());
      answers.push_back([fail = std::move(job.fail)]() mutable {
        fail({ErrorCode::unavailable, "The database can't be read; repeat the same request later"});
      });
    }
  }
  reader.wait_until_durable();
  loop.post([answers = std::move(answers)]() mutable {
    for (Task& answer : answers) answer();
  });
}

}  // namespace payonce
