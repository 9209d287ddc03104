// What a network and a server can do to a transaction: whatever it is, the batch ends with the truth.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store/batch.h"
#include "store/postgres/connection.h"
#include "store/postgres/postgres_store.h"
#include "support/postgres_server.h"
#include "support/rules_world.h"
#include "support/tcp_gate.h"

namespace payonce::test {

namespace {

using Sender = TcpGate::Sender;
using Kind = StoreError::Kind;

class FixedClock final : public Clock {
 public:
  Time now() const override { return test_start; }
  std::chrono::nanoseconds monotonic() const override { return std::chrono::nanoseconds{0}; }
};

std::unique_ptr<Store> open_or_fail(std::string const& url) {
  auto store = open_postgres(url);
  EXPECT_TRUE(store) << store.error().detail;
  return store ? std::move(*store) : nullptr;
}

std::optional<Kind> failure_of(auto const& action) {
  try {
    action();
    return std::nullopt;
  } catch (StoreError const& error) {
    return error.kind;
  }
}

RegisterOrder registration_of(int n) {
  RegisterOrder command = registration();
  command.key = order_key("PA-" + std::to_string(n));
  return command;
}

BeginAttempt beginning_of(int n) {
  BeginAttempt command = beginning(n, "k-" + std::to_string(n));
  command.key = registration_of(n).key;
  return command;
}

// Batches of commands on one writer.
class Lane {
 public:
  explicit Lane(Store& store) : writer(store.open_writer()), runner_(*writer, terms_, clock_) {}

  std::vector<Result<Committed>> run(std::vector<Command> commands) {
    std::vector<BatchRunner::JobPtr> jobs;
    for (Command& command : commands) {
      jobs.push_back(std::make_unique<Committer::Job>());
      jobs.back()->command = std::move(command);
    }
    runner_.run(jobs);
    std::vector<Result<Committed>> results;
    for (auto& job : jobs) results.push_back(std::move(job->result));
    return results;
  }

  std::unique_ptr<Writer> const writer;

 private:
  TestTerms terms_;
  FixedClock clock_;
  BatchRunner runner_;
};

class PostgresFaults : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(direct_->migrate()); }

  std::string gated_url() const {
    return "postgresql://postgres@127.0.0.1:" + std::to_string(gate_.port()) +
           "/postgres?sslmode=disable&gssencmode=disable&options=-csearch_path%3D" + schema_;
  }
  std::string sql(std::string const& text) { return server_.execute(schema_, text).value_or("refused"); }
  std::optional<Order> stored(int n) { return direct_->open_reader()->find_order(registration_of(n).key); }

  // Order n was registered and its attempt begun, once, with one call to the provider.
  void expect_begun(int n, std::vector<Result<Committed>> const& results, std::string const& what) {
    ASSERT_EQ(results.size(), 2u);
    for (auto const& result : results) {
      ASSERT_TRUE(result) << what << ": " << result.error().detail;
      ASSERT_TRUE(result->reply) << what << ": " << result->reply.error().error.detail;
    }
    EXPECT_EQ(results[1]->reply->kind, ReplyKind::created) << what;
    EXPECT_EQ(results[1]->calls.size(), 1u) << what;
    auto const order = stored(n);
    ASSERT_TRUE(order) << what;
    EXPECT_EQ(order->attempts.size(), 1u) << what;
    EXPECT_EQ(order->head.held_minor, order->head.amount.minor) << what;
  }

  PostgresServer& server_ = PostgresServer::shared();
  std::string const schema_ = server_.create_schema();
  std::unique_ptr<Store> const direct_ = open_or_fail(server_.url(schema_));
  TcpGate gate_{server_.socket_file()};
};

// Makes the server fail the next `times` inserts of orders with this SQLSTATE: a sequence is not rolled back.
std::string failing_inserts(std::string const& state, int times) {
  return "CREATE SEQUENCE failures; CREATE FUNCTION fail() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN "
         "IF nextval('failures') <= " +
         std::to_string(times) + " THEN RAISE EXCEPTION 'told to fail' USING ERRCODE = '" + state +
         "'; END IF; RETURN NEW; END $$; CREATE TRIGGER fail BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION "
         "fail()";
}

}  // namespace

