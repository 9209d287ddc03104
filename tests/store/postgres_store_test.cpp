// PostgreSQL for the suite, and what only PostgreSQL has: settings, plans, migrations of several nodes.
#include "store/postgres/postgres_store.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "store/rows.h"
#include "store/store_suite.h"
#include "support/postgres_server.h"

namespace payonce::test {

namespace {

PostgresServer& server() { return PostgresServer::shared(); }

std::unique_ptr<Store> open_or_fail(std::string const& url) {
  auto store = open_postgres(url);
  EXPECT_TRUE(store) << store.error().detail;
  return store ? std::move(*store) : nullptr;
}

class PostgresDatabase final : public TestDatabase {
 public:
  std::unique_ptr<Store> open() override { return open_or_fail(server().url(schema_)); }
  bool execute(std::string const& sql) override { return server().execute(schema_, sql).has_value(); }

 private:
  std::string const schema_ = server().create_schema();
};

// A migrated store of a test of its own.
class PostgresStore : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(store_);
    ASSERT_TRUE(store_->migrate());
  }

  std::string sql(std::string const& text) { return server().execute(schema_, text).value_or("refused"); }
  static void write(Writer& writer, WriteSet const& changes) {
    writer.begin();
    writer.write(changes);
    writer.commit();
  }
  std::vector<std::string> feed(std::int64_t after = 0) {
    std::vector<std::string> types;
    for (auto const& it : store_->open_reader()->events_after(MerchantId{"shop"}, after, 1000))
      types.push_back(it.event.type);
    return types;
  }
  std::vector<std::string> timeline(OrderKey const& key) {
    std::vector<std::string> types;
    for (auto const& it : store_->open_reader()->timeline(key)) types.push_back(it.event.type);
    return types;
  }

  std::string const schema_ = server().create_schema();
  std::unique_ptr<Store> const store_ = open_or_fail(server().url(schema_));
};

using Types = std::vector<std::string>;
auto const first_order = order_key("PA-1");
auto const second_order = order_key("PA-2");

std::string error_of(std::string const& url) {
  auto const store = open_postgres(url);
  return store ? std::string{} : store.error().detail;
}

}  // namespace

std::unique_ptr<TestDatabase> make_postgres_database() { return std::make_unique<PostgresDatabase>(); }

TEST(PostgresUrl, ErrorsSayWhatIsWrongAndNeverThePassword) {
  for (std::string const& url :
       {std::string{"postgresql://shop:hunter%2@host/db"}, std::string{"postgresql://shop:hunter2@host/db?nonsense=1"},
        server().url("public") + "&password=hunter2&dbname=absent",
        std::string{"postgresql://shop:hunter2@/db?host=/nowhere"}}) {
    std::string const error = error_of(url);
    EXPECT_FALSE(error.empty()) << url;
    EXPECT_EQ(error.find("hunter"), std::string::npos) << error;
  }
  EXPECT_NE(error_of(server().url("public") + "&dbname=absent").find("\"absent\" does not exist"), std::string::npos);
}

TEST(PostgresUrl, ADatabaseThatCanNotHoldEveryTextIsRefused) {
  ASSERT_TRUE(server().execute("public",
                               "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C' "
                               "LOCALE_PROVIDER libc"));
  EXPECT_NE(error_of(server().url("public") + "&dbname=latin").find("UTF-8"), std::string::npos);
}

TEST_F(PostgresStore, NodesThatStartTogetherMigrateOnce) {
  std::string const schema = server().create_schema();
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> nodes;
    for (int i = 0; i < 4; ++i)
      nodes.emplace_back([&] {
        auto const store = open_postgres(server().url(schema));
        if (store && (*store)->migrate()) ++good;
      });
  }
  EXPECT_EQ(good, 4);
  EXPECT_EQ(server().execute(schema, "SELECT count(*) FROM schema_migrations"), "1");
}

