#include "store/postgres/postgres_reader.h"

#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce::postgres {

PostgresReader::PostgresReader(ConnectionSettings const& settings) : connection_(settings), orders_(connection_) {
  connection_.add("select_refund", sql::select_refund);
  connection_.add("select_capture", sql::select_capture);
  connection_.add("select_api_key", sql::select_api_key);
  connection_.add("select_api_keys", sql::select_api_keys);
  connection_.add("select_events_after", sql::select_events_after);
  connection_.add("select_timeline", sql::select_timeline);
  connection_.add("select_effects_of_order", sql::select_effects_of_order);
  connection_.add("select_dead_effects", sql::select_dead_effects);
  connection_.add("select_notices_of_number", sql::select_notices_of_number);
  connection_.add("select_due_attempts", sql::select_due_attempts);
  connection_.add("select_due_refunds", sql::select_due_refunds);
  connection_.add("select_due_captures", sql::select_due_captures);
  connection_.add("select_due_orders", sql::select_due_orders);
  connection_.add("select_journal", sql::select_journal);
  connection_.add("select_turnovers", sql::select_turnovers);
  connection_.add("select_due_notices", sql::select_due_notices);
  connection_.add("select_attempts_in_review", sql::select_attempts_in_review);
  connection_.add("select_backlog", sql::select_backlog);
  connection_.add("select_unbilled", sql::select_unbilled);
  connection_.add("select_statement", sql::select_statement);
  connection_.add("select_open_discrepancies", sql::select_open_discrepancies);
}

template <class Question>
auto PostgresReader::ask(Question question) {
  connection_.open();
  try {
    return question();
  } catch (StoreError const& error) {
    connection_.rollback();
    if (error.kind != StoreError::Kind::conflict) throw;
  }
  connection_.open();
  return question();
}

template <class Question>
auto PostgresReader::ask_in_snapshot(Question question) {
  return ask([&] {
    connection_.queue_text("BEGIN", begin_snapshot);
    auto answer = question();
    connection_.rollback();
    return answer;
  });
}

template <class... Values>
Rows PostgresReader::query(char const* name, Values const&... values) {
  return ask([&] { return connection_.query(name, values...); });
}

std::optional<Order> PostgresReader::find_order(OrderKey const& key) {
  return ask([&] { return orders_.load(key); });
}

std::vector<FoundAttempt> PostgresReader::find_attempts(std::span<AttemptId const> attempts) {
  return ask([&] { return orders_.find(attempts); });
}

std::optional<FoundRefund> PostgresReader::find_refund(RefundId const& refund) {
  return read_one(query("select_refund", refund),
                  [](Rows& rows) { return FoundRefund{read_order_key(rows), read_refund(rows)}; });
}

std::optional<FoundCapture> PostgresReader::find_capture(CaptureId const& capture) {
  return read_one(query("select_capture", capture),
                  [](Rows& rows) { return FoundCapture{read_order_key(rows), read_capture(rows)}; });
}

std::optional<ApiKeyRow> PostgresReader::find_api_key(std::string const& hash_hex) {
  return read_one(query("select_api_key", hash_hex), read_api_key);
}

std::vector<ApiKeyRow> PostgresReader::api_keys(MerchantId const& merchant) {
  return read_all(query("select_api_keys", merchant), read_api_key);
}

std::vector<StoredEvent> PostgresReader::events_after(MerchantId const& merchant, std::int64_t after,
                                                      std::size_t limit) {
  return read_all(query("select_events_after", merchant, after, limit), read_event);
}

std::vector<StoredEvent> PostgresReader::timeline(OrderKey const& key) {
  return read_all(query("select_timeline", key.merchant, key.order), read_event);
}

std::vector<Effect> PostgresReader::effects_of(OrderKey const& key) {
  return read_all(query("select_effects_of_order", key.merchant, key.order), read_effect);
}

std::vector<Effect> PostgresReader::dead_effects(MerchantId const& merchant, std::size_t limit) {
  return read_all(query("select_dead_effects", merchant, limit), read_effect);
}

std::vector<NoticeRow> PostgresReader::notices_of(AttemptId const& attempt) {
  return read_all(query("select_notices_of_number", attempt), read_notice);
}

std::vector<DueAttempt> PostgresReader::due_attempts(Time now, std::size_t limit) {
  return read_all(query("select_due_attempts", now, limit), [](Rows& rows) {
    return DueAttempt{read_order_key(rows), AttemptId{rows.text_view()}, rows.time()};
  });
}

std::vector<DueRefund> PostgresReader::due_refunds(Time now, std::size_t limit) {
  return read_all(query("select_due_refunds", now, limit),
                  [](Rows& rows) { return DueRefund{read_order_key(rows), RefundId{rows.text_view()}, rows.time()}; });
}

std::vector<DueCapture> PostgresReader::due_captures(Time now, std::size_t limit) {
  return read_all(query("select_due_captures", now, limit), [](Rows& rows) {
    return DueCapture{read_order_key(rows), CaptureId{rows.text_view()}, rows.time()};
  });
}

std::vector<DueOrder> PostgresReader::due_orders(Time now, std::size_t limit) {
  return read_all(query("select_due_orders", now, limit),
                  [](Rows& rows) { return DueOrder{read_order_key(rows), rows.time()}; });
}

std::vector<Posting> PostgresReader::journal_of(OrderKey const& key) {
  return read_all(query("select_journal", key.merchant, key.order), read_posting);
}

std::vector<Turnover> PostgresReader::turnovers(MerchantId const& merchant, Time from, Time until) {
  return read_all(query("select_turnovers", merchant, from, until), read_turnover);
}

std::vector<NoticeRow> PostgresReader::due_notices(Time now, std::size_t limit) {
  return read_all(query("select_due_notices", now, limit), read_notice);
}

std::vector<FoundAttempt> PostgresReader::attempts_in_review(MerchantId const& merchant, std::size_t limit) {
  return ask_in_snapshot([&] {
    auto const ids = read_all(connection_.query("select_attempts_in_review", merchant, limit),
                              [](Rows& rows) { return AttemptId{rows.text_view()}; });
    return orders_.find(ids);
  });
}

Reader::Backlog PostgresReader::backlog() {
  auto const backlog = read_one(query("select_backlog"), [](Rows& rows) {
    return Backlog{.oldest_unknown = rows.optional_time(),
                   .unknown = rows.integer(),
                   .in_review = rows.integer(),
                   .effects_pending = rows.integer(),
                   .effects_dead = rows.integer(),
                   .notices_unmatched = rows.integer(),
                   .discrepancies = rows.integer()};
  });
  return backlog.value_or(Backlog{});
}

std::vector<Posting> PostgresReader::unbilled(MerchantId const& merchant, std::string const& provider, Time from,
                                              Time until, std::size_t limit) {
  return read_all(query("select_unbilled", merchant, from, until, provider, limit), read_posting);
}

std::optional<StatementRow> PostgresReader::find_statement(std::string const& provider, std::string const& day) {
  return read_one(query("select_statement", provider, day), read_statement);
}

std::vector<Discrepancy> PostgresReader::open_discrepancies(MerchantId const& merchant, std::size_t limit) {
  return read_all(query("select_open_discrepancies", merchant, limit), read_discrepancy);
}

std::vector<Order> PostgresReader::orders_after(OrderKey const& after, std::size_t limit) {
  return ask_in_snapshot([&] { return orders_.load_after(after, limit); });
}

}  // namespace payonce::postgres
