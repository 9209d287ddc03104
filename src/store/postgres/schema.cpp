#include "store/postgres/schema.h"

#include <fmt/format.h>

#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"
#include "store/schema_history.h"

namespace payonce::postgres {

namespace {

std::vector<AppliedMigration> read_applied(Connection& connection) {
  return read_all(connection.query_text("select_schema_migrations", sql::select_schema_migrations),
                  [](Rows& rows) { return AppliedMigration{rows.integer(), rows.text(), rows.text()}; });
}

bool has_history(Connection& connection) {
  Rows rows = connection.query_text("has_schema_migrations", sql::has_schema_migrations);
  return rows.next() && rows.boolean();
}

std::int64_t feed_shortfall(Connection& connection) {
  Rows rows = connection.query_text("feed_shortfall", sql::feed_shortfall);
  return rows.next() ? rows.integer() : 0;
}

// After a move to a server with lower transaction ids, the feed would go on below what its readers have seen.
void keep_feed_growing(Connection& connection) {
  if (feed_shortfall(connection) <= 0) return;
  connection.query_text("lock_feed", sql::lock_feed);
  std::int64_t const shortfall = feed_shortfall(connection);
  if (shortfall > 0) connection.query_text("raise_feed", sql::raise_feed, shortfall);
}

Result<void> migrate_in_transaction(Connection& connection, std::string const& database) {
  connection.query_text("lock_migrations", sql::lock_migrations);
  std::vector<AppliedMigration> applied;
  // Asked first, so that a role that may not create tables can start on tables that are there.
  if (has_history(connection))
    applied = read_applied(connection);
  else
    connection.query_text("create_schema_migrations", sql::create_schema_migrations);
  if (auto const fits = check_history(applied, sql::migrations, database); !fits) return fits;

  for (std::size_t i = applied.size(); i < std::size(sql::migrations); ++i) {
    sql::Migration const& migration = sql::migrations[i];
    connection.run_script(std::string{migration.sql}, migration.name);
    connection.query_text("insert_schema_migration", sql::insert_schema_migration, migration.number,
                          std::string{migration.name}, sha256_hex(migration.sql));
  }
  keep_feed_growing(connection);
  return {};
}

}  // namespace

Result<void> migrate(Connection& connection, std::string const& database) {
  connection.set_answer_patience(std::nullopt);
  connection.open();
  connection.queue_text("BEGIN", "BEGIN ISOLATION LEVEL READ COMMITTED");
  // A migration takes as long as it takes, and so does waiting for another node's.
  connection.queue_text("SET", "SET LOCAL statement_timeout = 0");
  connection.queue_text("SET", "SET LOCAL lock_timeout = 0");
  Result<void> result;
  try {
    result = migrate_in_transaction(connection, database);
    if (result) connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
  connection.rollback();
  return result;
}

}  // namespace payonce::postgres
