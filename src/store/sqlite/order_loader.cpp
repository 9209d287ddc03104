#include "store/sqlite/order_loader.h"

#include <algorithm>
#include <tuple>

#include "store/read_rows.h"
#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

OrderLoader::OrderLoader(Connection& connection)
    : select_order_(connection, "select_order", sql::select_order),
      select_orders_after_(connection, "select_orders_after", sql::select_orders_after),
      select_attempts_(connection, "select_attempts_of_order", sql::select_attempts_of_order),
      select_refunds_(connection, "select_refunds_of_order", sql::select_refunds_of_order),
      select_attempt_(connection, "select_attempt", sql::select_attempt),
      select_refund_(connection, "select_refund", sql::select_refund),
      select_captures_(connection, "select_captures_of_order", sql::select_captures_of_order),
      select_capture_(connection, "select_capture", sql::select_capture) {}

std::optional<Order> OrderLoader::load(OrderKey const& key) {
  std::optional<Order> order;
  std::int64_t order_row = 0;
  {
    Rows rows = select_order_.query(key.merchant, key.order);
    if (!rows.next()) return order;
    order.emplace(Order{read_order_head(rows), {}, {}});
    order_row = rows.integer();
  }
  load_rest(*order, order_row);
  return order;
}

std::vector<Order> OrderLoader::load_after(OrderKey const& after, std::size_t limit) {
  std::vector<Order> orders;
  std::vector<std::int64_t> order_rows;
  {
    Rows rows = select_orders_after_.query(after.merchant, after.order, limit);
    while (rows.next()) {
      orders.push_back(Order{read_order_head(rows), {}, {}});
      order_rows.push_back(rows.integer());
    }
  }
  for (std::size_t i = 0; i < orders.size(); ++i) load_rest(orders[i], order_rows[i]);
  return orders;
}

void OrderLoader::load_rest(Order& order, std::int64_t order_row) {
  Rows attempts = select_attempts_.query(order_row);
  while (attempts.next()) order.attempts.push_back(read_attempt(attempts));
  // Here and not in the statement: sorting the usual one row would cost more than finding it.
  std::ranges::sort(order.attempts, {}, [](Attempt const& it) { return std::tie(it.created_at, it.id); });

  if (order.head.capture == CaptureMode::manual) {
    Rows captures = select_captures_.query(order_row);
    while (captures.next()) order.captures.push_back(read_capture(captures));
    std::ranges::sort(order.captures, {}, [](Capture const& it) { return std::tie(it.created_at, it.id); });
  }
  // The schema lets nothing else have refunds.
  auto const has_money = [](Attempt const& it) { return came_minor(it) > 0; };
  if (std::ranges::none_of(order.attempts, has_money)) return;
  Rows refunds = select_refunds_.query(order_row);
  while (refunds.next()) order.refunds.push_back(read_refund(refunds));
  std::ranges::sort(order.refunds, {}, [](Refund const& it) { return std::tie(it.created_at, it.id); });
}

std::optional<FoundAttempt> OrderLoader::find(AttemptId const& attempt) {
  Rows rows = select_attempt_.query(attempt);
  if (!rows.next()) return std::nullopt;
  return FoundAttempt{read_order_key(rows), read_attempt(rows)};
}

std::optional<FoundRefund> OrderLoader::find(RefundId const& refund) {
  Rows rows = select_refund_.query(refund);
  if (!rows.next()) return std::nullopt;
  return FoundRefund{read_order_key(rows), read_refund(rows)};
}

std::optional<FoundCapture> OrderLoader::find(CaptureId const& capture) {
  Rows rows = select_capture_.query(capture);
  if (!rows.next()) return std::nullopt;
  return FoundCapture{read_order_key(rows), read_capture(rows)};
}

}  // namespace payonce::sqlite
