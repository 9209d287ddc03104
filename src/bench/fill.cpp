#include "bench/fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/id.h"
#include "base/random.h"
#include "bench/one_shop.h"
#include "payment/decide.h"

namespace payonce::bench {

namespace {

constexpr std::int64_t payments_per_transaction = 512;
constexpr std::size_t numbers_max = 100'000;

class Filling {
 public:
  Filling(FillOptions const& options, Clock const& clock) : options_(options), clock_(clock), shop_(options.provider) {}

  // The rows of the next payments, in their last state.
  WriteSet next(std::int64_t count) {
    WriteSet rows;
    for (std::int64_t i = 0; i < count; ++i) add_one(rows);
    return rows;
  }
  std::vector<AttemptId> take_numbers() { return std::move(numbers_); }

 private:
  void add_one(WriteSet& rows) {
    Time const now = clock_.now();
    std::string const name = fmt::format("{}-{:08}", options_.run_id, ++orders_);
    BeginAttempt const begin{.key = {MerchantId{"bench"}, OrderId{name}},
                             .attempt = mint_attempt_id(now, random_),
                             .idempotency_key = name,
                             .provider = "",
                             .method = "",
                             .amount_minor = 1999,
                             .currency = "CNY",
                             .metadata = "",
                             .registers_order = true};
    if (numbers_.size() < numbers_max) numbers_.push_back(begin.attempt);
    Changes begun = decide({}, begin, shop_, now).changes;
    Order order{std::move(*begun.head), std::move(begun.attempts), {}};
    std::ranges::move(begun.events, std::back_inserter(rows.events));
    if (options_.as == Filled::unanswered)
      order.attempts[0].due_at = options_.due_at.value_or(now);
    else
      settle(order, rows, now);
    rows.attempts.push_back({order.head.key, std::move(order.attempts[0]), true, order.head.policy});
    rows.heads.push_back({std::move(order.head), true});
  }

  void settle(Order& order, WriteSet& rows, Time now) {
    Answer answer;
    answer.outcome = Outcome::succeeded;
    answer.provider_ref = order.attempts[0].id.value;
    answer.code = "ok";
    Changes paid =
        decide({.order = &order},
               RecordOutcome{order.head.key, order.attempts[0].id, Evidence::response, answer, "", {}}, shop_, now)
            .changes;
    order = {std::move(*paid.head), std::move(paid.attempts), {}};
    for (Effect& it : paid.effects) {
      if (options_.as == Filled::owing) continue;
      it.state = EffectState::delivered;
      it.due_at.reset();
      it.delivered_at = now;
      it.tries = 1;
    }
    std::ranges::move(paid.effects, std::back_inserter(rows.effects));
    std::ranges::move(paid.events, std::back_inserter(rows.events));
    std::ranges::move(paid.postings, std::back_inserter(rows.postings));
  }

  FillOptions const& options_;
  Clock const& clock_;
  OneShop const shop_;
  SystemRandom random_;
  std::vector<AttemptId> numbers_;
  std::int64_t orders_ = 0;
};

}  // namespace

std::vector<AttemptId> fill(Store& store, FillOptions const& options, Clock const& clock) {
  Filling filling{options, clock};
  auto const writer = store.open_writer();
  for (std::int64_t left = options.payments; left > 0; left -= payments_per_transaction) {
    writer->begin();
    writer->write(filling.next(std::min(left, payments_per_transaction)));
    writer->commit();
  }
  return filling.take_numbers();
}

}  // namespace payonce::bench
