#include "worker/workers.h"

#include <algorithm>

#include "engine/receive_notice.h"
#include "engine/reconcile.h"
#include "engine/resolve.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

// A round takes no more than one batch of the committer holds well beside requests.
constexpr std::size_t round_max = 256;
// In flight per target are two rounds, so that one is claimed or recorded while the other is on the wire: enough for a
// fast receiver, few enough that a slow one ties up little. Smaller rounds cost more transactions.
constexpr std::size_t round_deliveries_max = 64;
constexpr std::size_t delivery_rounds_max = 2;
constexpr Millis resolve_pause = 200ms;
constexpr Millis deliver_pause = 200ms;
constexpr Millis notice_pause = 1s;
constexpr Millis gauge_pause = 5s;
// Statements come once a day; one that is late or can't be had is asked for again.
constexpr Millis statement_pause = 15min;

}  // namespace

Workers::Workers(Engine& engine, HttpClient& http, std::vector<Merchant> const& merchants,
                 std::vector<Merchant> const& to_deliver)
    : engine_(engine) {
  auto const until_full = [](std::size_t max, std::move_only_function<void(bool)> next) {
    return [max, next = std::move(next)](std::size_t count) mutable { next(count >= max); };
  };
  add(resolve_pause,
      [this, until_full](auto next) { resolve_due(engine_, round_max, until_full(round_max, std::move(next))); });
  add(notice_pause, [this, until_full](auto next) {
    retry_unmatched_notices(engine_, round_max, until_full(round_max, std::move(next)));
  });
  add(statement_pause, [this, &merchants](auto next) {
    reconcile_due(engine_, merchants, [next = std::move(next)]() mutable { next(false); });
  });
  for (Merchant const& merchant : to_deliver)
    for (EffectTarget const& target : merchant.effects) add_delivery(http, merchant.id, target);
  add(gauge_pause, [this](auto next) {
    engine_.parts().reads.ask([](Reader& reader) { return reader.backlog(); },
                              [this, next = std::move(next)](Result<Reader::Backlog> const& backlog) mutable {
                                if (backlog) engine_.parts().metrics.backlog(*backlog, engine_.parts().clock.now());
                                next(false);
                              });
  });
}

Workers::~Workers() {
  // A round that waits for room holds its worker, and the worker holds the rounds.
  for (auto const& rounds : deliveries_) rounds->give_up();
}

void Workers::add(Millis pause, Periodic::RunOnce run_once) {
  all_.push_back(std::make_unique<Periodic>(engine_.parts().loop, pause, std::move(run_once)));
}

void Workers::add_delivery(HttpClient& http, MerchantId const& merchant, EffectTarget const& target) {
  auto const rounds = std::make_shared<Overlap>(delivery_rounds_max);
  deliveries_.push_back(rounds);
  add(deliver_pause, [this, &http, &merchant, &target, rounds](auto next) {
    rounds->begin();
    auto claimed = [rounds, next = std::move(next)](std::size_t count) mutable {
      rounds->when_room([next = std::move(next), count]() mutable { next(count >= round_deliveries_max); });
    };
    deliver_due(engine_, http, merchant, target, round_deliveries_max, std::move(claimed), [rounds] { rounds->end(); });
  });
}

void Workers::start() {
  for (auto const& worker : all_) worker->start();
}

void Workers::stop() {
  for (auto const& worker : all_) worker->stop();
}

bool Workers::is_busy() const {
  return std::ranges::any_of(all_, [](auto const& worker) { return worker->is_running_a_round(); }) ||
         std::ranges::any_of(deliveries_, [](auto const& rounds) { return rounds->is_busy(); });
}

}  // namespace payonce
