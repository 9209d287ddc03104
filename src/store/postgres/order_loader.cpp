#include "store/postgres/order_loader.h"

#include <algorithm>

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
template <class Row, class Read>
void read_into(std::vector<Row> Order::* rows_of, Read read, Rows rows, std::vector<std::size_t> const& index_of,
               std::vector<Order>& orders) {
  while (rows.next()) {
    std::size_t const index = index_of[static_cast<std::size_t>(rows.integer() - 1)];
    if (index != absent) (orders[index].*rows_of).push_back(read(rows));
  }
}

void read_attempts(Rows rows, std::vector<std::size_t> const& index_of, std::vector<Order>& orders) {
  read_into(&Order::attempts, read_attempt<Rows>, std::move(rows), index_of, orders);
}

void read_refunds(Rows rows, std::vector<std::size_t> const& index_of, std::vector<Order>& orders) {
  read_into(&Order::refunds, read_refund<Rows>, std::move(rows), index_of, orders);
}

void read_captures(Rows rows, std::vector<std::size_t> const& index_of, std::vector<Order>& orders) {
  read_into(&Order::captures, read_capture<Rows>, std::move(rows), index_of, orders);
}

Order read_head(Rows& rows) { return Order{read_order_head(rows), {}, {}}; }

}  // namespace

OrderLoader::OrderLoader(Connection& connection) : connection_(connection) {
  connection.add("lock_orders", sql::lock_orders);
  connection.add("select_order", sql::select_order);
  connection.add("select_orders_after", sql::select_orders_after);
  connection.add("select_attempts_of_orders", sql::select_attempts_of_orders);
  connection.add("select_refunds_of_orders", sql::select_refunds_of_orders);
  connection.add("select_captures_of_orders", sql::select_captures_of_orders);
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
  load_captures(keys, index_of, orders);
  return orders;
}

std::optional<Order> OrderLoader::load(OrderKey const& key) {
  connection_.queue_text("BEGIN", begin_snapshot);
  std::size_t const place = connection_.queue("select_order", Parameters::of(key.merchant, key.order));
  Rest const rest = queue_rest({&key, 1});
  std::size_t const captures_place = connection_.queue("select_captures_of_orders", key_arrays({&key, 1}));
  connection_.queue_text("COMMIT", "COMMIT");
  auto results = connection_.run();
  auto orders = read_all(Rows{std::move(results[place])}, read_head);
  if (orders.empty()) return std::nullopt;
  read_attempts(Rows{std::move(results[rest.attempts_place])}, {0}, orders);
  read_refunds(Rows{std::move(results[rest.refunds_place])}, {0}, orders);
  read_captures(Rows{std::move(results[captures_place])}, {0}, orders);
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
  load_captures(keys, index_of, orders);
  return orders;
}

OrderLoader::Rest OrderLoader::queue_rest(std::span<OrderKey const> keys) {
  std::size_t const attempts = connection_.queue("select_attempts_of_orders", key_arrays(keys));
  return {attempts, connection_.queue("select_refunds_of_orders", key_arrays(keys))};
}

void OrderLoader::load_captures(std::span<OrderKey const> keys, std::vector<std::size_t> const& index_of,
                                std::vector<Order>& orders) {
  auto const may_have_some = [](Order const& it) { return it.head.capture == CaptureMode::manual; };
  if (std::ranges::none_of(orders, may_have_some)) return;
  std::size_t const place = connection_.queue("select_captures_of_orders", key_arrays(keys));
  read_captures(Rows{std::move(connection_.run()[place])}, index_of, orders);
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
