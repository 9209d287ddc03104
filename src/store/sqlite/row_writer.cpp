#include "store/sqlite/row_writer.h"

#include "store/read_rows.h"
#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

namespace {

// So many row numbers are remembered: enough for what is under way in most shops. More would not stay in the
// processor's caches, and take a while to forget.
constexpr std::size_t known_rows_max = 2'048;

// The column `place`.
std::optional<std::string_view> place_of(Attempt const& it) {
  if (!holds_place(it)) return std::nullopt;
  return it.part;
}

void expect_one(int rows_changed, std::string_view what, std::string_view id) {
  if (rows_changed == 1) return;
  throw StoreError(StoreError::Kind::refused, "there is no " + std::string{what} + " " + std::string{id} +
                                                  " with these fixed fields to be changed");
}

}  // namespace

RowWriter::RowWriter(Connection& connection)
    : select_order_row_(connection, "select_order_row", sql::select_order_row),
      select_attempt_row_(connection, "select_attempt_row", sql::select_attempt_row),
      insert_orders_(connection, "insert_order", sql::insert_order),
      update_order_(connection, "update_order", sql::update_order),
      insert_attempts_(connection, "insert_attempt", sql::insert_attempt),
      update_attempt_(connection, "update_attempt", sql::update_attempt),
      move_attempt_(connection, "move_attempt", sql::move_attempt),
      insert_refund_(connection, "insert_refund", sql::insert_refund),
      update_refund_(connection, "update_refund", sql::update_refund),
      insert_capture_(connection, "insert_capture", sql::insert_capture),
      update_capture_(connection, "update_capture", sql::update_capture),
      insert_events_(connection, "insert_event", sql::insert_event),
      insert_effects_(connection, "insert_effect", sql::insert_effect),
      insert_postings_(connection, "insert_posting", sql::insert_posting),
      insert_notice_(connection, "insert_notice", sql::insert_notice),
      update_notice_(connection, "update_notice", sql::update_notice),
      insert_discrepancy_(connection, "insert_discrepancy", sql::insert_discrepancy) {}

void RowWriter::write(WriteSet const& changes) {
  if (order_rows_.size() + attempts_.size() > known_rows_max) forget();
  write_heads(changes.heads);
  write_attempts(changes.attempts);
  for (auto const& refund : changes.refunds) write_refund(refund);
  write_captures(changes.captures);
  write_events(changes.events);
  write_effects(changes.effects);
  write_postings(changes.postings);
  for (auto const& [notice, is_new] : changes.notices) write_notice(notice, is_new);
  for (Discrepancy const& discrepancy : changes.discrepancies) write_discrepancy(discrepancy);
}

void RowWriter::forget() {
  order_rows_.clear();
  attempts_.clear();
}

std::int64_t RowWriter::order_row(OrderKey const& key) {
  if (auto const known = order_rows_.find(key); known != order_rows_.end()) return known->second;
  Rows rows = select_order_row_.query(key.merchant, key.order);
  if (!rows.next()) throw StoreError(StoreError::Kind::refused, "there is no order " + key.order.value);
  return order_rows_.emplace(key, rows.integer()).first->second;
}

RowWriter::StoredAttempt& RowWriter::stored_attempt(AttemptId const& id) {
  if (auto const known = attempts_.find(id); known != attempts_.end()) return known->second;
  Rows rows = select_attempt_row_.query(id);
  if (!rows.next()) throw StoreError(StoreError::Kind::refused, "there is no payment " + id.value);
  return attempts_.emplace(id, StoredAttempt{rows.integer(), rows.boolean()}).first->second;
}