TEST_F(PostgresStore, TablesOfAnotherProgramAreLeftAlone) {
  std::string const schema = server().create_schema();
  server().execute(schema, "CREATE TABLE orders (cats TEXT)");
  auto const store = open_or_fail(server().url(schema));
  auto const result = store->migrate();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().detail.find("of its own"), std::string::npos) << result.error().detail;
  EXPECT_EQ(server().execute(schema, "SELECT to_regclass('schema_migrations') IS NULL"), "t");
}

TEST_F(PostgresStore, ARoleThatMayNotCreateTablesCanStartOnThoseThatAreThere) {
  ASSERT_EQ(sql("CREATE ROLE clerk_" + schema_ + " LOGIN; GRANT USAGE ON SCHEMA " + schema_ + " TO clerk_" + schema_ +
                "; GRANT ALL ON ALL TABLES IN SCHEMA " + schema_ + " TO clerk_" + schema_),
            "");
  auto const store = open_or_fail(server().url(schema_) + "&user=clerk_" + schema_);
  auto const result = store->migrate();
  EXPECT_TRUE(result) << result.error().detail;
  write(*store->open_writer(), Changes{}.add(head_of(first_order)).add(event_of(first_order, "it works")));
}

TEST_F(PostgresStore, TheFeedHidesWhatAnEarlierTransactionMayStillComeBefore) {
  auto const early = store_->open_writer();
  auto const late = store_->open_writer();
  write(*early, Changes{}.add(head_of(first_order)).add(head_of(second_order)));
  early->begin();
  early->load_orders(std::vector{first_order});
  write(*late, Changes{}.add(event_of(second_order, "late but first to commit")));
  EXPECT_EQ(feed(), Types{}) << "a cursor behind it would never see the other";
  EXPECT_EQ(timeline(second_order), Types{"late but first to commit"});
  early->write(Changes{}.add(event_of(first_order, "early")));
  early->commit();
  EXPECT_EQ(feed(), (Types{"early", "late but first to commit"}));
}

TEST_F(PostgresStore, AnOrdersEventsStandInTheOrderOfItsLocks) {
  auto const slow = store_->open_writer();
  auto const quick = store_->open_writer();
  write(*slow, Changes{}.add(head_of(first_order)).add(head_of(second_order)));
  slow->begin();
  slow->load_orders(std::vector{first_order});  // the transaction has its id from here
  quick->begin();
  quick->load_orders(std::vector{second_order});
  quick->write(Changes{}.add(event_of(second_order, "before")).add(event_of(second_order, "also before")));
  quick->commit();
  slow->load_orders(std::vector{second_order});
  slow->write(Changes{}.add(event_of(second_order, "after")));
  slow->write(Changes{}.add(event_of(second_order, "long after")).add(event_of(first_order, "elsewhere")));
  slow->commit();
  EXPECT_EQ(timeline(second_order), (Types{"before", "also before", "after", "long after"}));
  EXPECT_EQ(feed(), (Types{"before", "also before", "after", "long after", "elsewhere"}));
}

