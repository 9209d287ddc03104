#include "store/postgres/postgres_archivist.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "store/postgres/order_loader.h"
#include "store/postgres/row_writer.h"
#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce {

namespace postgres {
namespace {

Parameters arrays_of(std::span<OrderKey const> keys) {
  Columns columns;
  for (OrderKey const& key : keys) columns.add(key.merchant, key.order);
  return columns.parameters();
}

std::vector<OrderKey> keys_of(std::span<ArchivedOrder const> orders) {
  std::vector<OrderKey> keys;
  for (ArchivedOrder const& it : orders) keys.push_back(it.books.order.head.key);
  return keys;
}

class PostgresArchivist final : public Archivist {
 public:
  explicit PostgresArchivist(ConnectionSettings settings)
      : settings_(std::move(settings)), connection_(settings_), orders_(connection_), rows_(connection_) {
    for (auto const& [name, text] : {std::pair{"select_event_places_after", sql::select_event_places_after},
                                     {"select_timeline", sql::select_timeline},
                                     {"select_effects_of_order", sql::select_effects_of_order},
                                     {"select_journal", sql::select_journal},
                                     {"select_notices_of_number", sql::select_notices_of_number},
                                     {"select_archived_at", sql::select_archived_at},
                                     {"select_last_events", sql::select_last_events},
                                     {"insert_events_with_sequence", sql::insert_events_with_sequence},
                                     {"mark_archived", sql::mark_archived},
                                     {"delete_events", sql::delete_events},
                                     {"strip_attempts", sql::strip_attempts},
                                     {"strip_refunds", sql::strip_refunds},
                                     {"strip_captures", sql::strip_captures},
                                     {"strip_notices", sql::strip_notices}})
      connection_.add(name, text);
  }
  ~PostgresArchivist() override { connection_.rollback(); }

  std::vector<OrderKey> aged_orders(Place& place, Time before, std::size_t limit) override {
    connection_.open();
    std::vector<OrderKey> keys;
    for (bool is_behind = false; keys.empty() && !is_behind;) {
      Rows rows = connection_.query("select_event_places_after", place.merchant, place.sequence, limit);
      is_behind = true;
      while (rows.next()) {
        is_behind = false;
        bool const is_aged = rows.time() < before;
        OrderKey key = read_order_key(rows);
        place = {key.merchant, rows.integer()};
        if (is_aged) keys.push_back(std::move(key));
      }
      // A merchant's events stand in the order of their times; what follows is younger.
      if (keys.empty()) place.sequence = std::numeric_limits<std::int64_t>::max();
    }
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    return keys;
  }

  std::vector<ArchivedOrder> read(std::span<OrderKey const> keys) override {
    return in_transaction([&] { return read_locked(keys); });
  }

  std::optional<Time> archived_at(OrderKey const& key) override {
    connection_.open();
    return read_one(connection_.query("select_archived_at", key.merchant, key.order),
                    [](Rows& rows) { return rows.time(); });
  }

  void keep(std::span<ArchivedOrder const> orders) override {
    in_transaction([&] {
      auto const kept = read_locked(keys_of(orders));
      Addition addition;
      for (ArchivedOrder const& it : orders) {
        auto const at = std::ranges::find(kept, it.books.order.head.key,
                                          [](ArchivedOrder const& old) { return old.books.order.head.key; });
        addition.add(it, at == kept.end() ? nullptr : &*at);
      }
      rows_.write(addition.rows);
      Columns events;
      for (auto const& [sequence, it] : addition.events)
        events.add(sequence, it.key.merchant, it.key.order, it.attempt, it.refund, it.type, it.from, it.to,
                   evidence_text(it.evidence), Words{it.actor}, Words{it.code}, Words{it.text}, it.at);
      if (!events.empty()) connection_.queue("insert_events_with_sequence", events.parameters());
      return 0;
    });
  }

