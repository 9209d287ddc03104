#include "store/sqlite/sqlite_archivist.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "store/read_rows.h"
#include "store/sqlite/order_loader.h"
#include "store/sqlite/row_writer.h"
#include "store/sqlite/sql.gen.h"
#include "store/sqlite/statement.h"

namespace payonce {

namespace sqlite {
namespace {

// After so many transactions the log is copied into the file; some megabytes of it, and nobody waits for that.
constexpr int transactions_per_checkpoint = 16;

class SqliteArchivist final : public Archivist {
 public:
  explicit SqliteArchivist(std::string const& path)
      : connection_(path, Connection::Use::write),
        orders_(connection_),
        rows_(connection_),
        select_event_places_after_(connection_, "select_event_places_after", sql::select_event_places_after),
        select_timeline_(connection_, "select_timeline", sql::select_timeline),
        select_effects_of_order_(connection_, "select_effects_of_order", sql::select_effects_of_order),
        select_journal_(connection_, "select_journal", sql::select_journal),
        select_notices_of_number_(connection_, "select_notices_of_number", sql::select_notices_of_number),
        select_archived_at_(connection_, "select_archived_at", sql::select_archived_at),
        select_order_row_(connection_, "select_order_row", sql::select_order_row),
        select_last_event_(connection_, "select_last_event", sql::select_last_event),
        insert_event_with_sequence_(connection_, "insert_event_with_sequence", sql::insert_event_with_sequence),
        mark_archived_(connection_, "mark_archived", sql::mark_archived),
        delete_events_(connection_, "delete_events", sql::delete_events),
        strip_attempts_(connection_, "strip_attempts", sql::strip_attempts),
        strip_refunds_(connection_, "strip_refunds", sql::strip_refunds),
        strip_captures_(connection_, "strip_captures", sql::strip_captures),
        strip_notice_(connection_, "strip_notice", sql::strip_notice) {}

  std::vector<OrderKey> aged_orders(Place& place, Time before, std::size_t limit) override {
    std::vector<OrderKey> keys;
    Rows rows = select_event_places_after_.query(place.sequence, limit);
    while (rows.next()) {
      bool const is_aged = rows.time() < before;
      OrderKey key = read_order_key(rows);
      place.sequence = rows.integer();
      if (is_aged) keys.push_back(std::move(key));
    }
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    return keys;
  }

  std::vector<ArchivedOrder> read(std::span<OrderKey const> keys) override {
    return in_transaction("BEGIN", [&] { return read_now(keys); });
  }

  std::optional<Time> archived_at(OrderKey const& key) override {
    return read_one(select_archived_at_.query(key.merchant, key.order), [](Rows& rows) { return rows.time(); });
  }

  void keep(std::span<ArchivedOrder const> orders) override {
    in_transaction("BEGIN IMMEDIATE", [&] {
      Addition addition;
      for (ArchivedOrder const& it : orders) {
        auto const kept = read_now({&it.books.order.head.key, 1});
        addition.add(it, kept.empty() ? nullptr : &kept.front());
      }
      rows_.write(addition.rows);
      for (auto const& [sequence, it] : addition.events)
        insert_event_with_sequence_.run(sequence, it.key.merchant, it.key.order, it.attempt, it.refund, it.type,
                                        it.from, it.to, evidence_text(it.evidence), it.actor, it.code, it.text, it.at);
      return 0;
    });
    copy_log_now_and_then();
  }

  std::size_t set_aside(std::span<ArchivedOrder const> orders, Time now) override {
    auto const count = in_transaction("BEGIN IMMEDIATE", [&] {
      return std::size_t(
          std::ranges::count_if(orders, [&](ArchivedOrder const& it) { return set_aside_one(it, now); }));
    });
    copy_log_now_and_then();
    return count;
  }

 private:
  // A failed one leaves no trace.
  template <class Work>
  std::invoke_result_t<Work&> in_transaction(char const* begin, Work work) {
    connection_.execute(begin);
    try {
      auto result = work();
      connection_.execute("COMMIT");
      return result;
    } catch (...) {
      rows_.forget();
      if (connection_.in_transaction()) connection_.execute("ROLLBACK");
      throw;
    }
  }

  std::vector<ArchivedOrder> read_now(std::span<OrderKey const> keys) {
    std::vector<ArchivedOrder> found;
    for (OrderKey const& key : keys) {
      auto order = orders_.load(key);
      if (!order) continue;
      ArchivedOrder& it = found.emplace_back(ArchivedOrder{
          {std::move(*order),
           read_all(select_timeline_.query(key.merchant, key.order), [](Rows& rows) { return read_event(rows); }),
           read_all(select_effects_of_order_.query(key.merchant, key.order),
                    [](Rows& rows) { return read_effect(rows); }),
           read_all(select_journal_.query(key.merchant, key.order), read_posting), archived_at(key)},
          {}});
      for (Attempt const& attempt : it.books.order.attempts)
        for (NoticeRow& notice : read_all(select_notices_of_number_.query(attempt.id), read_notice))
          it.notices.push_back(std::move(notice));
    }
    return found;
  }

  bool set_aside_one(ArchivedOrder const& it, Time now) {
    OrderKey const& key = it.books.order.head.key;
    auto const row =
        read_one(select_order_row_.query(key.merchant, key.order), [](Rows& rows) { return rows.integer(); });
    if (!row || it.books.events.empty()) return false;
    auto const last = read_one(select_last_event_.query(*row), [](Rows& rows) { return rows.integer(); });
    if (last != it.books.events.back().sequence) return false;
    mark_archived_.run(*row, now);
    delete_events_.run(*row);
    strip_attempts_.run(*row);
    strip_refunds_.run(*row);
    strip_captures_.run(*row);
    for (NoticeRow const& notice : it.notices) strip_notice_.run(notice.provider, notice.event_id);
    return true;
  }

  void copy_log_now_and_then() {
    if (++transactions_ % transactions_per_checkpoint == 0) connection_.checkpoint(SQLITE_CHECKPOINT_PASSIVE, 0);
  }

  Connection connection_;
  OrderLoader orders_;
  RowWriter rows_;
  Statement select_event_places_after_;
  Statement select_timeline_;
  Statement select_effects_of_order_;
  Statement select_journal_;
  Statement select_notices_of_number_;
  Statement select_archived_at_;
  Statement select_order_row_;
  Statement select_last_event_;
  Statement insert_event_with_sequence_;
  Statement mark_archived_;
  Statement delete_events_;
  Statement strip_attempts_;
  Statement strip_refunds_;
  Statement strip_captures_;
  Statement strip_notice_;
  int transactions_ = 0;
};

}  // namespace
}  // namespace sqlite

std::unique_ptr<Archivist> open_sqlite_archivist(std::string const& path) {
  return std::make_unique<sqlite::SqliteArchivist>(path);
}

}  // namespace payonce
