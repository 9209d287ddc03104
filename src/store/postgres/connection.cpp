#include "store/postgres/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "base/log.h"
#include "store/postgres/errors.h"
#include "store/postgres/sql.gen.h"

namespace payonce::postgres {

namespace {

using namespace std::chrono_literals;

// How long a lane waits for a server that restarts or is being replaced by its standby, before its callers are told.
constexpr auto open_patience = 10s;
constexpr Millis first_pause{20};
constexpr Millis longest_pause{500};

constexpr std::size_t no_commit = std::numeric_limits<std::size_t>::max();
constexpr int oldest_server_version = 130'000;  // pg_current_xact_id()
constexpr int binary = 1;

void log_notice(void*, PGresult const* notice) {
  char const* const severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  char const* const message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
  bool const is_warning = severity && std::string_view{severity} == "WARNING";
  std::string_view const text = message ? message : "";
  if (is_warning)
    log_warn("PostgreSQL: {}", text);
  else
    log_debug("PostgreSQL: {}", text);
}

bool is_error(PGresult const* result) {
  switch (PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_EMPTY_QUERY: return false;
    default: return true;
  }
}

// Several lines of libpq as one sentence; they name host, user and database, never the password.
std::string one_line(char const* message) {
  std::string text = message;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\t', ' ');
  return text;
}

[[noreturn]] void throw_unavailable(std::string const& why) {
  throw StoreError(StoreError::Kind::unavailable, "PostgreSQL: " + why);
}

}  // namespace

void Connection::open() {
  SystemClock const clock;
  auto const deadline = clock.monotonic() + open_patience;
  for (Millis pause = first_pause;; pause = std::min(2 * pause, longest_pause)) {
    try {
      return open_without_waiting();
    } catch (StoreError const& error) {
      bool const is_over = is_given_up_ || clock.monotonic() + pause > deadline;
      if (is_over) {
        is_given_up_ = true;
        throw;
      }
      log_debug("waiting for the database: {}", error.what());
    }
    std::this_thread::sleep_for(pause);
  }
}

void Connection::open_without_waiting() {
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return;
  close();
  try {
    connect();
    set_up_session();
  } catch (StoreError const& error) {
    close();
    throw StoreError(StoreError::Kind::unavailable, error.what());
  }
  is_given_up_ = false;
}

void Connection::close() noexcept {
  queued_.clear();
  connection_.reset();
}

void Connection::connect() {
  connection_.reset(PQconnectdbParams(settings_.keywords().data(), settings_.values().data(), 0));
  PGconn* const connection = connection_.get();
  if (PQstatus(connection) != CONNECTION_OK) throw_unavailable(one_line(PQerrorMessage(connection)));
  PQsetNoticeReceiver(connection, log_notice, nullptr);
  if (PQserverVersion(connection) < oldest_server_version)
    throw_unavailable("the server is too old; use PostgreSQL 13 or newer");
  char const* const encoding = PQparameterStatus(connection, "server_encoding");
  if (!encoding || std::string_view{encoding} != "UTF8")
    throw_unavailable(
        fmt::format("the database {} has another encoding than UTF-8; create one with "
                    "CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'",
                    PQdb(connection)));
  PQsetnonblocking(connection, 1);
  PQenterPipelineMode(connection);
}

void Connection::set_up_session() {
  std::vector<Request> requests;
  requests.push_back({"select_session_settings", sql::select_session_settings, {}});
  bool is_sent = send(requests.back());
  for (Statement const& it : statements_) {
    requests.push_back({it.name, {}, {}});
    is_sent = is_sent && PQsendPrepare(handle(), it.name, std::string{it.sql}.c_str(), 0, nullptr) == 1;
  }
  check(requests, is_sent ? receive(requests.size()) : std::vector<ResultPtr>(requests.size()), no_commit);
}

std::size_t Connection::queue(char const* name, Parameters parameters) {
  queued_.push_back({name, {}, std::move(parameters)});
  return queued_.size() - 1;
}

std::size_t Connection::queue_text(char const* name, std::string_view sql, Parameters parameters) {
  queued_.push_back({name, sql, std::move(parameters)});
  return queued_.size() - 1;
}

std::vector<ResultPtr> Connection::run() { return run(no_commit); }

void Connection::commit() {
  std::size_t const place = queue_text("COMMIT", "COMMIT");
  auto const results = run(place);
  // What was to be committed had failed before, and the server rolled it back instead.
  if (std::string_view{PQcmdStatus(results[place].get())} != "COMMIT")
    throw StoreError(StoreError::Kind::conflict, "PostgreSQL rolled the transaction back");
}

std::vector<ResultPtr> Connection::run(std::size_t commit_place) {
  std::vector<Request> const requests = std::exchange(queued_, {});
  if (!connection_) throw StoreError(StoreError::Kind::conflict, "PostgreSQL: the connection is lost");
  bool const is_sent = std::ranges::all_of(requests, [this](Request const& it) { return send(it); });
  auto results = is_sent ? receive(requests.size()) : std::vector<ResultPtr>(requests.size());
  check(requests, results, commit_place);
  return results;
}

bool Connection::send(Request const& request) {
  auto const values = request.parameters.pointers();
  auto const lengths = request.parameters.lengths();
  std::vector<int> const formats(values.size(), binary);
  auto const count = static_cast<int>(values.size());
  if (request.sql.empty())
    return PQsendQueryPrepared(handle(), request.name, count, values.data(), lengths.data(), formats.data(), binary) ==
           1;
  return PQsendQueryParams(handle(), std::string{request.sql}.c_str(), count, nullptr, values.data(), lengths.data(),
                           formats.data(), binary) == 1;
}

std::vector<ResultPtr> Connection::receive(std::size_t requests) {
  std::vector<ResultPtr> results(requests);
  if (PQpipelineSync(handle()) != 1) return results;
  for (ResultPtr& result : results) {
    result = next_result();
    if (!result) return results;
    next_result();  // null: this statement has no more
  }
  next_result();  // the end of the pipeline
  return results;
}

ResultPtr Connection::next_result() { return ResultPtr{wait_for_answer() ? PQgetResult(handle()) : nullptr}; }

bool Connection::wait_for_answer() {
  while (PQisBusy(handle())) {
    bool const has_more_to_send = PQflush(handle()) == 1;
    pollfd waiting{PQsocket(handle()), static_cast<short>(has_more_to_send ? POLLIN | POLLOUT : POLLIN), 0};
    int const ready = poll(&waiting, 1, answer_patience_ms_);
    if (ready == 0) return false;
    // After a failure the result says so; what the server said last comes first.
    if (ready > 0 && PQconsumeInput(handle()) != 1) return true;
  }
  return true;
}

void Connection::check(std::vector<Request> const& requests, std::vector<ResultPtr> const& results,
                       std::size_t commit_place) {
  using enum StoreError::Kind;
  for (std::size_t i = 0; i < results.size(); ++i) {
    PGresult const* const result = results[i].get();
    if (result && !is_error(result)) continue;
    std::string_view const doing = requests[i].name;
    std::string_view const state = sqlstate_of(result);
    // Without a word of the server's, everything sent may have been done. With one about a statement before the COMMIT,
    // that one was not reached; an ordinary error of the COMMIT itself rolled back.
    bool const is_lost = state.empty() || PQstatus(handle()) != CONNECTION_OK;
    bool const is_in_doubt = commit_place != no_commit && is_lost && (state.empty() || i >= commit_place);
    StoreError::Kind const kind = is_in_doubt ? in_doubt : state.empty() ? conflict : kind_of(state);
    if (is_lost || state == "25006") close();
    throw error_of(result, kind, doing);
  }
}

void Connection::rollback() noexcept {
  queued_.clear();
  if (!connection_ || PQtransactionStatus(handle()) == PQTRANS_IDLE) return;
  try {
    queue_text("ROLLBACK", "ROLLBACK");
    run();
  } catch (std::exception const&) {
    close();  // the server rolls back what its client left
  }
}

void Connection::run_script(std::string const& sql, std::string_view doing) {
  PQexitPipelineMode(handle());
  PQsetnonblocking(handle(), 0);
  ResultPtr const result{PQexec(handle(), sql.c_str())};
  PQsetnonblocking(handle(), 1);
  PQenterPipelineMode(handle());
  if (!result || is_error(result.get())) throw error_of(result.get(), kind_of(sqlstate_of(result.get())), doing);
}

}  // namespace payonce::postgres
