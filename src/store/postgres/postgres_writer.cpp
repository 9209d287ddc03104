#include "store/postgres/postgres_writer.h"

#include "store/postgres/sql.gen.h"
#include "store/read_rows.h"

namespace payonce::postgres {

namespace {

// Answers that stand behind the place of their question (from 1), in the order of the questions.
template <class Read>
auto read_answers(Rows rows, std::size_t questions, Read read) {
  std::vector<std::optional<decltype(read(rows))>> answers(questions);
  while (rows.next()) {
    auto const place = static_cast<std::size_t>(rows.integer());
    answers[place - 1] = read(rows);
  }
  return answers;
}

}  // namespace

PostgresWriter::PostgresWriter(ConnectionSettings const& settings)
    : connection_(settings), orders_(connection_), rows_(connection_), claims_(connection_) {
  connection_.add("select_holders_of_keys", sql::select_holders_of_keys);
  connection_.add("select_orders_of_attempts", sql::select_orders_of_attempts);
  connection_.add("select_notices", sql::select_notices);
  connection_.add("insert_api_key", sql::insert_api_key);
  connection_.add("revoke_api_key", sql::revoke_api_key);
  connection_.add("insert_audit", sql::insert_audit);
  connection_.add("put_statement", sql::put_statement);
  connection_.add("resolve_discrepancy", sql::resolve_discrepancy);
  connection_.add("resolve_answered_discrepancies", sql::resolve_answered_discrepancies);
}

void PostgresWriter::begin() {
  connection_.open();
  rows_.begin();
  // Each statement sees what was committed before it: what follows a lock sees what its last holder wrote.
  connection_.queue_text("BEGIN", "BEGIN ISOLATION LEVEL READ COMMITTED");
}

std::vector<std::optional<KeyHolder>> PostgresWriter::find_keys(std::span<MerchantKey const> keys) {
  if (keys.empty()) return {};
  Columns questions;
  for (MerchantKey const& key : keys) questions.add(key.merchant, key.key);
  std::size_t const place = connection_.queue("select_holders_of_keys", questions.parameters());
  auto holders = read_answers(Rows{std::move(connection_.run()[place])}, keys.size(), [](Rows& rows) {
    return KeyHolder{OrderKey{{}, OrderId{rows.text_view()}}, AttemptId{rows.text_view()}, RefundId{rows.text_view()},
                     CaptureId{rows.text_view()}};
  });
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (holders[i]) holders[i]->order.merchant = keys[i].merchant;
  return holders;
}

std::vector<std::optional<OrderKey>> PostgresWriter::find_attempts(std::span<AttemptId const> attempts) {
  if (attempts.empty()) return {};
  Columns questions;
  for (AttemptId const& attempt : attempts) questions.add(attempt);
  std::size_t const place = connection_.queue("select_orders_of_attempts", questions.parameters());
  return read_answers(Rows{std::move(connection_.run()[place])}, attempts.size(),
                      [](Rows& rows) { return read_order_key(rows); });
}

std::vector<std::optional<NoticeRow>> PostgresWriter::find_notices(std::span<NoticeId const> ids) {
  if (ids.empty()) return {};
  Columns questions;
  for (NoticeId const& id : ids) questions.add(id.provider, id.event_id);
  std::size_t const place = connection_.queue("select_notices", questions.parameters());
  return read_answers(Rows{std::move(connection_.run()[place])}, ids.size(), read_notice);
}

void PostgresWriter::insert_api_key(ApiKeyRow const& key) {
  connection_.query("insert_api_key", key.merchant, key.hash_hex, key.name, key.created_at, key.revoked_at);
}

bool PostgresWriter::revoke_api_key(MerchantId const& merchant, std::string const& name, Time now) {
  return connection_.query("revoke_api_key", merchant, name, now).changed() > 0;
}

void PostgresWriter::insert_audit(AuditRow const& row) {
  connection_.queue("insert_audit", Parameters::of(row.merchant, Words{row.actor}, row.action, row.detail, row.at));
}

void PostgresWriter::put_statement(StatementRow const& it) {
  connection_.queue("put_statement", Parameters::of(it.provider, it.day, it.digest_hex, it.lines, it.imported_at));
}

bool PostgresWriter::resolve_discrepancy(MerchantId const& merchant, std::string const& id, std::string const& actor,
                                         std::string const& note, Time now) {
  return connection_.query("resolve_discrepancy", merchant, id, Words{actor}, Words{note}, now).changed() > 0;
}

void PostgresWriter::resolve_answered_discrepancies(std::string const& provider, Time now) {
  connection_.queue("resolve_answered_discrepancies", Parameters::of(provider, now));
}

}  // namespace payonce::postgres
