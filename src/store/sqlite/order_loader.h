// Loads whole orders; the part that writer and reader share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class OrderLoader {
 public:
  explicit OrderLoader(Connection& connection);

  // The order with all that belongs to it. Consistent only inside a transaction.
  std::optional<Order> load(OrderKey const& key);
  // Up to `limit` orders in key order, from the first after this key.
  std::vector<Order> load_after(OrderKey const& after, std::size_t limit);
  std::optional<FoundAttempt> find(AttemptId const& attempt);
  std::optional<FoundRefund> find(RefundId const& refund);
  std::optional<FoundCapture> find(CaptureId const& capture);

 private:
  // The attempts, captures and refunds of an order of which only the head is there.
  void load_rest(Order& order, std::int64_t order_row);

  Statement select_order_;
  Statement select_orders_after_;
  Statement select_attempts_;
  Statement select_refunds_;
  Statement select_attempt_;
  Statement select_refund_;
  Statement select_captures_;
  Statement select_capture_;
};

}  // namespace payonce::sqlite