void RowWriter::write_heads(std::vector<WriteSet::Write<OrderHead>> const& heads) {
  std::vector<OrderHead const*> fresh;
  for (auto const& [head, is_new] : heads) {
    if (is_new) {
      fresh.push_back(&head);
      continue;
    }
    int const changed = update_order_.run(order_row(head.key), head.amount.minor, head.amount.currency.code(),
                                          to_text(head.policy), to_text(head.state), head.paid_minor, head.held_minor,
                                          head.metadata, head.updated_at, head.expires_at, head.due_at);
    expect_one(changed, "order", head.key.order.value);
  }
  insert_orders_.insert(
      fresh,
      [](BulkInsert::Slot slot, OrderHead const* it) {
        slot(it->key.merchant, it->key.order, it->amount.minor, it->amount.currency.code(), to_text(it->policy),
             to_text(it->state), it->paid_minor, it->held_minor, it->metadata, it->created_at, it->updated_at,
             it->expires_at, it->due_at, to_text(it->capture));
      },
      [this](OrderHead const* it, std::int64_t row) { order_rows_.emplace(it->key, row); });
}

// Constraints are checked row by row: an attempt that gives the order's place up goes before the one that takes it.
void RowWriter::write_attempts(std::vector<WriteSet::AttemptWrite> const& attempts) {
  std::vector<WriteSet::AttemptWrite const*> fresh;
  for (auto const& attempt : attempts) {
    if (attempt.is_new)
      fresh.push_back(&attempt);
    else if (!holds_place(attempt.row))
      update_attempt(attempt);
  }
  for (auto const& attempt : attempts)
    if (!attempt.is_new && holds_place(attempt.row)) update_attempt(attempt);
  auto const bind = [this](BulkInsert::Slot slot, WriteSet::AttemptWrite const* write) {
    Attempt const& it = write->row;
    slot(write->key.merchant, order_row(write->key), it.id, to_text(write->policy), it.key, it.fingerprint, it.provider,
         it.method, it.amount.minor, it.amount.currency.code(), it.metadata, it.created_at, to_text(it.state),
         captured_or_null(it), it.surplus, it.exposed, it.cancel_requested, it.review, Bytes{it.request},
         it.provider_ref, it.action_url, evidence_text(it.evidence), it.answer_code, Bytes{it.answer}, it.tries,
         it.due_at, it.first_sent_at, it.expires_at, it.updated_at, it.settled_at, it.part, it.disputes, place_of(it));
  };
  insert_attempts_.insert(fresh, bind, [this](WriteSet::AttemptWrite const* write, std::int64_t row) {
    attempts_.emplace(write->row.id, StoredAttempt{row, holds_place(write->row)});
  });
}

// Its place changes seldom, and is had for as long as the state asks for it.
void RowWriter::update_attempt(WriteSet::AttemptWrite const& write) {
  Attempt const& it = write.row;
  StoredAttempt& stored = stored_attempt(it.id);
  bool const has_now = holds_place(it);
  if (has_now && !stored.has_place) move_attempt_.run(stored.row, true);
  int const changed = update_attempt_.run(stored.row, it.id, it.amount.minor, to_text(it.state), it.surplus, it.exposed,
                                          it.cancel_requested, it.review, Bytes{it.request}, it.provider_ref,
                                          it.action_url, evidence_text(it.evidence), it.answer_code, Bytes{it.answer},
                                          it.tries, it.due_at, it.first_sent_at, it.expires_at, it.updated_at,
                                          it.settled_at, it.disputes, captured_or_null(it));
  expect_one(changed, "payment", it.id.value);
  if (!has_now && stored.has_place) move_attempt_.run(stored.row, false);
  stored.has_place = has_now;
}

void RowWriter::write_refund(WriteSet::RefundWrite const& write) {
  Refund const& it = write.row;
  auto const evidence = evidence_text(it.evidence);
  if (write.is_new) {
    insert_refund_.run(write.key.merchant, order_row(write.key), it.id, it.attempt, text_or_null(it.key), it.reason,
                       it.amount.minor, it.amount.currency.code(), it.created_at, to_text(it.state), it.review,
                       Bytes{it.request}, it.provider_ref, evidence, it.answer_code, Bytes{it.answer}, it.tries,
                       it.due_at, it.updated_at, to_text(it.origin));
    return;
  }
  int const changed = update_refund_.run(order_row(write.key), it.id, it.amount.minor, to_text(it.state), it.review,
                                         Bytes{it.request}, it.provider_ref, evidence, it.answer_code, Bytes{it.answer},
                                         it.tries, it.due_at, it.updated_at);
  expect_one(changed, "refund", it.id.value);
}