TEST_F(PostgresStore, TheFeedGoesOnGrowingOnAServerWithLowerTransactionIds) {
  auto const writer = store_->open_writer();
  write(*writer, Changes{}.add(head_of(first_order)).add(event_of(first_order, "here")));
  // What a dump from a server far ahead would have brought.
  ASSERT_EQ(sql("INSERT INTO attempt_events SELECT merchant_id, 9000000000000000, order_id, attempt_id, refund_id, "
                "'brought', from_state, to_state, evidence, actor, code, text, at FROM attempt_events"),
            "");
  EXPECT_EQ(feed(), Types{"here"});
  ASSERT_TRUE(store_->migrate());
  EXPECT_EQ(feed(), (Types{"here", "brought"}));
  write(*writer, Changes{}.add(event_of(order_key("PA-1"), "next")));
  EXPECT_EQ(feed(9'000'000'000'000'000), Types{"next"});
  std::string const offset = sql("SELECT sequence_offset FROM event_feed");
  ASSERT_TRUE(store_->migrate());
  EXPECT_EQ(sql("SELECT sequence_offset FROM event_feed"), offset);
}

TEST_F(PostgresStore, OrdersAreLockedInTheOrderGivenWhateverThePlannerPrefers) {
  std::vector<OrderKey> keys;
  Changes orders;
  for (int i = 0; i < 40; ++i) {
    keys.push_back(order_key((i % 2 ? "pa-" : "PA-") + std::to_string(i)));
    orders.add(head_of(keys.back()));
  }
  write(*store_->open_writer(), orders);
  std::ranges::sort(keys);
  std::atomic<int> failures = 0;
  {
    std::vector<std::jthread> nodes;
    for (int node = 0; node < 4; ++node)
      nodes.emplace_back([&] {
        auto const writer = store_->open_writer();
        for (int turn = 0; turn < 25; ++turn) {
          try {
            writer->begin();
            writer->load_orders(keys);
            writer->commit();
          } catch (StoreError const&) {
            writer->rollback();
            ++failures;
          }
        }
      });
  }
  EXPECT_EQ(failures, 0) << "a deadlock is a conflict";
}

TEST_F(PostgresStore, WorkersTakeDifferentEffectsWithoutWaitingForEachOther) {
  Changes changes;
  for (int i = 1; i <= 4; ++i) {
    auto const key = order_key("PA-" + std::to_string(i));
    Attempt const attempt = succeeded(processing("pay_" + std::to_string(i), "k-" + std::to_string(i)));
    changes.add(paid(head_of(key))).add(key, attempt).add(effect_of(key, attempt, "ship"));
  }
  auto const one = store_->open_writer();
  auto const other = store_->open_writer();
  write(*one, changes);
  one->begin();
  other->begin();
  std::set<std::string> taken;
  for (Writer* const worker : {one.get(), other.get()})
    for (auto const& it : worker->claim_effects(MerchantId{"shop"}, "ship", noon, noon + Millis{1}, 2))
      taken.insert(it.attempt.id.value);
  one->commit();
  other->commit();
  EXPECT_EQ(taken.size(), 4u);
}

TEST_F(PostgresStore, TextsFromPeersAreStoredThoughTheyAreNoText) {
  Attempt it = processing("pay_1", "k-1");
  it.answer_code = std::string("cut \xe5\x86", 6);
  it.provider_ref = std::string("a\0b", 3);
  write(*store_->open_writer(), Changes{}.add(head_of(first_order)).add(first_order, it));
  Attempt const found = store_->open_reader()->find_attempt(it.id)->attempt;
  EXPECT_EQ(found.answer_code, "cut \uFFFD\uFFFD");
  EXPECT_EQ(found.provider_ref, "a\uFFFDb");
}

TEST_F(PostgresStore, AKeyThatIsNoTextIsRefused) {
  auto const writer = store_->open_writer();
  for (std::string const& id : {std::string("a\0b", 3), std::string("\xff")}) {
    try {
      write(*writer, Changes{}.add(head_of(order_key(id))));
      ADD_FAILURE() << "stored";
    } catch (StoreError const& error) {
      EXPECT_EQ(error.kind, StoreError::Kind::refused);
      writer->rollback();
    }
  }
}

namespace {

namespace fs = std::filesystem;

// Statements that read a table or all of one merchant's rows in an index, and are meant to: the index is partial and
// holds only what needs attention, or the table is small.
bool may_read_widely(std::string const& statement) {
  static std::set<std::string> const names{"select_schema_migrations",
                                           "select_backlog",
                                           "select_attempts_in_review",
                                           "select_dead_effects",
                                           "select_api_keys",
                                           "feed_shortfall",
                                           "raise_feed",
                                           "select_all_api_keys",
                                           "count_other_sessions",
                                           "select_open_discrepancies",
                                           "resolve_answered_discrepancies",
                                           "select_session_settings"};
  return names.contains(statement);
}

std::string text_of(fs::path const& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::size_t parameters_of(std::string const& text) {
  std::size_t count = 0;
  while (text.find("$" + std::to_string(count + 1)) != std::string::npos) ++count;
  return count;
}

// The generic plan, as a session of ours makes it.
std::string plan_of(std::string const& schema, std::string const& text) {
  std::string arguments;
  for (std::size_t i = 0; i < parameters_of(text); ++i) arguments += i == 0 ? "(NULL" : ", NULL";
  if (!arguments.empty()) arguments += ")";
  std::string const settings = text_of(PAYONCE_SOURCE_DIR "/src/store/postgres/sql/select_session_settings.sql");
  return server()
      .execute(schema, settings + "; PREPARE it AS " + text + "; EXPLAIN EXECUTE it" + arguments)
      .value_or("refused");
}

// Lines of the plan that read more than what was asked for.
std::vector<std::string> wide_steps(std::string const& plan) {
  std::vector<std::string> lines;
  std::istringstream text{plan};
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::vector<std::string> wide;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    bool const is_scan = lines[i].contains("Scan on") || lines[i].contains("Scan using");
    if (!is_scan || lines[i].contains("Function Scan") || lines[i].contains("CTE Scan") ||
        lines[i].contains("Subquery Scan") || lines[i].contains("event_feed") || lines[i].contains("Bitmap Heap"))
      continue;
    std::string const next = i + 1 < lines.size() ? lines[i + 1] : "";
    bool const has_condition = next.contains("Index Cond") || next.contains("Recheck Cond");
    bool const by_merchant_only = has_condition && !next.contains(" AND ") && next.contains("(merchant_id = ");
    if (!has_condition || by_merchant_only) wide.push_back(lines[i] + next);
  }
  return wide;
}

bool is_planned(std::string const& statement) {
  return !statement.starts_with("create_") && statement != "lock_feed" && statement != "lock_books";
}

void expect_narrow_plans(std::string const& schema, std::string const& phase) {
  int statements = 0;
  for (auto const& entry : fs::directory_iterator(PAYONCE_SOURCE_DIR "/src/store/postgres/sql")) {
    std::string const name = entry.path().stem();
    if (!is_planned(name)) continue;
    std::string const plan = plan_of(schema, text_of(entry.path()));
    EXPECT_NE(plan, "refused") << name;
    auto const wide = wide_steps(plan);
    EXPECT_TRUE(wide.empty() || may_read_widely(name)) << phase << ", " << name << ": " << wide[0] << "\n" << plan;
    ++statements;
  }
  EXPECT_GT(statements, 40);
}

}  // namespace

// Plans are made once per session, often when the tables are empty or nearly so, and kept. For small tables many
// indexes look alike, and whether statistics have been taken makes a difference.
TEST_F(PostgresStore, NoPlanReadsMoreThanItNeedsWhateverTheSizeOfTheTables) {
  expect_narrow_plans(schema_, "empty");
  auto const writer = store_->open_writer();
  int rows = 0;
  for (int const size : {1, 20, 400, 2000}) {
    while (rows < size) {
      Changes changes;
      for (int const end = std::min(size, rows + 500); rows < end; ++rows) {
        auto const n = std::to_string(rows);
        auto const key = order_key("PA-" + n);
        Attempt const attempt = succeeded(processing("pay_" + n, "k-" + n));
        changes.add(paid(head_of(key))).add(key, attempt).add(effect_of(key, attempt, "ship")).add(event_of(key, n));
        changes.add(key, capture_of(attempt, "cap_" + n, 1));
        changes.add(key, refund_of(attempt, "ref_" + n, 1, "request")).add(notice_of("evt_" + n, attempt.id.value));
      }
      write(*writer, changes);
    }
    expect_narrow_plans(schema_, std::to_string(size) + " rows, without statistics of them");
    if (size < 20) continue;  // nobody takes statistics of so few: autovacuum begins at fifty
    sql("ANALYZE");
    expect_narrow_plans(schema_, std::to_string(size) + " rows");
  }
}

}  // namespace payonce::test
