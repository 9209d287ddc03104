// Loads whole orders; the part that writer and reader share.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace payonce::postgres {

// One view of the data for all statements until the transaction ends.
inline constexpr std::string_view begin_snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

class OrderLoader {
 public:
  // The connection must outlive this.
  explicit OrderLoader(Connection& connection);

  // All in one go: locks the orders in the order given, then reads what belongs to them, which nobody else changes
  // from then on. Absent orders are left out.
  std::vector<Order> lock(std::span<OrderKey const> keys);
  // The order with all that belongs to it, in a snapshot of its own and in one go.
  std::optional<Order> load(OrderKey const& key);
  // Up to `limit` orders in key order, from the first after this key. Consistent only inside a snapshot.
  std::vector<Order> load_after(OrderKey const& after, std::size_t limit);
  // Those that exist, in the order given.
  std::vector<FoundAttempt> find(std::span<AttemptId const> attempts);

 private:
  struct Rest {
    std::size_t attempts_place;
    std::size_t refunds_place;
  };
  Rest queue_rest(std::span<OrderKey const> keys);
  // One more question, and only if an order with manual capture is among them: most have no captures.
  void load_captures(std::span<OrderKey const> keys, std::vector<std::size_t> const& index_of,
                     std::vector<Order>& orders);

  Connection& connection_;
};

}  // namespace payonce::postgres
