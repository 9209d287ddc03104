#include "store/sqlite/sqlite_archive.h"

#include <fmt/format.h>

#include <utility>

#include "store/read_rows.h"
#include "store/sqlite/order_loader.h"
#include "store/sqlite/row_writer.h"
#include "store/sqlite/sql.gen.h"
#include "store/sqlite/statement.h"

namespace payonce {

namespace sqlite {
namespace {

class SqliteArchive final : public Archive {
 public:
  explicit SqliteArchive(std::string const& path)
      : connection_(path, Connection::Use::alone),
        orders_(connection_),
        rows_(connection_),
        select_timeline_(connection_, "select_timeline", sql::select_timeline),
        select_effects_of_order_(connection_, "select_effects_of_order", sql::select_effects_of_order),
        select_journal_(connection_, "select_journal", sql::select_journal),
        select_archived_at_(connection_, "select_archived_at", sql::select_archived_at),
        select_order_row_(connection_, "select_order_row", sql::select_order_row),
        mark_archived_(connection_, "mark_archived", sql::mark_archived),
        select_notices_after_(connection_, "select_notices_after", sql::select_notices_after),
        select_statements_after_(connection_, "select_statements_after", sql::select_statements_after),
        select_discrepancies_after_(connection_, "select_discrepancies_after", sql::select_discrepancies_after),
        put_statement_(connection_, "put_statement", sql::put_statement),
        select_audit_after_(connection_, "select_audit_after", sql::select_audit_after),
        select_all_api_keys_(connection_, "select_all_api_keys", sql::select_all_api_keys),
        insert_event_with_sequence_(connection_, "insert_event_with_sequence", sql::insert_event_with_sequence),
        insert_api_key_(connection_, "insert_api_key", sql::insert_api_key),
        insert_audit_(connection_, "insert_audit", sql::insert_audit) {
    connection_.execute("BEGIN IMMEDIATE");
  }

  std::vector<OrderRecord> orders_after(OrderKey const& after, std::size_t limit) override {
    std::vector<OrderRecord> records;
    for (Order& order : orders_.load_after(after, limit)) {
      OrderKey const key = order.head.key;
      records.push_back(
          {std::move(order),
           read_all(select_timeline_.query(key.merchant, key.order), [](Rows& it) { return read_event(it); }),
           read_all(select_effects_of_order_.query(key.merchant, key.order), [](Rows& it) { return read_effect(it); }),
           read_all(select_journal_.query(key.merchant, key.order), read_posting),
           read_one(select_archived_at_.query(key.merchant, key.order), [](Rows& it) { return it.time(); })});
    }
    return records;
  }

  std::vector<NoticeRow> notices_after(NoticeId const& after, std::size_t limit) override {
    return read_all(select_notices_after_.query(after.provider, after.event_id, limit),
                    [](Rows& it) { return read_notice(it); });
  }

  std::vector<StoredAudit> audit_after(MerchantId const& merchant, std::int64_t sequence, std::size_t limit) override {
    return read_all(select_audit_after_.query(merchant, sequence, limit), [](Rows& it) { return read_audit(it); });
  }

  std::vector<StatementRow> statements_after(StatementId const& after, std::size_t limit) override {
    return read_all(select_statements_after_.query(after.provider, after.day, limit), read_statement);
  }

  std::vector<Discrepancy> discrepancies_after(DiscrepancyKey const& after, std::size_t limit) override {
    return read_all(select_discrepancies_after_.query(after.merchant, after.id, limit), read_discrepancy);
  }

  std::vector<ApiKeyRow> api_keys() override {
    return read_all(select_all_api_keys_.query(), [](Rows& it) { return read_api_key(it); });
  }

  void insert(std::span<OrderRecord const> records) override {
    rows_.write(rows_of(records));
    for (OrderRecord const& record : records) {
      for (auto const& [sequence, it] : record.events)
        insert_event_with_sequence_.run(sequence, it.key.merchant, it.key.order, it.attempt, it.refund, it.type,
                                        it.from, it.to, evidence_text(it.evidence), it.actor, it.code, it.text, it.at);
      if (!record.archived_at) continue;
      OrderKey const& key = record.order.head.key;
      auto const row =
          read_one(select_order_row_.query(key.merchant, key.order), [](Rows& it) { return it.integer(); });
      mark_archived_.run(*row, *record.archived_at);
    }
  }

  void insert(std::span<NoticeRow const> notices) override {
    WriteSet rows;
    for (NoticeRow const& it : notices) rows.notices.push_back({it, true});
    rows_.write(rows);
  }

  void insert(std::span<StatementRow const> statements) override {
    for (StatementRow const& it : statements)
      put_statement_.run(it.provider, it.day, it.digest_hex, it.lines, it.imported_at);
  }

  void insert(std::span<Discrepancy const> discrepancies) override {
    WriteSet rows;
    rows.discrepancies.assign(discrepancies.begin(), discrepancies.end());
    rows_.write(rows);
  }

  void insert(std::span<ApiKeyRow const> keys) override {
    for (ApiKeyRow const& it : keys)
      insert_api_key_.run(it.merchant, it.hash_hex, it.name, it.created_at, it.revoked_at);
  }

  void insert(std::span<StoredAudit const> rows) override {
    for (auto const& [sequence, it] : rows) insert_audit_.run(it.merchant, it.actor, it.action, it.detail, it.at);
  }

  void commit() override { connection_.execute("COMMIT"); }

 private:
  Connection connection_;
  OrderLoader orders_;
  RowWriter rows_;
  Statement select_timeline_;
  Statement select_effects_of_order_;
  Statement select_journal_;
  Statement select_archived_at_;
  Statement select_order_row_;
  Statement mark_archived_;
  Statement select_notices_after_;
  Statement select_statements_after_;
  Statement select_discrepancies_after_;
  Statement put_statement_;
  Statement select_audit_after_;
  Statement select_all_api_keys_;
  Statement insert_event_with_sequence_;
  Statement insert_api_key_;
  Statement insert_audit_;
};

}  // namespace
}  // namespace sqlite

Result<std::unique_ptr<Archive>> open_sqlite_archive(std::string const& path) try {
  return std::make_unique<sqlite::SqliteArchive>(path);
} catch (StoreError const& error) {
  if (error.kind != StoreError::Kind::conflict)
    return fail(ErrorCode::unavailable, fmt::format("the database file {} can't be opened: {}", path, error.what()));
  return fail(
      ErrorCode::unavailable,
      fmt::format("another program has {} open; stop the service, and whatever else looks into it, first", path));
}

}  // namespace payonce
