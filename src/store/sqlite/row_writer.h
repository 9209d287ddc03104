// Writes the rows that a batch changed.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "store/sqlite/bulk_insert.h"
#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class RowWriter {
 public:
  explicit RowWriter(Connection& connection);

  // Throws StoreError: conflict when a new row exists already, refused when a constraint or a fixed field is violated.
  void write(WriteSet const& changes);
  // Row numbers are remembered over transactions. To be called when one was rolled back or others have written: the
  // numbers may belong to other orders then.
  void forget();

 private:
  struct HashKey {
    std::size_t operator()(OrderKey const& key) const {
      return std::hash<MerchantId>{}(key.merchant) * 31 + std::hash<OrderId>{}(key.order);
    }
  };

  // The row number of an order that exists; refused if it does not.
  std::int64_t order_row(OrderKey const& key);
  // Likewise.
  struct StoredAttempt {
    std::int64_t row;
    bool has_place;
  };
  StoredAttempt& stored_attempt(AttemptId const& id);

  void write_heads(std::vector<WriteSet::Write<OrderHead>> const& heads);
  void write_attempts(std::vector<WriteSet::AttemptWrite> const& attempts);
  void update_attempt(WriteSet::AttemptWrite const& attempt);
  void write_refund(WriteSet::RefundWrite const& refund);
  void write_captures(std::vector<WriteSet::CaptureWrite> const& captures);
  void write_events(std::vector<TimelineEvent> const& events);
  void write_effects(std::vector<Effect> const& effects);
  void write_postings(std::vector<Posting> const& postings);
  void write_notice(NoticeRow const& notice, bool is_new);
  void write_discrepancy(Discrepancy const& discrepancy);

  std::unordered_map<OrderKey, std::int64_t, HashKey> order_rows_;
  std::unordered_map<AttemptId, StoredAttempt> attempts_;

  Statement select_order_row_;
  Statement select_attempt_row_;
  BulkInsert insert_orders_;
  Statement update_order_;
  BulkInsert insert_attempts_;
  Statement update_attempt_;
  Statement move_attempt_;
  Statement insert_refund_;
  Statement update_refund_;
  Statement insert_capture_;
  Statement update_capture_;
  BulkInsert insert_events_;
  BulkInsert insert_effects_;
  BulkInsert insert_postings_;
  Statement insert_notice_;
  Statement update_notice_;
  Statement insert_discrepancy_;
};

}  // namespace payonce::sqlite
