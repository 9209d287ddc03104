#include "store/postgres/postgres_archive.h"

#include <fmt/format.h>

#include <thread>

#include "store/postgres/order_loader.h"
#include "store/postgres/row_writer.h"
#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce {

namespace postgres {
namespace {

class PostgresArchive final : public Archive {
 public:
  explicit PostgresArchive(ConnectionSettings settings)
      : settings_(std::move(settings)), connection_(settings_), orders_(connection_), rows_(connection_) {
    for (auto const& [name, text] : {std::pair{"select_timeline", sql::select_timeline},
                                     {"select_effects_of_order", sql::select_effects_of_order},
                                     {"select_journal", sql::select_journal},
                                     {"select_archived_at", sql::select_archived_at},
                                     {"mark_archived", sql::mark_archived},
                                     {"select_notices_after", sql::select_notices_after},
                                     {"select_statements_after", sql::select_statements_after},
                                     {"select_discrepancies_after", sql::select_discrepancies_after},
                                     {"put_statement", sql::put_statement},
                                     {"select_audit_after", sql::select_audit_after},
                                     {"select_all_api_keys", sql::select_all_api_keys},
                                     {"insert_events_with_sequence", sql::insert_events_with_sequence},
                                     {"insert_api_key", sql::insert_api_key},
                                     {"insert_audit", sql::insert_audit}})
      connection_.add(name, text);
    connection_.open_without_waiting();
    connection_.queue_text("BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ");
    // The other database may be slow, and it is one long transaction.
    connection_.queue_text("SET", "SET LOCAL idle_in_transaction_session_timeout = 0");
    connection_.queue_text("SET", "SET LOCAL statement_timeout = 0");
    connection_.set_answer_patience(std::nullopt);
    connection_.query_text("lock_books", sql::lock_books);
  }
  ~PostgresArchive() override { connection_.rollback(); }

  std::vector<OrderRecord> orders_after(OrderKey const& after, std::size_t limit) override {
    auto orders = orders_.load_after(after, limit);
    std::size_t first = 0;
    for (Order const& it : orders) {
      auto const key = Parameters::of(it.head.key.merchant, it.head.key.order);
      std::size_t const place = connection_.queue("select_timeline", key);
      if (&it == &orders.front()) first = place;
      connection_.queue("select_effects_of_order", key);
      connection_.queue("select_journal", key);
      connection_.queue("select_archived_at", key);
    }
    std::vector<OrderRecord> records;
    if (orders.empty()) return records;
    auto results = connection_.run();
    for (Order& it : orders) {
      Rows events{std::move(results[first++])};
      Rows effects{std::move(results[first++])};
      Rows journal{std::move(results[first++])};
      Rows archived{std::move(results[first++])};
      records.push_back({std::move(it), read_all(events, read_event), read_all(effects, read_effect),
                         read_all(journal, read_posting), read_one(archived, [](Rows& row) { return row.time(); })});
    }
    return records;
  }

  std::vector<NoticeRow> notices_after(NoticeId const& after, std::size_t limit) override {
    return read_all(connection_.query("select_notices_after", after.provider, after.event_id, limit), read_notice);
  }

  std::vector<StoredAudit> audit_after(MerchantId const& merchant, std::int64_t sequence, std::size_t limit) override {
    return read_all(connection_.query("select_audit_after", merchant, sequence, limit), read_audit);
  }

  std::vector<StatementRow> statements_after(StatementId const& after, std::size_t limit) override {
    return read_all(connection_.query("select_statements_after", after.provider, after.day, limit), read_statement);
  }

  std::vector<Discrepancy> discrepancies_after(DiscrepancyKey const& after, std::size_t limit) override {
    return read_all(connection_.query("select_discrepancies_after", after.merchant, after.id, limit), read_discrepancy);
  }

  std::vector<ApiKeyRow> api_keys() override {
    return read_all(connection_.query("select_all_api_keys"), read_api_key);
  }

  void insert(std::span<OrderRecord const> records) override {
    rows_.write(rows_of(records));
    Columns events;
    Columns marks;
    for (OrderRecord const& record : records) {
      OrderKey const& key = record.order.head.key;
      if (record.archived_at) marks.add(key.merchant, key.order, *record.archived_at);
      for (auto const& [sequence, it] : record.events)
        events.add(sequence, it.key.merchant, it.key.order, it.attempt, it.refund, it.type, it.from, it.to,
                   evidence_text(it.evidence), Words{it.actor}, Words{it.code}, Words{it.text}, it.at);
    }
    if (!events.empty()) connection_.queue("insert_events_with_sequence", events.parameters());
    if (!marks.empty()) connection_.queue("mark_archived", marks.parameters());
    connection_.run();
  }

  void insert(std::span<NoticeRow const> notices) override {
    WriteSet rows;
    for (NoticeRow const& it : notices) rows.notices.push_back({it, true});
    rows_.write(rows);
    connection_.run();
  }

  void insert(std::span<StatementRow const> statements) override {
    for (StatementRow const& it : statements)
      connection_.queue("put_statement", Parameters::of(it.provider, it.day, it.digest_hex, it.lines, it.imported_at));
    connection_.run();
  }

  void insert(std::span<Discrepancy const> discrepancies) override {
    WriteSet rows;
    rows.discrepancies.assign(discrepancies.begin(), discrepancies.end());
    rows_.write(rows);
    connection_.run();
  }

  void insert(std::span<ApiKeyRow const> keys) override {
    for (ApiKeyRow const& it : keys)
      connection_.queue("insert_api_key",
                        Parameters::of(it.merchant, it.hash_hex, it.name, it.created_at, it.revoked_at));
    connection_.run();
  }

  void insert(std::span<StoredAudit const> rows) override {
    for (auto const& [sequence, it] : rows)
      connection_.queue("insert_audit", Parameters::of(it.merchant, Words{it.actor}, it.action, it.detail, it.at));
    connection_.run();
  }

  void commit() override { connection_.commit(); }

 private:
  ConnectionSettings const settings_;
  Connection connection_;
  OrderLoader orders_;
  RowWriter rows_;
};

}  // namespace
}  // namespace postgres

Result<std::unique_ptr<Archive>> open_postgres_archive(std::string const& url) try {
  auto settings = postgres::ConnectionSettings::parse(url);
  if (!settings) return std::unexpected(settings.error());
  return std::make_unique<postgres::PostgresArchive>(std::move(*settings));
} catch (StoreError const& error) {
  return fail(ErrorCode::unavailable,
              fmt::format("the PostgreSQL database can't be had for copying: {}; stop every service that uses it, and "
                          "run payonce key or serve once if its tables are missing",
                          error.what()));
}

namespace {

// Two seconds in all.
constexpr Millis closing_look{50};
constexpr int closing_looks_max = 40;

}  // namespace

Result<std::int64_t> count_postgres_sessions(std::string const& url) try {
  auto const settings = postgres::ConnectionSettings::parse(url);
  if (!settings) return std::unexpected(settings.error());
  postgres::Connection connection{*settings};
  connection.open_without_waiting();
  // A session that its client has closed is seen for a moment more.
  for (int tries = 0;; ++tries) {
    postgres::Rows rows = connection.query_text("count_other_sessions", postgres::sql::count_other_sessions);
    std::int64_t const count = rows.next() ? rows.integer() : 0;
    if (count == 0 || tries == closing_looks_max) return count;
    std::this_thread::sleep_for(closing_look);
  }
} catch (StoreError const& error) {
  return fail(ErrorCode::unavailable, fmt::format("the database can't be opened: {}", error.what()));
}

}  // namespace payonce
