// What `payonce archive` needs beyond the port: the history of settled orders moves to another database while services
// run on this one. Everything that a rule looks at stays. Not for the service.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "store/archive.h"

namespace payonce {

// An order with everything that hangs on it, and the notices that name one of its payments.
struct ArchivedOrder {
  OrderRecord books;
  std::vector<NoticeRow> notices;
};

// One connection, to a database with services on it or to an archive. One thread; all functions block and throw
// StoreError. Each is one transaction.
class Archivist {
 public:
  virtual ~Archivist() = default;

  // Where a walk over all events stands; at first before the oldest.
  struct Place {
    MerchantId merchant;
    std::int64_t sequence = 0;
  };
  // Orders of which something happened before `before`, each once: those of the next `limit` events behind `place`,
  // which moves on. Empty: there are no more.
  virtual std::vector<OrderKey> aged_orders(Place& place, Time before, std::size_t limit) = 0;

  // Those that exist, in the order given (callers sort).
  virtual std::vector<ArchivedOrder> read(std::span<OrderKey const> orders) = 0;

  // When history of the order was taken away; nothing if it is all here.
  virtual std::optional<Time> archived_at(OrderKey const& order) = 0;

  // Adds what is not here yet and brings the rest up to date; nothing that is here is lost. Durable when it returns.
  virtual void keep(std::span<ArchivedOrder const> orders) = 0;

  // Takes away the history of these orders, which an archive keeps: the timeline, and what was sent and received. Those
  // of which something has happened since they were read are left alone. Returns how many were not. Durable when it
  // returns.
  virtual std::size_t set_aside(std::span<ArchivedOrder const> orders, Time now) = 0;
};

// What an archive lacks of an order as it is now. `kept`: what it has of it, or null.
struct Addition {
  WriteSet rows;  // the timeline is not among them
  std::vector<StoredEvent> events;
  void add(ArchivedOrder const& now, ArchivedOrder const* kept);
};

// Gives back to an order's rows what its archive keeps of them: requests, answers.
void fill_in(Order& order, Order const& kept);
// The same for the bodies of notices.
void fill_in(std::vector<NoticeRow>& notices, std::vector<NoticeRow> const& kept);
// The timeline of both parts.
std::vector<StoredEvent> joined(std::vector<StoredEvent> here, std::vector<StoredEvent> const& kept);

}  // namespace payonce