  std::size_t set_aside(std::span<ArchivedOrder const> orders, Time now) override {
    return in_transaction([&] {
      // Whoever changes an order has it locked.
      orders_.lock(keys_of(orders));
      auto const rested = unchanged(orders);
      if (rested.empty()) return rested.size();
      Columns marks;
      Columns notices;
      std::vector<OrderKey> keys;
      for (ArchivedOrder const* it : rested) {
        OrderKey const& key = keys.emplace_back(it->books.order.head.key);
        marks.add(key.merchant, key.order, now);
        for (NoticeRow const& notice : it->notices) notices.add(notice.provider, notice.event_id);
      }
      connection_.queue("mark_archived", marks.parameters());
      for (char const* const name : {"delete_events", "strip_attempts", "strip_refunds", "strip_captures"})
        connection_.queue(name, arrays_of(keys));
      if (!notices.empty()) connection_.queue("strip_notices", notices.parameters());
      return rested.size();
    });
  }

 private:
  // A failed one leaves no trace.
  template <class Work>
  std::invoke_result_t<Work&> in_transaction(Work work) {
    connection_.open();
    rows_.begin();
    connection_.queue_text("BEGIN", "BEGIN ISOLATION LEVEL READ COMMITTED");
    try {
      auto result = work();
      connection_.commit();
      return result;
    } catch (...) {
      connection_.rollback();
      throw;
    }
  }

  // With the orders locked, nobody changes what belongs to them meanwhile.
  std::vector<ArchivedOrder> read_locked(std::span<OrderKey const> keys) {
    std::vector<ArchivedOrder> found;
    for (Order& order : orders_.lock(keys)) found.push_back({{std::move(order), {}, {}, {}, {}}, {}});
    if (found.empty()) return found;
    for (ArchivedOrder const& it : found) {
      OrderKey const& key = it.books.order.head.key;
      for (char const* const name :
           {"select_timeline", "select_effects_of_order", "select_journal", "select_archived_at"})
        connection_.queue(name, Parameters::of(key.merchant, key.order));
      for (Attempt const& attempt : it.books.order.attempts)
        connection_.queue("select_notices_of_number", Parameters::of(attempt.id));
    }
    auto results = connection_.run();
    std::size_t next = 0;
    auto const rows = [&] { return Rows{std::move(results[next++])}; };
    for (ArchivedOrder& it : found) {
      it.books.events = read_all(rows(), read_event);
      it.books.effects = read_all(rows(), read_effect);
      it.books.journal = read_all(rows(), read_posting);
      it.books.archived_at = read_one(rows(), [](Rows& row) { return row.time(); });
      for (std::size_t i = 0; i < it.books.order.attempts.size(); ++i)
        for (NoticeRow& notice : read_all(rows(), read_notice)) it.notices.push_back(std::move(notice));
    }
    return found;
  }

  // Those whose timeline still ends where it did when they were read.
  std::vector<ArchivedOrder const*> unchanged(std::span<ArchivedOrder const> orders) {
    std::size_t const place = connection_.queue("select_last_events", arrays_of(keys_of(orders)));
    Rows rows{std::move(connection_.run()[place])};
    std::vector<ArchivedOrder const*> rested;
    while (rows.next()) {
      ArchivedOrder const& it = orders[static_cast<std::size_t>(rows.integer() - 1)];
      if (!it.books.events.empty() && it.books.events.back().sequence == rows.integer()) rested.push_back(&it);
    }
    return rested;
  }

  ConnectionSettings const settings_;
  Connection connection_;
  OrderLoader orders_;
  RowWriter rows_;
};

}  // namespace
}  // namespace postgres

Result<std::unique_ptr<Archivist>> open_postgres_archivist(std::string const& url) {
  auto settings = postgres::ConnectionSettings::parse(url);
  if (!settings) return std::unexpected(settings.error());
  return std::make_unique<postgres::PostgresArchivist>(std::move(*settings));
}

}  // namespace payonce
