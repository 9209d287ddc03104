// The checks that have to talk past the port.
#include <fmt/format.h>

#include "doctor/assets.gen.h"
#include "doctor/conformance_checks.h"
#include "store/postgres/connection.h"
#include "store/postgres/sql.gen.h"

namespace payonce {

namespace {

using postgres::Columns;
using postgres::Connection;
using postgres::ConnectionSettings;
using postgres::Parameters;
using postgres::Rows;

std::string plan_of(Connection& connection, std::string_view statement, Parameters parameters) {
  std::string const text = fmt::format("EXPLAIN {}", statement);
  std::size_t const place = connection.queue_text("EXPLAIN", text, std::move(parameters));
  Rows rows{std::move(connection.run()[place])};
  std::string plan;
  while (rows.next()) plan += rows.text() + "\n";
  return plan;
}

}  // namespace

std::string plans_use_indexes(Scene& scene) {
  auto const settings = ConnectionSettings::parse(scene.url);
  if (!settings) return settings.error().detail;
  Connection connection{*settings};
  connection.open_without_waiting();
  std::string const merchant = "conformance";
  std::string const id = "order-1";
  auto const pair = [&] { return Columns{}.add(merchant, id).parameters(); };
  struct Statement {
    std::string_view name;
    std::string_view sql;
    Parameters parameters;
  };
  Statement statements[] = {
      {"lock_orders", postgres::sql::lock_orders, pair()},
      {"select_attempts_of_orders", postgres::sql::select_attempts_of_orders, pair()},
      {"select_holders_of_keys", postgres::sql::select_holders_of_keys, pair()},
      {"select_attempts", postgres::sql::select_attempts, Columns{}.add(id).parameters()},
      {"select_events_after", postgres::sql::select_events_after, Parameters::of(merchant, 0, 100)},
      {"select_due_attempts", postgres::sql::select_due_attempts, Parameters::of(0, 100)},
  };
  for (Statement& it : statements) {
    std::string const plan = plan_of(connection, it.sql, std::move(it.parameters));
    for (char const* const table : {"orders", "payment_attempts", "attempt_events"})
      if (plan.contains(fmt::format("Seq Scan on {}", table))) return fmt::format("{} reads all of {}", it.name, table);
  }
  return {};
}

std::string timeline_stays(Scene& scene) {
  OrderKey const key = scene.fresh_order();
  WriteSet rows;
  rows.heads.push_back({Scene::head(key), true});
  rows.events.push_back(Scene::event(key, "order.registered"));
  scene.write(rows);
  auto const settings = ConnectionSettings::parse(scene.url);
  if (!settings) return settings.error().detail;
  Connection connection{*settings};
  connection.open_without_waiting();
  try {
    connection.query_text("change_timeline", assets::doctor::change_timeline);
  } catch (StoreError const&) {
    return {};
  }
  return "an entry of the timeline was changed";
}

}  // namespace payonce
