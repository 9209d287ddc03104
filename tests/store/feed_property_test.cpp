// The feed under writers that commit side by side on PostgreSQL: whoever follows it misses nothing and sees nothing
// twice, however the commits interleave. For SQLite, which has one writer, the simulator follows the feed.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <thread>

#include "store/postgres/postgres_store.h"
#include "store/rows.h"
#include "support/postgres_server.h"

namespace payonce::test {
namespace {

constexpr int orders = 4;

OrderKey order_number(int n) { return order_key("PA-" + std::to_string(n)); }

// What one writer does: a transaction for each number, whose bits say which orders it locks and tells about.
using Transactions = std::vector<int>;

rc::Gen<std::vector<Transactions>> any_writers() {
  auto const transaction = rc::gen::inRange(1, 1 << orders);
  return rc::gen::resize(
      5, rc::gen::container<std::vector<Transactions>>(3, rc::gen::container<Transactions>(transaction)));
}

class Books {
 public:
  Books() {
    store_ = std::move(*open_postgres(PostgresServer::shared().url(PostgresServer::shared().create_schema())));
    if (auto const migrated = store_->migrate(); !migrated) throw std::runtime_error(migrated.error().detail);
    Changes heads;
    for (int n = 0; n < orders; ++n) heads.add(head_of(order_number(n)));
    auto const writer = store_->open_writer();
    writer->begin();
    writer->write(heads);
    writer->commit();
  }

  Store& store() { return *store_; }
  std::int64_t newest() {
    auto const all = sequences_after(0, 1'000'000);
    return all.empty() ? 0 : all.back();
  }
  std::vector<std::int64_t> sequences_after(std::int64_t after, std::size_t limit) {
    std::vector<std::int64_t> sequences;
    for (StoredEvent const& it : store_->open_reader()->events_after(MerchantId{"shop"}, after, limit))
      sequences.push_back(it.sequence);
    return sequences;
  }

 private:
  std::unique_ptr<Store> store_;
};

// The number of events that it told.
std::size_t write_all(Store& store, Transactions const& transactions) {
  auto const writer = store.open_writer();
  std::size_t told = 0;
  for (int const bits : transactions) {
    Changes events;
    std::vector<OrderKey> keys;
    for (int n = 0; n < orders; ++n)
      if (bits & (1 << n)) keys.push_back(order_number(n));
    for (OrderKey const& key : keys) events.add(event_of(key, "told"));
    writer->begin();
    writer->load_orders(keys);
    writer->write(events);
    writer->commit();
    told += keys.size();
  }
  return told;
}

RC_GTEST_PROP(EventFeed, HasNoGapUnderConcurrentCommits, ()) {
  static Books books;
  auto const writers = *any_writers();
  std::int64_t const start = books.newest();
  std::atomic<std::size_t> told = 0;
  std::atomic<std::size_t> at_work = writers.size();
  std::vector<std::int64_t> followed;
  {
    std::vector<std::jthread> threads;
    for (Transactions const& transactions : writers)
      threads.emplace_back([&] {
        told += write_all(books.store(), transactions);
        --at_work;
      });
    auto const reader = books.store().open_reader();
    for (bool is_last = false; !is_last;) {
      is_last = at_work == 0;
      std::int64_t const cursor = followed.empty() ? start : followed.back();
      for (StoredEvent const& it : reader->events_after(MerchantId{"shop"}, cursor, 3)) {
        followed.push_back(it.sequence);
        is_last = false;
      }
    }
  }
  RC_ASSERT(followed == books.sequences_after(start, 1'000'000));
  RC_ASSERT(followed.size() == told);
}

}  // namespace
}  // namespace payonce::test
