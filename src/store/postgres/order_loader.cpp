#include "store/postgres/order_loader.h"

#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce::postgres {

namespace {

constexpr std::size_t absent = static_cast<std::size_t>(-1);

Parameters key_arrays(std::span<OrderKey const> keys) {
  Columns columns;
  for (OrderKey const& key : keys) columns.add(key.merchant, key.order);
  return columns.parameters();
}

// Rows of several orders, each behind its order's place in the question. `index_of`: where that order stands in
// `orders`.
void read_attempts(Rows rows, std::vector<std::size_t> const& index_of, std::vector<Order>& orders) {
  while (rows.next()) {
    std::size_t const index = index_of[static_cast<std::size_t>(rows.integer() - 1)];
    if (index != absent) orders[index].attempts.push_back(read_attempt(rows));
  }
}

void read_refunds(Rows rows, std::vector<std::size_t> const& index_of, std::vector<Order>& orders) {
  while (rows.next()) {
    std::size_t const index = index_of[static_cast<std::size_t>(rows.integer() - 1)];
    if (index != absent) orders[index].refunds.push_back(read_refund(rows));
  }
}

Order read_head(Rows& rows) { return Order{read_order_head(rows), {}, {}}; }

}  // namespace

OrderLoader::OrderLoader(Connection& connection) : connection_(connection) {
  connection.add("lock_orders", sql::lock_orders);
  connection.add("select_order", sql::select_order);
  connection.add("select_orders_after", sql::select_orders_after);
  connection.add("select_attempts_of_orders", sql::select_attempts_of_orders);
  connection.add("select_refunds_of_orders", sql::select_refunds_of_orders);
  connection.add("select_attempts", sql::select_attempts);
}

std::vector<Order> OrderLoader::lock(std::span<OrderKey const> keys) {
  if (keys.empty()) return {};
  std::size_t const heads_place = connection_.queue("lock_orders", key_arrays(keys));
  Rest const rest = queue_rest(keys);
  auto results = connection_.run();

  std::vector<Order> orders;
  std::vector<std::size_t> index_of(keys.size(), absent);
  Rows heads{std::move(results[heads_place])};
  while (heads.next()) {
    index_of[static_cast<std::size_t>(heads.integer() - 1)] = orders.size();
    orders.push_back(read_head(heads));
  }
  read_attempts(Rows{std::move(results[rest.attempts_place])}, index_of, orders);
  read_refunds(Rows{std::move(results[rest.refunds_place])}, index_of, orders);
  return orders;
}

std::optional<Order> OrderLoader::load(OrderKey const& key) {
  connection_.queue_text("BEGIN", begin_snapshot);
  std::size_t const place = connection_.queue("select_order", Parameters::of(key.merchant, key.order));
  Rest const rest = queue_rest({&key, 1});
  connection_.queue_text("COMMIT", "COMMIT");
  auto results = connection_.run();
  auto orders = read_all(Rows{std::move(results[place])}, read_head);
  if (orders.empty()) return std::nullopt;
  read_attempts(Rows{std::move(results[rest.attempts_place])}, {0}, orders);
  read_refunds(Rows{std::move(results[rest.refunds_place])}, {0}, orders);
  return std::move(orders.front());
}

std::vector<Order> OrderLoader::load_after(OrderKey const& after, std::size_t limit) {
  auto orders = read_all(connection_.query("select_orders_after", after.merchant, after.order, limit), read_head);
  if (orders.empty()) return orders;
  std::vector<OrderKey> keys;
  std::vector<std::size_t> index_of;
  for (Order const& order : orders) {
    index_of.push_back(keys.size());
    keys.push_back(order.head.key);
  }
  Rest const rest = queue_rest(keys);
  auto results = connection_.run();
  read_attempts(Rows{std::move(results[rest.attempts_place])}, index_of, orders);
  read_refunds(Rows{std::move(results[rest.refunds_place])}, index_of, orders);
  return orders;
}

OrderLoader::Rest OrderLoader::queue_rest(std::span<OrderKey const> keys) {
  std::size_t const attempts = connection_.queue("select_attempts_of_orders", key_arrays(keys));
  return {attempts, connection_.queue("select_refunds_of_orders", key_arrays(keys))};
}

std::vector<FoundAttempt> OrderLoader::find(std::span<AttemptId const> attempts) {
  if (attempts.empty()) return {};
  Columns columns;
  for (AttemptId const& attempt : attempts) columns.add(attempt);
  std::size_t const place = connection_.queue("select_attempts", columns.parameters());
  return read_all(Rows{std::move(connection_.run()[place])},
                  [](Rows& rows) { return FoundAttempt{read_order_key(rows), read_attempt(rows)}; });
}

}  // namespace payonce::postgres
