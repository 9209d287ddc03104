#include "store/sqlite/order_loader.h"

#include <algorithm>
#include <tuple>

#include "store/sqlite/rows.h"
#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

OrderLoader::OrderLoader(Connection& connection)
    : select_order_(connection, "select_order", sql::select_order),
      select_attempts_(connection, "select_attempts_of_order", sql::select_attempts_of_order),
      select_refunds_(connection, "select_refunds_of_order", sql::select_refunds_of_order),
      select_attempt_(connection, "select_attempt", sql::select_attempt) {}

std::optional<Order> OrderLoader::load(OrderKey const& key) {
  std::optional<Order> order;
  {
    Rows rows = select_order_.query(key.merchant, key.order);
    if (!rows.next()) return order;
    order.emplace(Order{read_order_head(rows), {}, {}});
  }
  load_rest(*order);
  return order;
}

void OrderLoader::load_rest(Order& order) {
  OrderKey const& key = order.head.key;
  Rows attempts = select_attempts_.query(key.merchant, key.order);
  while (attempts.next()) order.attempts.push_back(read_attempt(attempts));
  // Here and not in the statement: sorting the usual one row would cost more than finding it.
  std::ranges::sort(order.attempts, {}, [](Attempt const& it) { return std::tie(it.created_at, it.id); });

  // The schema lets nothing else have refunds.
  auto const has_money = [](Attempt const& it) { return it.state == AttemptState::succeeded; };
  if (std::ranges::none_of(order.attempts, has_money)) return;
  Rows refunds = select_refunds_.query(key.merchant, key.order);
  while (refunds.next()) order.refunds.push_back(read_refund(refunds));
  std::ranges::sort(order.refunds, {}, [](Refund const& it) { return std::tie(it.created_at, it.id); });
}

std::optional<FoundAttempt> OrderLoader::find(AttemptId const& attempt) {
  Rows rows = select_attempt_.query(attempt);
  if (!rows.next()) return std::nullopt;
  Attempt found = read_attempt(rows);
  return FoundAttempt{read_order_key(rows), std::move(found)};
}

}  // namespace payonce::sqlite
