// Loads whole orders; the part that writer and reader share.
#pragma once

#include <optional>

#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class OrderLoader {
 public:
  explicit OrderLoader(Connection& connection);

  // The order with all that belongs to it. Consistent only inside a transaction.
  std::optional<Order> load(OrderKey const& key);
  // The attempts and refunds of an order of which only the head is there.
  void load_rest(Order& order);
  std::optional<FoundAttempt> find(AttemptId const& attempt);

 private:
  Statement select_order_;
  Statement select_attempts_;
  Statement select_refunds_;
  Statement select_attempt_;
};

}  // namespace payonce::sqlite
