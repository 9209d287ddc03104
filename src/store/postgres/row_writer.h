// Writes the rows that a batch changed: one statement per table and kind of write, all of them queued and sent with
// the commit.
#pragma once

#include <span>
#include <vector>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace payonce::postgres {

class RowWriter {
 public:
  // The connection must outlive this.
  explicit RowWriter(Connection& connection);

  void begin() { events_written_ = 0; }
  // What is wrong with the rows, the commit tells: conflict when a new row exists already, refused when a constraint
  // or a fixed field is violated.
  void write(WriteSet const& changes);

 private:
  void write_heads(std::vector<WriteSet::Write<OrderHead>> const& heads);
  void write_attempts(std::vector<WriteSet::AttemptWrite> const& attempts, bool that_hold_a_place);
  void write_refunds(std::vector<WriteSet::RefundWrite> const& refunds);
  void write_captures(std::vector<WriteSet::CaptureWrite> const& captures);
  void write_events(std::vector<TimelineEvent> const& events);
  void write_effects(std::vector<Effect> const& effects);
  void write_postings(std::vector<Posting> const& postings);
  void write_notices(std::vector<WriteSet::Write<NoticeRow>> const& notices);
  void write_discrepancies(std::vector<Discrepancy> const& discrepancies);
  // Nothing if there are no rows.
  void queue(char const* name, Columns& rows);

  Connection& connection_;
  std::size_t events_written_ = 0;  // in this transaction
};

}  // namespace payonce::postgres
