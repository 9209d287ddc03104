#include "store/postgres/row_writer.h"

#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce::postgres {

RowWriter::RowWriter(Connection& connection) : connection_(connection) {
  connection.add("insert_orders", sql::insert_orders);
  connection.add("update_orders", sql::update_orders);
  connection.add("insert_attempts", sql::insert_attempts);
  connection.add("update_attempts", sql::update_attempts);
  connection.add("insert_refunds", sql::insert_refunds);
  connection.add("update_refunds", sql::update_refunds);
  connection.add("insert_captures", sql::insert_captures);
  connection.add("update_captures", sql::update_captures);
  connection.add("insert_events", sql::insert_events);
  connection.add("insert_effects", sql::insert_effects);
  connection.add("insert_postings", sql::insert_postings);
  connection.add("insert_notices", sql::insert_notices);
  connection.add("update_notices", sql::update_notices);
  connection.add("insert_discrepancies", sql::insert_discrepancies);
}

void RowWriter::write(WriteSet const& changes) {
  write_heads(changes.heads);
  // The index is checked row by row: an attempt that gives the order's place up goes before the one that takes it.
  write_attempts(changes.attempts, false);
  write_attempts(changes.attempts, true);
  write_refunds(changes.refunds);
  write_captures(changes.captures);
  write_events(changes.events);
  write_effects(changes.effects);
  write_postings(changes.postings);
  write_notices(changes.notices);
  write_discrepancies(changes.discrepancies);
}

void RowWriter::queue(char const* name, Columns& rows) {
  if (!rows.empty()) connection_.queue(name, rows.parameters());
}

void RowWriter::write_heads(std::vector<WriteSet::Write<OrderHead>> const& heads) {
  Columns inserts;
  Columns updates;
  for (auto const& [it, is_new] : heads) {
    auto const currency = it.amount.currency.code();
    if (is_new)
      inserts.add(it.key.merchant, it.key.order, it.amount.minor, currency, to_text(it.policy), to_text(it.state),
                  it.paid_minor, it.held_minor, it.metadata, it.created_at, it.updated_at, it.expires_at, it.due_at,
                  to_text(it.capture));
    else
      updates.add(it.key.merchant, it.key.order, it.amount.minor, currency, to_text(it.policy), to_text(it.state),
                  it.paid_minor, it.held_minor, it.metadata, it.updated_at, it.expires_at, it.due_at);
  }
  queue("insert_orders", inserts);
  queue("update_orders", updates);
}

void RowWriter::write_attempts(std::vector<WriteSet::AttemptWrite> const& attempts, bool that_hold_a_place) {
  Columns inserts;
  Columns updates;
  for (auto const& [key, it, is_new, policy] : attempts) {
    if (holds_place(it) != that_hold_a_place) continue;
    auto const evidence = evidence_text(it.evidence);
    if (is_new)
      inserts.add(key.merchant, key.order, it.id, to_text(policy), it.key, it.fingerprint, it.provider, it.method,
                  it.amount.minor, it.amount.currency.code(), it.metadata, it.created_at, to_text(it.state), it.surplus,
                  it.exposed, it.cancel_requested, Words{it.review}, Bytes{it.request}, Words{it.provider_ref},
                  Words{it.action_url}, evidence, Words{it.answer_code}, Bytes{it.answer}, it.tries, it.due_at,
                  it.first_sent_at, it.expires_at, it.updated_at, it.settled_at, it.part, it.disputes,
                  captured_or_null(it));
    else
      updates.add(key.merchant, key.order, it.id, it.amount.minor, to_text(it.state), it.surplus, it.exposed,
                  it.cancel_requested, Words{it.review}, Bytes{it.request}, Words{it.provider_ref},
                  Words{it.action_url}, evidence, Words{it.answer_code}, Bytes{it.answer}, it.tries, it.due_at,
                  it.first_sent_at, it.expires_at, it.updated_at, it.settled_at, it.disputes, captured_or_null(it));
  }
  queue("update_attempts", updates);
  queue("insert_attempts", inserts);
}

