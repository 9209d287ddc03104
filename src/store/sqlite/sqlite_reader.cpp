#include "store/sqlite/sqlite_reader.h"

#include "store/read_rows.h"
#include "store/sqlite/sql.gen.h"

namespace payonce::sqlite {

SqliteReader::SqliteReader(std::string const& path, Durability& durability)
    : connection_(path, Connection::Use::read),
      durability_(durability),
      orders_(connection_),
      begin_(connection_, "begin", "BEGIN"),
      select_api_key_(connection_, "select_api_key", sql::select_api_key),
      select_api_keys_(connection_, "select_api_keys", sql::select_api_keys),
      select_events_after_(connection_, "select_events_after", sql::select_events_after),
      select_timeline_(connection_, "select_timeline", sql::select_timeline),
      select_effects_of_order_(connection_, "select_effects_of_order", sql::select_effects_of_order),
      select_dead_effects_(connection_, "select_dead_effects", sql::select_dead_effects),
      select_notices_of_number_(connection_, "select_notices_of_number", sql::select_notices_of_number),
      select_due_attempts_(connection_, "select_due_attempts", sql::select_due_attempts),
      select_due_refunds_(connection_, "select_due_refunds", sql::select_due_refunds),
      select_due_captures_(connection_, "select_due_captures", sql::select_due_captures),
      select_due_orders_(connection_, "select_due_orders", sql::select_due_orders),
      select_journal_(connection_, "select_journal", sql::select_journal),
      select_turnovers_(connection_, "select_turnovers", sql::select_turnovers),
      select_due_notices_(connection_, "select_due_notices", sql::select_due_notices),
      select_attempts_in_review_(connection_, "select_attempts_in_review", sql::select_attempts_in_review),
      select_backlog_(connection_, "select_backlog", sql::select_backlog),
      select_unbilled_(connection_, "select_unbilled", sql::select_unbilled),
      select_statement_(connection_, "select_statement", sql::select_statement),
      select_open_discrepancies_(connection_, "select_open_discrepancies", sql::select_open_discrepancies) {}

SqliteReader::Snapshot::~Snapshot() {
  // What was read stays true whether this succeeds or not.
  if (reader_.connection_.in_transaction())
    sqlite3_exec(reader_.connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

std::optional<Order> SqliteReader::find_order(OrderKey const& key) {
  Snapshot const snapshot(*this);
  return orders_.load(key);
}

std::vector<FoundAttempt> SqliteReader::find_attempts(std::span<AttemptId const> attempts) {
  // Not for what they see: one look at the locks instead of one for each.
  std::optional<Snapshot> snapshot;
  if (attempts.size() > 1) snapshot.emplace(*this);
  std::vector<FoundAttempt> found;
  found.reserve(attempts.size());
  for (AttemptId const& attempt : attempts)
    if (auto it = orders_.find(attempt)) found.push_back(std::move(*it));
  return found;
}

std::optional<FoundRefund> SqliteReader::find_refund(RefundId const& refund) { return orders_.find(refund); }

std::optional<FoundCapture> SqliteReader::find_capture(CaptureId const& capture) { return orders_.find(capture); }

std::optional<ApiKeyRow> SqliteReader::find_api_key(std::string const& hash_hex) {
  return read_one(select_api_key_.query(hash_hex), read_api_key);
}

std::vector<ApiKeyRow> SqliteReader::api_keys(MerchantId const& merchant) {
  return read_all(select_api_keys_.query(merchant), read_api_key);
}

std::vector<StoredEvent> SqliteReader::events_after(MerchantId const& merchant, std::int64_t after, std::size_t limit) {
  return read_all(select_events_after_.query(merchant, after, limit), [](Rows& rows) { return read_event(rows); });
}

std::vector<StoredEvent> SqliteReader::timeline(OrderKey const& key) {
  return read_all(select_timeline_.query(key.merchant, key.order), [](Rows& rows) { return read_event(rows); });
}

std::vector<Effect> SqliteReader::effects_of(OrderKey const& key) {
  return read_all(select_effects_of_order_.query(key.merchant, key.order),
                  [](Rows& rows) { return read_effect(rows); });
}

std::vector<Effect> SqliteReader::dead_effects(MerchantId const& merchant, std::size_t limit) {
  return read_all(select_dead_effects_.query(merchant, limit), [](Rows& rows) { return read_effect(rows); });
}

std::vector<NoticeRow> SqliteReader::notices_of(AttemptId const& attempt) {
  return read_all(select_notices_of_number_.query(attempt), [](Rows& rows) { return read_notice(rows); });
}

std::vector<DueAttempt> SqliteReader::due_attempts(Time now, std::size_t limit) {
  return read_all(select_due_attempts_.query(now, limit), [](Rows& rows) {
    return DueAttempt{read_order_key(rows), AttemptId{rows.text_view()}, rows.time()};
  });
}

std::vector<DueRefund> SqliteReader::due_refunds(Time now, std::size_t limit) {
  return read_all(select_due_refunds_.query(now, limit),
                  [](Rows& rows) { return DueRefund{read_order_key(rows), RefundId{rows.text_view()}, rows.time()}; });
}

std::vector<DueCapture> SqliteReader::due_captures(Time now, std::size_t limit) {
  return read_all(select_due_captures_.query(now, limit), [](Rows& rows) {
    return DueCapture{read_order_key(rows), CaptureId{rows.text_view()}, rows.time()};
  });
}

std::vector<DueOrder> SqliteReader::due_orders(Time now, std::size_t limit) {
  return read_all(select_due_orders_.query(now, limit),
                  [](Rows& rows) { return DueOrder{read_order_key(rows), rows.time()}; });
}

std::vector<Posting> SqliteReader::journal_of(OrderKey const& key) {
  return read_all(select_journal_.query(key.merchant, key.order), read_posting);
}

std::vector<Turnover> SqliteReader::turnovers(MerchantId const& merchant, Time from, Time until) {
  return read_all(select_turnovers_.query(merchant, from, until), read_turnover);
}

std::vector<NoticeRow> SqliteReader::due_notices(Time now, std::size_t limit) {
  return read_all(select_due_notices_.query(now, limit), [](Rows& rows) { return read_notice(rows); });
}

std::vector<FoundAttempt> SqliteReader::attempts_in_review(MerchantId const& merchant, std::size_t limit) {
  Snapshot const snapshot(*this);
  std::vector<FoundAttempt> found;
  auto const ids = read_all(select_attempts_in_review_.query(merchant, limit),
                            [](Rows& rows) { return AttemptId{rows.text_view()}; });
  for (AttemptId const& id : ids)
    if (auto attempt = orders_.find(id)) found.push_back(std::move(*attempt));
  return found;
}

Reader::Backlog SqliteReader::backlog() {
  auto const backlog = read_one(select_backlog_.query(), [](Rows& rows) {
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

std::vector<Posting> SqliteReader::unbilled(MerchantId const& merchant, std::string const& provider, Time from,
                                            Time until, std::size_t limit) {
  return read_all(select_unbilled_.query(merchant, from, until, provider, limit), read_posting);
}

std::optional<StatementRow> SqliteReader::find_statement(std::string const& provider, std::string const& day) {
  return read_one(select_statement_.query(provider, day), read_statement);
}

std::vector<Discrepancy> SqliteReader::open_discrepancies(MerchantId const& merchant, std::size_t limit) {
  return read_all(select_open_discrepancies_.query(merchant, limit), read_discrepancy);
}

std::vector<Order> SqliteReader::orders_after(OrderKey const& after, std::size_t limit) {
  Snapshot const snapshot(*this);
  return orders_.load_after(after, limit);
}

}  // namespace payonce::sqlite