TEST_F(PostgresFaults, ALostAnswerToTheCommitIsInDoubtAndTheCommitStands) {
  auto const store = open_or_fail(gated_url());
  Lane lane{*store};
  lane.run({registration_of(9)});
  gate_.arm({.sender = Sender::server, .text = "COMMIT"});
  WriteSet changes;
  changes.heads.push_back({stored(9)->head, true});
  changes.heads[0].row.key = registration_of(1).key;
  lane.writer->begin();
  lane.writer->write(changes);
  EXPECT_EQ(failure_of([&] { lane.writer->commit(); }), Kind::in_doubt);
  EXPECT_TRUE(gate_.disarm());
  EXPECT_TRUE(stored(1));
}

TEST_F(PostgresFaults, ALostAnswerToTheCommitIsRecognisedAsOurOwnSuccess) {
  auto const store = open_or_fail(gated_url());
  Lane lane{*store};
  lane.run({registration_of(9)});
  gate_.arm({.sender = Sender::server, .text = "COMMIT"});
  expect_begun(1, lane.run({registration_of(1), beginning_of(1)}), "lost answer");
  EXPECT_TRUE(gate_.disarm());
}

TEST_F(PostgresFaults, ACommitThatNeverArrivedIsRunAgain) {
  auto const store = open_or_fail(gated_url());
  Lane lane{*store};
  lane.run({registration_of(9)});
  gate_.arm({.sender = Sender::client, .text = "COMMIT"});
  expect_begun(1, lane.run({registration_of(1), beginning_of(1)}), "cut before");
  EXPECT_TRUE(gate_.disarm());
}

TEST_F(PostgresFaults, HoweverFarTheBytesGetAPaymentIsBegunOnce) {
  auto const store = open_or_fail(gated_url());
  Lane lane{*store};
  lane.run({registration_of(0)});
  int n = 0;
  for (Sender const sender : {Sender::client, Sender::server}) {
    std::size_t const stride = sender == Sender::client ? 149 : 41;
    bool has_failed = true;
    for (std::size_t bytes = 0; has_failed; bytes += stride) {
      ++n;
      gate_.arm({.sender = sender, .bytes = bytes});
      auto const results = lane.run({registration_of(n), beginning_of(n)});
      has_failed = gate_.disarm();
      expect_begun(n, results, (sender == Sender::client ? "client " : "server ") + std::to_string(bytes));
    }
  }
  EXPECT_GT(n, 20) << "the whole conversation was cut through";
}

TEST_F(PostgresFaults, AnAnswerThatNeverComesIsALostConnection) {
  auto const settings = postgres::ConnectionSettings::parse(gated_url());
  ASSERT_TRUE(settings);
  postgres::Connection connection{*settings};
  connection.open();
  connection.set_answer_patience(Millis{200});
  gate_.arm({.sender = Sender::server, .holds = true});
  EXPECT_EQ(failure_of([&] { connection.query_text("SELECT", "SELECT 1"); }), Kind::conflict);
  connection.open();
  gate_.arm({.sender = Sender::server, .holds = true});
  connection.queue_text("BEGIN", "BEGIN");
  EXPECT_EQ(failure_of([&] { connection.commit(); }), Kind::in_doubt);
  connection.open();
  EXPECT_TRUE(connection.query_text("SELECT", "SELECT 1").next());
}

TEST_F(PostgresFaults, WhatTheServerTakesBackIsRunAgain) {
  for (char const* const state : {"40001", "40P01", "55P03", "23505", "25006", "57P03"}) {
    std::string const schema = server_.create_schema();
    auto const store = open_or_fail(server_.url(schema));
    ASSERT_TRUE(store->migrate());
    ASSERT_EQ(server_.execute(schema, failing_inserts(state, 2)), "");
    Lane lane{*store};
    auto const results = lane.run({registration_of(1), beginning_of(1)});
    ASSERT_TRUE(results[1]) << state;
    EXPECT_EQ(results[1]->reply->kind, ReplyKind::created) << state;
    EXPECT_EQ(results[1]->calls.size(), 1u) << state;
    EXPECT_EQ(server_.execute(schema, "SELECT count(*) FROM payment_attempts"), "1") << state;
  }
}

TEST_F(PostgresFaults, WhatTheServerCanNotDoNowIsUnavailableAndLeavesNothing) {
  for (char const* const state : {"53100", "53200", "57014"}) {
    std::string const schema = server_.create_schema();
    auto const store = open_or_fail(server_.url(schema));
    ASSERT_TRUE(store->migrate());
    ASSERT_EQ(server_.execute(schema, failing_inserts(state, 1)), "");
    Lane lane{*store};
    EXPECT_EQ(lane.run({registration_of(1), beginning_of(1)})[1].error().code, ErrorCode::unavailable) << state;
    EXPECT_EQ(server_.execute(schema, "SELECT count(*) FROM orders"), "0") << state;
    auto const again = lane.run({registration_of(1), beginning_of(1)});
    ASSERT_TRUE(again[1]) << state;
    EXPECT_EQ(again[1]->reply->kind, ReplyKind::created) << state;
  }
}