void RowWriter::write_refunds(std::vector<WriteSet::RefundWrite> const& refunds) {
  Columns inserts;
  Columns updates;
  for (auto const& [key, it, is_new] : refunds) {
    auto const evidence = evidence_text(it.evidence);
    if (is_new)
      inserts.add(key.merchant, key.order, it.id, it.attempt, text_or_null(it.key), Words{it.reason}, it.amount.minor,
                  it.amount.currency.code(), it.created_at, to_text(it.state), Words{it.review}, Bytes{it.request},
                  Words{it.provider_ref}, evidence, Words{it.answer_code}, Bytes{it.answer}, it.tries, it.due_at,
                  it.updated_at, to_text(it.origin));
    else
      updates.add(key.merchant, key.order, it.id, it.amount.minor, to_text(it.state), Words{it.review},
                  Bytes{it.request}, Words{it.provider_ref}, evidence, Words{it.answer_code}, Bytes{it.answer},
                  it.tries, it.due_at, it.updated_at);
  }
  queue("update_refunds", updates);
  queue("insert_refunds", inserts);
}

void RowWriter::write_captures(std::vector<WriteSet::CaptureWrite> const& captures) {
  Columns inserts;
  Columns updates;
  for (auto const& [key, it, is_new] : captures) {
    auto const evidence = evidence_text(it.evidence);
    if (is_new)
      inserts.add(key.merchant, key.order, it.id, it.attempt, text_or_null(it.key), it.amount.minor,
                  it.amount.currency.code(), it.is_final, it.created_at, to_text(it.state), Bytes{it.request},
                  Words{it.provider_ref}, evidence, Words{it.answer_code}, Bytes{it.answer}, it.tries, it.due_at,
                  it.updated_at);
    else
      updates.add(key.merchant, key.order, it.id, it.amount.minor, to_text(it.state), Bytes{it.request},
                  Words{it.provider_ref}, evidence, Words{it.answer_code}, Bytes{it.answer}, it.tries, it.due_at,
                  it.updated_at);
  }
  // One capture of a payment is under way at most: one that ends goes before the one that begins.
  queue("update_captures", updates);
  queue("insert_captures", inserts);
}

void RowWriter::write_events(std::vector<TimelineEvent> const& events) {
  if (events.empty()) return;
  Columns rows;
  for (TimelineEvent const& it : events)
    rows.add(it.key.merchant, it.key.order, it.attempt, it.refund, it.type, it.from, it.to, evidence_text(it.evidence),
             Words{it.actor}, Words{it.code}, Words{it.text}, it.at);
  connection_.queue("insert_events", rows.parameters(events_written_));
  events_written_ += events.size();
}

void RowWriter::write_effects(std::vector<Effect> const& effects) {
  Columns rows;
  for (Effect const& it : effects)
    rows.add(it.key.merchant, it.attempt, it.refund, it.name, it.key.order, to_text(it.state), it.tries, it.due_at,
             it.created_at, it.delivered_at, Words{it.last_error});
  queue("insert_effects", rows);
}

void RowWriter::write_postings(std::vector<Posting> const& postings) {
  Columns rows;
  for (Posting const& it : postings)
    rows.add(it.key.merchant, it.key.order, it.attempt, it.refund, it.debit, it.credit, it.amount.minor,
             it.amount.currency.code(), it.at);
  queue("insert_postings", rows);
}

void RowWriter::write_notices(std::vector<WriteSet::Write<NoticeRow>> const& notices) {
  Columns inserts;
  Columns updates;
  for (auto const& [it, is_new] : notices) {
    if (!is_new) {
      updates.add(it.provider, it.event_id, to_text(it.disposition), it.tries, it.due_at);
      continue;
    }
    Answer const& answer = it.answer;
    auto const [minor, currency] = columns_of(answer.amount);
    auto const [statement_day, fee] = columns_of(it.billed);
    inserts.add(it.provider, it.event_id, it.number, it.refund_number, to_text(it.disposition), to_text(answer.outcome),
                Words{answer.provider_ref}, minor, currency, Words{answer.code}, Bytes{answer.text},
                Words{answer.action_url}, Words{answer.misfit}, Bytes{it.body}, it.tries, it.due_at, it.received_at,
                statement_day, fee.minor, fee.currency);
  }
  queue("insert_notices", inserts);
  queue("update_notices", updates);
}

void RowWriter::write_discrepancies(std::vector<Discrepancy> const& discrepancies) {
  Columns rows;
  for (Discrepancy const& it : discrepancies)
    rows.add(it.id, it.merchant, to_text(it.kind), it.provider, it.day, it.subject, it.number, it.amount.minor,
             it.amount.currency.code(), Words{it.text}, it.found_at, it.resolved_at, Words{it.resolved_by},
             Words{it.note});
  queue("insert_discrepancies", rows);
}

}  // namespace payonce::postgres
