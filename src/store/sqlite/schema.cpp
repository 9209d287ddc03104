#include "store/sqlite/schema.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "base/crypto.h"
#include "store/schema_history.h"
#include "store/sqlite/sql.gen.h"
#include "store/sqlite/statement.h"

namespace payonce::sqlite {

namespace {

// "PAYO" in the file's header, so that `file` and payonce tell our databases from others.
constexpr std::int64_t application_id = 0x5041594f;

std::int64_t read_number(Connection& connection, char const* name, std::string_view text) {
  Statement statement(connection, name, text);
  Rows rows = statement.query();
  return rows.next() ? rows.integer() : 0;
}

bool is_empty(Connection& connection) {
  return read_number(connection, "count_schema_objects", sql::count_schema_objects) == 0;
}

std::vector<AppliedMigration> read_applied(Connection& connection) {
  std::vector<AppliedMigration> applied;
  Statement statement(connection, "select_schema_migrations", sql::select_schema_migrations);
  Rows rows = statement.query();
  while (rows.next()) applied.push_back({rows.integer(), rows.text(), rows.text()});
  return applied;
}

Result<void> migrate_in_transaction(Connection& connection, std::string const& path) {
  if (auto const ours = check_is_ours(connection, path); !ours) return ours;
  if (is_empty(connection)) connection.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
  connection.execute(std::string{sql::create_schema_migrations}.c_str(), "create_schema_migrations");

  std::vector<AppliedMigration> const applied = read_applied(connection);
  if (auto const fits = check_history(applied, sql::migrations, path); !fits) return fits;

  Statement insert(connection, "insert_schema_migration", sql::insert_schema_migration);
  for (std::size_t i = applied.size(); i < std::size(sql::migrations); ++i) {
    sql::Migration const& migration = sql::migrations[i];
    connection.execute(std::string{migration.sql}.c_str(), migration.name);
    insert.run(migration.number, migration.name, sha256_hex(migration.sql));
  }
  return {};
}

}  // namespace

Result<void> check_is_ours(Connection& connection, std::string const& path) {
  std::int64_t const id = read_number(connection, "application_id", "PRAGMA application_id");
  if (id == application_id || (id == 0 && is_empty(connection))) return {};
  return fail(ErrorCode::unavailable,
              fmt::format("{} is an SQLite database of another program; name another file in the configuration", path));
}

Result<void> migrate(Connection& connection, std::string const& path) {
  connection.execute("BEGIN IMMEDIATE");
  Result<void> result;
  try {
    result = migrate_in_transaction(connection, path);
  } catch (...) {
    if (connection.in_transaction()) connection.execute("ROLLBACK");
    throw;
  }
  connection.execute(result ? "COMMIT" : "ROLLBACK");
  return result;
}

}  // namespace payonce::sqlite
