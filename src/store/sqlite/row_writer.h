// Writes the rows that a batch changed.
#pragma once

#include "store/sqlite/statement.h"
#include "store/store.h"

namespace payonce::sqlite {

class RowWriter {
 public:
  explicit RowWriter(Connection& connection);

  // Throws StoreError: conflict when a new row exists already, refused when a constraint or a fixed field is violated.
  void write(WriteSet const& changes);

 private:
  void write_head(OrderHead const& head, bool is_new);
  void write_attempt(WriteSet::AttemptWrite const& attempt);
  void write_refund(WriteSet::RefundWrite const& refund);
  void write_event(TimelineEvent const& event);
  void write_notice(NoticeRow const& notice, bool is_new);

  Statement insert_order_;
  Statement update_order_;
  Statement insert_attempt_;
  Statement update_attempt_;
  Statement insert_refund_;
  Statement update_refund_;
  Statement insert_event_;
  Statement insert_effect_;
  Statement insert_notice_;
  Statement update_notice_;
};

}  // namespace payonce::sqlite
