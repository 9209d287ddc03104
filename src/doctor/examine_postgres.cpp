#include <fmt/format.h>

#include <utility>

#include "doctor/assets.gen.h"
#include "doctor/examine.h"
#include "doctor/judge.h"
#include "store/postgres/connection.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"
#include "store/schema_history.h"

namespace payonce {

namespace {

using enum CheckVerdict;
using postgres::Connection;
using postgres::Rows;
namespace texts = assets::doctor;

std::optional<std::string> optional_text(Rows& rows) {
  if (!rows.is_null()) return rows.text();
  rows.skip();
  return std::nullopt;
}

ServerFacts read_facts(Connection& connection) {
  Rows rows = connection.query_text("select_server_settings", texts::select_server_settings);
  rows.next();
  return ServerFacts{.version_number = optional_text(rows),
                     .fsync = optional_text(rows),
                     .full_page_writes = optional_text(rows),
                     .synchronous_commit = optional_text(rows),
                     .synchronous_standby_names = optional_text(rows),
                     .autovacuum = optional_text(rows),
                     .collation = optional_text(rows),
                     .schema = optional_text(rows),
                     .version = rows.text()};
}

Diagnosis examine_standbys(Connection& connection, ServerFacts const& facts) {
  Rows rows = connection.query_text("count_standbys", texts::count_standbys);
  rows.next();
  return judge_standbys(facts, {rows.integer(), rows.integer(), rows.integer()});
}

Diagnosis examine_clock(Connection& connection) {
  SystemClock const clock;
  auto const start = clock.monotonic();
  Time const before = clock.now();
  Rows rows = connection.query_text("select_server_time", texts::select_server_time);
  auto const way = std::chrono::duration_cast<Millis>(clock.monotonic() - start);
  rows.next();
  return judge_clock(rows.time() - (before + way / 2), way / 2 + Millis{1});
}

Diagnosis examine_privileges(Connection& connection, ServerFacts const& facts) {
  if (!facts.schema)
    return {"privileges", problem, "search_path names no schema that there is",
            "create it, or name one by options=-csearch_path%3DNAME in the URL"};
  Rows rows = connection.query_text("select_missing_privileges", texts::select_missing_privileges);
  rows.next();
  std::string const missing = rows.text();
  if (missing.empty()) return {"privileges", ok, "the role may do all that is needed in schema " + *facts.schema};
  return {"privileges", problem, "the role lacks " + missing, "GRANT it, or let the role own the schema"};
}

Diagnosis examine_schema(Connection& connection, std::string const& name) {
  std::string const check = "schema";
  Rows has = connection.query_text("has_schema_migrations", postgres::sql::has_schema_migrations);
  if (!has.next() || !has.boolean()) return {check, ok, "empty; the first start makes the tables"};
  auto const applied =
      read_all(connection.query_text("select_schema_migrations", postgres::sql::select_schema_migrations),
               [](Rows& it) { return AppliedMigration{it.integer(), it.text(), it.text()}; });
  if (auto const fits = check_history(applied, postgres::sql::migrations, name); !fits)
    return {check, problem, fits.error().detail, "see there"};
  if (applied.size() < std::size(postgres::sql::migrations))
    return {check, ok,
            fmt::format("version {}; the next start brings it to {}", applied.size(),
                        std::size(postgres::sql::migrations))};
  return {check, ok, fmt::format("version {}, as this payonce has it", applied.size())};
}

// Each check is on its own: a server that lacks a view still tells the rest.
template <class Check>
Diagnosis guarded(Connection& connection, std::string check, Check examine) {
  try {
    connection.open_without_waiting();
    return examine();
  } catch (StoreError const& error) {
    connection.rollback();
    return {std::move(check), warning, std::string{"could not be found out: "} + error.what()};
  }
}

}  // namespace

Diagnoses examine_postgres(std::string const& url) try {
  auto const settings = postgres::ConnectionSettings::parse(url);
  if (!settings) return {{"connection", problem, settings.error().detail, "correct the URL"}};
  Connection connection{*settings};
  connection.open_without_waiting();
  Diagnoses found{{"connection", ok, "the server answers, and is one that can be written to"}};
  // Behind a pooler that changes sessions, nothing that follows would be about the sessions that payonce gets.
  auto const store = open_postgres(url);
  if (!store) {
    found.push_back({"pooler", problem, store.error().detail, "use session pooling, or no pooler"});
    return found;
  }
  found.push_back({"pooler", ok, "none that shares sessions between transactions"});
  ServerFacts const facts = read_facts(connection);
  for (auto const judge : {judge_version, judge_collation, judge_fsync, judge_full_page_writes,
                           judge_synchronous_commit, judge_autovacuum})
    found.push_back(judge(facts));
  found.push_back(guarded(connection, "standby", [&] { return examine_standbys(connection, facts); }));
  found.push_back(guarded(connection, "clocks", [&] { return examine_clock(connection); }));
  found.push_back(guarded(connection, "privileges", [&] { return examine_privileges(connection, facts); }));
  found.push_back(guarded(connection, "schema", [&] { return examine_schema(connection, "the database"); }));
  return found;
} catch (StoreError const& error) {
  return {{"connection", problem, error.what(), "payonce can't work with this database as it is"}};
}

}  // namespace payonce
