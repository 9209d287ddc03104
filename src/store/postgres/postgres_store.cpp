#include "store/postgres/postgres_store.h"

#include <fmt/format.h>

#include "store/postgres/postgres_reader.h"
#include "store/postgres/postgres_writer.h"
#include "store/postgres/schema.h"
#include "store/postgres/sql.gen.h"

namespace payonce {

namespace postgres {
namespace {

// So many transactions of one node commit side by side. More lanes make smaller batches, and a commit costs the same
// for a small one.
constexpr std::size_t lanes = 2;
// Each of a dozen statements has a price besides that of its rows.
constexpr std::size_t commands_of_a_good_batch = 32;

class PostgresStore final : public Store {
 public:
  PostgresStore(ConnectionSettings settings, std::string name)
      : settings_(std::move(settings)), name_(std::move(name)) {}

  Result<void> migrate() override try {
    Connection connection{settings_};
    return postgres::migrate(connection, name_);
  } catch (StoreError const& error) {
    return fail(ErrorCode::unavailable,
                fmt::format("the schema of {} can't be brought up to date: {}; payonce needs a database or schema of "
                            "its own and a role that may create tables in it",
                            name_, error.what()));
  }

  std::unique_ptr<Writer> open_writer() override { return std::make_unique<PostgresWriter>(settings_); }
  std::unique_ptr<Reader> open_reader() override { return std::make_unique<PostgresReader>(settings_); }
  std::size_t writer_lanes() const override { return lanes; }
  std::size_t good_batch() const override { return commands_of_a_good_batch; }

 private:
  ConnectionSettings const settings_;
  std::string const name_;
};

// For people; without user and password.
std::string name_of(Connection const& connection) {
  return fmt::format("the PostgreSQL database {} at {}", PQdb(connection.handle()), PQhost(connection.handle()));
}

std::int64_t backend_pid(Connection& connection) {
  Rows rows = connection.query_text("select_backend_pid", sql::select_backend_pid);
  return rows.next() ? rows.integer() : 0;
}

// Whether something between us and the server gives our session to others between two transactions. A pooler answers
// in its own name, and then a second connection gets the idle session of the first.
bool is_shared(ConnectionSettings const& settings, Connection& first) {
  std::int64_t const pid = backend_pid(first);
  if (pid == PQbackendPID(first.handle())) return false;
  Connection second{settings};
  second.open_without_waiting();
  return backend_pid(second) == pid;
}

}  // namespace
}  // namespace postgres

Result<std::unique_ptr<Store>> open_postgres(std::string const& url) try {
  auto settings = postgres::ConnectionSettings::parse(url);
  if (!settings) return std::unexpected(settings.error());
  postgres::Connection probe{*settings};
  probe.open_without_waiting();
  std::string name = postgres::name_of(probe);
  if (postgres::is_shared(*settings, probe))
    return fail(ErrorCode::unavailable,
                fmt::format("{} is behind a pooler that shares sessions between transactions, as PgBouncer does with "
                            "pool_mode = transaction; payonce keeps few sessions and needs each as a whole: set "
                            "pool_mode = session for it, or connect to the server itself",
                            name));
  probe.close();
  return std::make_unique<postgres::PostgresStore>(std::move(*settings), std::move(name));
} catch (StoreError const& error) {
  return fail(ErrorCode::unavailable, fmt::format("the database can't be opened: {}", error.what()));
}

}  // namespace payonce
