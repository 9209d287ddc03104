// One connection to the server, for one thread at a time. Statements are queued and travel together in libpq's pipeline
// mode; a connection that is lost is opened anew by the next open().
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/parameters.h"
#include "store/postgres/rows.h"
#include "store/postgres/settings.h"
#include "store/store.h"

namespace payonce::postgres {

class Connection {
 public:
  // Not open yet. The settings must outlive the connection.
  explicit Connection(ConnectionSettings const& settings) : settings_(settings) {}
  Connection(Connection const&) = delete;
  Connection& operator=(Connection const&) = delete;

  // A statement that is prepared whenever the connection is opened. `name` is the file name of the text and stands in
  // errors; both must outlive the connection.
  void add(char const* name, std::string_view sql) { statements_.push_back({name, sql}); }

  // Opens the connection unless it is open. A server that restarts or is being replaced costs waiting, up to a limit;
  // then, and until it is back, each call tries once. Throws StoreError (unavailable).
  void open();
  void open_without_waiting();
  void close() noexcept;
  PGconn* handle() const { return connection_.get(); }

  // Puts a statement behind those that wait to be sent; gives its place among the results of the next run().
  std::size_t queue(char const* name, Parameters parameters);
  // The same for a text that is not prepared, since it runs seldom. It must live until run().
  std::size_t queue_text(char const* name, std::string_view sql, Parameters parameters = {});
  // Sends all that is queued in one go and gives the result of each. Throws StoreError for the first that failed;
  // those behind it did not run.
  std::vector<ResultPtr> run();
  // Queues this one, runs all, and gives its rows.
  template <class... Values>
  Rows query(char const* name, Values const&... values) {
    std::size_t const place = queue(name, Parameters::of(values...));
    return Rows{std::move(run()[place])};
  }

  template <class... Values>
  Rows query_text(char const* name, std::string_view sql, Values const&... values) {
    std::size_t const place = queue_text(name, sql, Parameters::of(values...));
    return Rows{std::move(run()[place])};
  }

  // Runs what is queued and then commits, in one go. Throws StoreError: in_doubt when nobody knows whether it did.
  void commit();
  // Forgets what is queued and ends an open transaction, if need be by closing the connection.
  void rollback() noexcept;

  // Runs a text of several statements; `doing` names it in errors.
  void run_script(std::string const& sql, std::string_view doing);
  // How long an answer may take from now on, before the connection counts as lost; nothing: as long as it takes.
  void set_answer_patience(std::optional<Millis> patience) {
    answer_patience_ms_ = patience ? static_cast<int>(patience->count()) : -1;
  }

 private:
  // Longer than the server itself lets a statement run (select_session_settings).
  static constexpr int answer_patience_default_ms = 15'000;

  struct Statement {
    char const* name;
    std::string_view sql;
  };
  struct Request {
    char const* name;
    std::string_view sql;  // empty: it is prepared under its name
    Parameters parameters;
  };
  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };

  void connect();
  void set_up_session();
  bool send(Request const& request);
  // One result per request; null for those behind a loss of the connection.
  std::vector<ResultPtr> receive(std::size_t requests);
  ResultPtr next_result();
  bool wait_for_answer();
  // Throws for the first result that is an error. `commit_place`: which of them is the COMMIT.
  void check(std::vector<Request> const& requests, std::vector<ResultPtr> const& results, std::size_t commit_place);
  std::vector<ResultPtr> run(std::size_t commit_place);

  ConnectionSettings const& settings_;
  std::vector<Statement> statements_;
  std::unique_ptr<PGconn, Finish> connection_;
  std::vector<Request> queued_;
  int answer_patience_ms_ = answer_patience_default_ms;
  bool is_given_up_ = false;  // the last wait for the server was in vain
};

}  // namespace payonce::postgres