TEST_F(PostgresFaults, ADeadlockFailsOneOfTheTwo) {
  Lane lane{*direct_};
  lane.run({registration_of(1), registration_of(2)});
  auto const one = direct_->open_writer();
  auto const other = direct_->open_writer();
  std::vector<OrderKey> const first{registration_of(1).key};
  std::vector<OrderKey> const second{registration_of(2).key};
  one->begin();
  one->load_orders(first);
  other->begin();
  other->load_orders(second);
  std::optional<Kind> failure_of_one;
  std::jthread crossing([&] {
    failure_of_one = failure_of([&] { one->load_orders(second); });
    one->rollback();
  });
  auto const failure_of_other = failure_of([&] { other->load_orders(first); });
  other->rollback();
  crossing.join();
  EXPECT_NE(failure_of_one.has_value(), failure_of_other.has_value());
  EXPECT_EQ(failure_of_one ? failure_of_one : failure_of_other, Kind::conflict);
}

TEST_F(PostgresFaults, WaitsForALockAndSlowStatementsAreBounded) {
  Lane lane{*direct_};
  lane.run({registration_of(1)});
  std::vector<OrderKey> const keys{registration_of(1).key};
  auto const holder = direct_->open_writer();
  holder->begin();
  holder->load_orders(keys);
  for (auto const& [limit, kind] :
       {std::pair{"lock_timeout", Kind::conflict}, std::pair{"statement_timeout", Kind::unavailable}}) {
    auto const store = open_or_fail(server_.url(schema_) + "%20-c" + limit + "%3D100ms");
    auto const writer = store->open_writer();
    writer->begin();
    EXPECT_EQ(failure_of([&] { writer->load_orders(keys); }), kind) << limit;
    writer->rollback();
  }
  holder->rollback();
  auto const writer = direct_->open_writer();
  writer->begin();
  EXPECT_EQ(writer->load_orders(keys).size(), 1u);
  writer->rollback();
}

TEST_F(PostgresFaults, ASessionThatIsEndedByHandIsOpenedAnew) {
  Lane lane{*direct_};
  lane.run({registration_of(1)});
  auto const end_sessions = [&] {
    EXPECT_NE(sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'payonce'"),
              "");
  };
  lane.writer->begin();
  lane.writer->load_orders(std::vector{registration_of(1).key});
  end_sessions();
  EXPECT_NE(failure_of([&] { lane.writer->load_orders(std::vector{registration_of(1).key}); }), std::nullopt);
  lane.writer->rollback();
  lane.run({registration_of(3)});
  end_sessions();
  expect_begun(2, lane.run({registration_of(2), beginning_of(2)}), "after the end of its session");
  auto const reader = direct_->open_reader();
  EXPECT_TRUE(reader->find_order(registration_of(2).key));
  end_sessions();
  EXPECT_TRUE(reader->find_order(registration_of(2).key)) << "readers ask again";
}

TEST(PostgresCrash, AServerThatCrashesUnderLoadCostsWaitingAndNothingElse) {
  PostgresServer server;
  std::string const schema = server.create_schema();
  auto const store = open_or_fail(server.url(schema));
  ASSERT_TRUE(store->migrate());
  constexpr int payments = 400;
  std::atomic<int> done = 0;
  std::vector<Result<Committed>> results;
  std::jthread load([&] {
    Lane lane{*store};
    for (int n = 1; n <= payments; ++n) {
      results.push_back(std::move(lane.run({registration_of(n), beginning_of(n)})[1]));
      done = n;
    }
  });
  for (int const mark : {payments / 4, payments / 2}) {
    while (done < mark) std::this_thread::yield();
    server.crash();
    server.start();
  }
  load.join();
  for (auto const& result : results) {
    ASSERT_TRUE(result) << result.error().detail;
    ASSERT_TRUE(result->reply);
    EXPECT_EQ(result->reply->kind, ReplyKind::created);
    EXPECT_EQ(result->calls.size(), 1u);
  }
  EXPECT_EQ(server.execute(schema, "SELECT count(*) FROM payment_attempts"), std::to_string(payments));
}

}  // namespace payonce::test
