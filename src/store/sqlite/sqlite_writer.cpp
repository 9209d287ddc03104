#include "store/sqlite/sqlite_writer.h"

#include <cstdlib>
#include <utility>

#include "base/log.h"
#include "store/read_rows.h"
#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

namespace {

int on_commit(void* checkpointer, sqlite3*, char const*, int frames) {
  static_cast<Checkpointer*>(checkpointer)->log_has_grown(frames);
  return SQLITE_OK;
}

}  // namespace

SqliteWriter::SqliteWriter(std::string const& path, Checkpointer& checkpointer, Durability& durability)
    : connection_(path, Connection::Use::write),
      checkpointer_(checkpointer),
      durability_(durability),
      orders_(connection_),
      rows_(connection_),
      claims_(connection_, orders_),
      data_version_(connection_, "data_version", "PRAGMA data_version"),
      select_key_is_known_(connection_, "select_key_is_known", sql::select_key_is_known),
      select_holder_of_key_(connection_, "select_holder_of_key", sql::select_holder_of_key),
      select_order_of_attempt_(connection_, "select_order_of_attempt", sql::select_order_of_attempt),
      select_notice_(connection_, "select_notice", sql::select_notice),
      insert_api_key_(connection_, "insert_api_key", sql::insert_api_key),
      revoke_api_key_(connection_, "revoke_api_key", sql::revoke_api_key),
      insert_audit_(connection_, "insert_audit", sql::insert_audit),
      put_statement_(connection_, "put_statement", sql::put_statement),
      resolve_discrepancy_(connection_, "resolve_discrepancy", sql::resolve_discrepancy),
      resolve_answered_discrepancies_(connection_, "resolve_answered_discrepancies",
                                      sql::resolve_answered_discrepancies) {
  sqlite3_wal_hook(connection_.handle(), on_commit, &checkpointer_);
  // A batch's pages fit into memory until its commit writes them.
  connection_.execute("PRAGMA cache_spill = OFF");
  // The first read opens the log.
  connection_.execute("PRAGMA schema_version");
  log_.attach(connection_.handle());
}

SqliteWriter::~SqliteWriter() { rollback(); }

void SqliteWriter::begin() {
  checkpointer_.finish(connection_);
  // With the write lock from the start: nothing that is read can change before the commit.
  connection_.execute("BEGIN IMMEDIATE");
}

std::unique_ptr<Syncer> SqliteWriter::defer_durability() {
  // NORMAL writes the same log in the same order and leaves it to checkpoints, and here to the syncer, to flush it.
  connection_.execute("PRAGMA synchronous = NORMAL");
  is_deferring_ = true;
  // As one commit of ours: what a process that died may have left.
  durability_.commit_begins();
  durability_.commit_ended();
  return std::make_unique<LogSyncer>(durability_);
}

void SqliteWriter::commit() {
  if (is_deferring_) durability_.commit_begins();
  int const result = sqlite3_exec(connection_.handle(), "COMMIT", nullptr, nullptr, nullptr);
  if (is_deferring_) durability_.commit_ended();
  if (result == SQLITE_OK) {
    if (!log_.holds_pages()) return;
    log_critical("stopping at once, since a commit was announced before it was written");
    std::abort();
  }
  int const code = sqlite3_extended_errcode(connection_.handle());
  std::string const why = sqlite3_errmsg(connection_.handle());
  rollback();
  throw StoreError(kind_of_commit(code), "SQLite, COMMIT: " + why);
}

void SqliteWriter::rollback() noexcept {
  rows_.forget();
  // Some errors have rolled back already.
  if (connection_.in_transaction()) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

bool SqliteWriter::has_changed_elsewhere() {
  Rows rows = data_version_.query();
  rows.next();
  std::int64_t const before = std::exchange(seen_version_, rows.integer());
  bool const has_changed = before != seen_version_;
  if (has_changed) rows_.forget();
  return has_changed;
}

std::vector<Order> SqliteWriter::load_orders(std::span<OrderKey const> keys) {
  std::vector<Order> orders;
  orders.reserve(keys.size());
  for (OrderKey const& key : keys)
    if (auto order = orders_.load(key)) orders.push_back(std::move(*order));
  return orders;
}

std::vector<std::optional<KeyHolder>> SqliteWriter::find_keys(std::span<MerchantKey const> keys) {
  std::vector<std::optional<KeyHolder>> holders(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (Rows known = select_key_is_known_.query(keys[i].merchant, keys[i].key); !known.next()) continue;
    Rows rows = select_holder_of_key_.query(keys[i].merchant, keys[i].key);
    if (rows.next())
      holders[i] = KeyHolder{OrderKey{keys[i].merchant, OrderId{rows.text_view()}}, AttemptId{rows.text_view()},
                             RefundId{rows.text_view()}, CaptureId{rows.text_view()}};
  }
  return holders;
}

std::vector<std::optional<OrderKey>> SqliteWriter::find_attempts(std::span<AttemptId const> attempts) {
  std::vector<std::optional<OrderKey>> orders(attempts.size());
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    Rows rows = select_order_of_attempt_.query(attempts[i]);
    if (rows.next()) orders[i] = read_order_key(rows);
  }
  return orders;
}

std::vector<std::optional<NoticeRow>> SqliteWriter::find_notices(std::span<NoticeId const> ids) {
  std::vector<std::optional<NoticeRow>> notices(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Rows rows = select_notice_.query(ids[i].provider, ids[i].event_id);
    if (rows.next()) notices[i] = read_notice(rows);
  }
  return notices;
}

void SqliteWriter::insert_api_key(ApiKeyRow const& key) {
  insert_api_key_.run(key.merchant, key.hash_hex, key.name, key.created_at, key.revoked_at);
}

bool SqliteWriter::revoke_api_key(MerchantId const& merchant, std::string const& name, Time now) {
  return revoke_api_key_.run(merchant, name, now) > 0;
}

void SqliteWriter::insert_audit(AuditRow const& row) {
  insert_audit_.run(row.merchant, row.actor, row.action, row.detail, row.at);
}

void SqliteWriter::put_statement(StatementRow const& it) {
  put_statement_.run(it.provider, it.day, it.digest_hex, it.lines, it.imported_at);
}

bool SqliteWriter::resolve_discrepancy(MerchantId const& merchant, std::string const& id, std::string const& actor,
                                       std::string const& note, Time now) {
  return resolve_discrepancy_.run(merchant, id, actor, note, now) > 0;
}

void SqliteWriter::resolve_answered_discrepancies(std::string const& provider, Time now) {
  resolve_answered_discrepancies_.run(provider, now);
}

}  // namespace payonce::sqlite