// One capture of a payment is under way at most: one that ends goes before the one that begins.
void RowWriter::write_captures(std::vector<WriteSet::CaptureWrite> const& captures) {
  for (auto const& [key, it, is_new] : captures) {
    if (is_new) continue;
    int const changed = update_capture_.run(order_row(key), it.id, it.amount.minor, to_text(it.state),
                                            Bytes{it.request}, it.provider_ref, evidence_text(it.evidence),
                                            it.answer_code, Bytes{it.answer}, it.tries, it.due_at, it.updated_at);
    expect_one(changed, "capture", it.id.value);
  }
  for (auto const& [key, it, is_new] : captures)
    if (is_new)
      insert_capture_.run(key.merchant, order_row(key), it.id, it.attempt, text_or_null(it.key), it.amount.minor,
                          it.amount.currency.code(), it.is_final, it.created_at, to_text(it.state), Bytes{it.request},
                          it.provider_ref, evidence_text(it.evidence), it.answer_code, Bytes{it.answer}, it.tries,
                          it.due_at, it.updated_at);
}

void RowWriter::write_events(std::vector<TimelineEvent> const& events) {
  insert_events_.insert(events, [this](BulkInsert::Slot slot, TimelineEvent const& it) {
    slot(it.key.merchant, order_row(it.key), it.attempt, it.refund, it.type, it.from, it.to, evidence_text(it.evidence),
         it.actor, it.code, it.text, it.at);
  });
}

void RowWriter::write_effects(std::vector<Effect> const& effects) {
  insert_effects_.insert(effects, [this](BulkInsert::Slot slot, Effect const& it) {
    slot(stored_attempt(it.attempt).row, it.refund, it.name, it.key.merchant, to_text(it.state), it.tries, it.due_at,
         it.created_at, it.delivered_at, it.last_error);
  });
}

void RowWriter::write_postings(std::vector<Posting> const& postings) {
  insert_postings_.insert(postings, [this](BulkInsert::Slot slot, Posting const& it) {
    slot(it.key.merchant, order_row(it.key), it.attempt, it.refund, it.debit, it.credit, it.amount.minor,
         it.amount.currency.code(), it.at);
  });
}

void RowWriter::write_notice(NoticeRow const& notice, bool is_new) {
  if (!is_new) {
    int const changed =
        update_notice_.run(notice.provider, notice.event_id, to_text(notice.disposition), notice.tries, notice.due_at);
    expect_one(changed, "notice", notice.event_id);
    return;
  }
  Answer const& answer = notice.answer;
  auto const [amount_minor, currency] = columns_of(answer.amount);
  auto const [statement_day, fee] = columns_of(notice.billed);
  insert_notice_.run(notice.provider, notice.event_id, notice.number, notice.refund_number, to_text(notice.disposition),
                     to_text(answer.outcome), answer.provider_ref, amount_minor, currency, answer.code,
                     Bytes{answer.text}, answer.action_url, answer.misfit, Bytes{notice.body}, notice.tries,
                     notice.due_at, notice.received_at, statement_day, fee.minor, fee.currency);
}

void RowWriter::write_discrepancy(Discrepancy const& it) {
  insert_discrepancy_.run(it.id, it.merchant, to_text(it.kind), it.provider, it.day, it.subject, it.number,
                          it.amount.minor, it.amount.currency.code(), it.text, it.found_at, it.resolved_at,
                          it.resolved_by, it.note);
}

}  // namespace payonce::sqlite
