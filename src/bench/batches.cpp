#include "bench/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/id.h"
#include "base/random.h"
#include "bench/one_shop.h"
#include "store/batch.h"

namespace payonce::bench {

namespace {

class Batches {
 public:
  Batches(Store& store, BatchOptions const& options, Clock const& clock)
      : options_(options), clock_(clock), writer_(store.open_writer()), runner_(*writer_, shop_, clock) {}

  // How many of them are paid.
  std::int64_t pay() {
    std::vector<BatchRunner::JobPtr> begun;
    std::vector<BatchRunner::JobPtr> settled;
    for (int i = 0; i < options_.payments; ++i) {
      BeginAttempt const begin = next();
      Answer answer;
      answer.outcome = Outcome::succeeded;
      answer.provider_ref = begin.attempt.value;
      answer.code = "ok";
      settled.push_back(job(RecordOutcome{begin.key, begin.attempt, Evidence::response, answer, "", std::nullopt}));
      begun.push_back(job(begin));
    }
    runner_.run(begun);
    runner_.run(settled);
    return std::ranges::count_if(settled, [](BatchRunner::JobPtr const& job) {
      return job->result && job->result->reply && job->result->reply->attempt->state == AttemptState::succeeded;
    });
  }

 private:
  BeginAttempt next() {
    std::string const order = fmt::format("{}-{:08}", options_.run_id, ++orders_);
    return {.key = {MerchantId{"bench"}, OrderId{order}},
            .attempt = mint_attempt_id(clock_.now(), random_),
            .idempotency_key = order,
            .provider = "",
            .method = "",
            .amount_minor = 1999,
            .currency = "CNY",
            .metadata = "",
            .registers_order = true};
  }

  static BatchRunner::JobPtr job(Command command) {
    auto made = std::make_unique<Committer::Job>();
    made->command = std::move(command);
    return made;
  }

  BatchOptions const& options_;
  Clock const& clock_;
  OneShop const shop_;
  SystemRandom random_;
  std::unique_ptr<Writer> writer_;
  BatchRunner runner_;
  std::int64_t orders_ = 0;
};

}  // namespace

LoadResult run_batches(Store& store, BatchOptions const& options, Clock const& clock,
                       std::function<void()> const& on_measuring) {
  Batches batches{store, options, clock};
  LoadResult result;
  auto const run_for = [&](Millis duration) {
    auto const start = clock.monotonic();
    for (auto now = start; now - start < duration;) {
      std::int64_t const paid = batches.pay();
      result.answers += paid;
      result.unexpected += options.payments - paid;
      auto const end = clock.monotonic();
      result.answer_us.push_back(static_cast<std::uint32_t>((end - now).count() / 1000));
      now = end;
    }
    result.measured = clock.monotonic() - start;
  };
  run_for(options.warm_up);
  on_measuring();
  result = {};
  run_for(options.duration);
  std::ranges::sort(result.answer_us);
  return result;
}

}  // namespace payonce::bench
