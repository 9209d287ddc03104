// What moving a shop's books to another database needs beyond the port: every row, whoever it belongs to, and rows that
// are put in as they were. Not for the service.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "store/store.h"

namespace payonce {

// An order with everything that hangs on it.
struct OrderRecord {
  Order order;
  std::vector<StoredEvent> events;  // by sequence
  std::vector<Effect> effects;      // by attempt and name
  std::vector<Posting> journal;     // as they were written
  std::optional<Time> archived_at;  // when history of it was moved to an archive (store/archivist.h)
};

// Where a page of statements ended.
struct StatementId {
  std::string provider;
  std::string day;
};
// The same of discrepancies.
struct DiscrepancyKey {
  MerchantId merchant;
  std::string id;
};

struct StoredAudit {
  std::int64_t sequence;
  AuditRow row;
};

// One transaction over a database whose schema is up to date, in one snapshot, while nobody else writes. What was
// inserted is there only after commit(); an archive that is dropped before leaves no trace. One thread; all functions
// block and throw StoreError.
class Archive {
 public:
  virtual ~Archive() = default;

  // From the first behind `after` on, in the order of their keys; an empty key: from the start.
  virtual std::vector<OrderRecord> orders_after(OrderKey const& after, std::size_t limit) = 0;
  virtual std::vector<NoticeRow> notices_after(NoticeId const& after, std::size_t limit) = 0;
  virtual std::vector<StoredAudit> audit_after(MerchantId const& merchant, std::int64_t sequence,
                                               std::size_t limit) = 0;
  virtual std::vector<StatementRow> statements_after(StatementId const& after, std::size_t limit) = 0;
  virtual std::vector<Discrepancy> discrepancies_after(DiscrepancyKey const& after, std::size_t limit) = 0;
  // All of them, sorted by merchant and hash. They are few.
  virtual std::vector<ApiKeyRow> api_keys() = 0;

  // Events keep their sequences, so that cursors of the feed stay good.
  virtual void insert(std::span<OrderRecord const> orders) = 0;
  virtual void insert(std::span<NoticeRow const> notices) = 0;
  virtual void insert(std::span<StatementRow const> statements) = 0;
  virtual void insert(std::span<Discrepancy const> discrepancies) = 0;
  virtual void insert(std::span<ApiKeyRow const> keys) = 0;
  // In the order given; the sequences are made anew.
  virtual void insert(std::span<StoredAudit const> rows) = 0;
  virtual void commit() = 0;
};

// The rows of the orders that the writers of the port write; the events are not among them.
inline WriteSet rows_of(std::span<OrderRecord const> records) {
  WriteSet rows;
  for (OrderRecord const& it : records) {
    OrderHead const& head = it.order.head;
    rows.heads.push_back({head, true});
    for (Attempt const& attempt : it.order.attempts) rows.attempts.push_back({head.key, attempt, true, head.policy});
    for (Refund const& refund : it.order.refunds) rows.refunds.push_back({head.key, refund, true});
    for (Capture const& capture : it.order.captures) rows.captures.push_back({head.key, capture, true});
    rows.effects.insert(rows.effects.end(), it.effects.begin(), it.effects.end());
    rows.postings.insert(rows.postings.end(), it.journal.begin(), it.journal.end());
  }
  return rows;
}

}  // namespace payonce
