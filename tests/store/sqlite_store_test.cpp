// SQLite for the suite, and what only SQLite has: a file, its log, its locks.
#include "store/sqlite/sqlite_store.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

namespace fs = std::filesystem;

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "payonce-store-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

// Runs SQL on a connection of its own; the first column of the first row, or nothing when it is refused.
std::optional<std::string> run_sql(std::string const& path, std::string const& sql) {
  sqlite3* db = nullptr;
  sqlite3_open(path.c_str(), &db);
  sqlite3_busy_timeout(db, 5000);
  std::optional<std::string> first;
  auto const keep_first = [](void* out, int, char** values, char**) {
    auto& kept = *static_cast<std::optional<std::string>*>(out);
    if (!kept) kept = values[0] ? values[0] : "";
    return 0;
  };
  int const code = sqlite3_exec(db, sql.c_str(), keep_first, &first, nullptr);
  sqlite3_close(db);
  if (code != SQLITE_OK) return std::nullopt;
  return first.value_or("");
}

std::unique_ptr<Store> open_or_fail(std::string const& path) {
  auto store = open_sqlite(path);
  EXPECT_TRUE(store) << store.error().detail;
  return store ? std::move(*store) : nullptr;
}

class SqliteDatabase final : public TestDatabase {
 public:
  std::unique_ptr<Store> open() override { return open_or_fail(folder_.file("payonce.db")); }
  bool execute(std::string const& sql) override { return run_sql(folder_.file("payonce.db"), sql).has_value(); }

 private:
  Folder folder_;
};

std::string error_of(std::string const& path) {
  auto const store = open_sqlite(path);
  return store ? std::string{} : store.error().detail;
}

void write(Writer& writer, WriteSet const& changes) {
  writer.begin();
  writer.write(changes);
  writer.commit();
}

Changes numbered_order(int number) {
  auto const n = std::to_string(number);
  auto const key = order_key("PA-" + n);
  Changes changes;
  Attempt attempt = processing("pay_" + n, "k-" + n);
  attempt.metadata = std::string(500, 'm');
  changes.add(head_of(key)).add(key, attempt);
  return changes;
}

}  // namespace

std::unique_ptr<TestDatabase> make_sqlite_database() { return std::make_unique<SqliteDatabase>(); }

TEST(SqliteStore, CreatesAFileThatOnlyItsOwnerMayRead) {
  Folder const folder;
  auto const store = open_or_fail(folder.file("payonce.db"));
  ASSERT_TRUE(store->migrate());
  for (auto const& entry : fs::directory_iterator(folder.path())) {
    struct stat status{};
    ASSERT_EQ(::stat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777u, 0600u) << entry.path();
  }
}

TEST(SqliteStore, SaysWhatIsWrongWithThePath) {
  Folder const folder;
  EXPECT_NE(error_of(folder.file("no/such/payonce.db")).find("does not exist"), std::string::npos);
  EXPECT_NE(error_of(folder.path().string()).find("not a regular file"), std::string::npos);
  std::ofstream(folder.file("letter.txt")) << std::string(4096, 'x');
  EXPECT_NE(error_of(folder.file("letter.txt")).find("not an SQLite database"), std::string::npos);
}

TEST(SqliteStore, SaysThatTheFolderIsNotWritable) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  Folder const folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(error_of(folder.file("payonce.db")).find("not writable"), std::string::npos);
  fs::permissions(folder.path(), fs::perms::owner_all);
}

TEST(SqliteStore, LeavesTheDatabaseOfAnotherProgramAlone) {
  Folder const folder;
  auto const path = folder.file("other.db");
  ASSERT_TRUE(run_sql(path, "CREATE TABLE cats (name TEXT)"));
  EXPECT_NE(error_of(path).find("another program"), std::string::npos);
  EXPECT_EQ(run_sql(path, "PRAGMA journal_mode"), "delete") << "not even its settings changed";
}

TEST(SqliteStore, ProcessesThatStartTogetherMigrateOnce) {
  Folder const folder;
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> starters;
    for (int i = 0; i < 4; ++i)
      starters.emplace_back([&] {
        auto const store = open_sqlite(folder.file("payonce.db"));
        if (store && (*store)->migrate()) ++good;
      });
  }
  EXPECT_EQ(good, 4);
  EXPECT_EQ(run_sql(folder.file("payonce.db"), "SELECT count(*) FROM schema_migrations WHERE number = 1"), "1");
}

TEST(SqliteStore, EveryCommitIsSynced) {
  // The test can't pull the plug, but it can see that the log holds every commit as soon as it is answered.
  Folder const folder;
  auto const store = open_or_fail(folder.file("payonce.db"));
  ASSERT_TRUE(store->migrate());
  auto const writer = store->open_writer();
  write(*writer, numbered_order(1));
  Folder const copy;
  fs::copy_file(folder.file("payonce.db"), copy.file("payonce.db"));
  fs::copy_file(folder.file("payonce.db-wal"), copy.file("payonce.db-wal"));
  auto const recovered = open_or_fail(copy.file("payonce.db"));
  EXPECT_TRUE(recovered->open_reader()->find_order(order_key("PA-1")));
}

TEST(SqliteStore, ACleanCloseLeavesOneCompleteFile) {
  Folder const folder;
  auto store = open_or_fail(folder.file("payonce.db"));
  ASSERT_TRUE(store->migrate());
  write(*store->open_writer(), numbered_order(1));
  store.reset();
  EXPECT_FALSE(fs::exists(folder.file("payonce.db-wal")));
  Folder const copy;
  fs::copy_file(folder.file("payonce.db"), copy.file("payonce.db"));
  EXPECT_TRUE(open_or_fail(copy.file("payonce.db"))->open_reader()->find_order(order_key("PA-1")));
}

TEST(SqliteStore, TheLogStaysBoundedUnderConstantLoadWithReaders) {
  Folder const folder;
  auto const store = open_or_fail(folder.file("payonce.db"));
  ASSERT_TRUE(store->migrate());
  auto const writer = store->open_writer();
  std::atomic<bool> done = false;
  std::jthread const polling([&] {
    auto const reader = store->open_reader();
    while (!done) reader->find_order(order_key("PA-1"));
  });
  // 32 MiB start the copying; the rest is what a slow disk lets through meanwhile. Unbounded, it would be the whole
  // load.
  constexpr std::uintmax_t load_bytes = 512u << 20;
  constexpr std::uintmax_t log_bytes_max = load_bytes / 2;
  std::uintmax_t written = 0;
  std::uintmax_t longest = 0;
  for (int number = 0; written < load_bytes; ++number) {
    // Each order is one page or more; a few hundred make a batch of a megabyte.
    Changes batch;
    for (int i = 0; i < 100; ++i) {
      OrderHead head = head_of(order_key("PA-" + std::to_string(number * 100 + i)));
      head.metadata = std::string(10'000, 'm');
      batch.add(head);
      written += head.metadata.size();
    }
    write(*writer, batch);
    longest = std::max(longest, fs::file_size(folder.file("payonce.db-wal")));
  }
  done = true;
  EXPECT_LT(longest, log_bytes_max);
}

TEST(SqliteStore, AWriterWaitsForAnotherProcessesTransaction) {
  Folder const folder;
  auto const store = open_or_fail(folder.file("payonce.db"));
  ASSERT_TRUE(store->migrate());
  auto const first = store->open_writer();
  first->begin();
  first->write(numbered_order(1));
  std::atomic<bool> is_waiting = false;
  std::jthread second([&] {
    auto const writer = store->open_writer();
    is_waiting = true;
    write(*writer, numbered_order(2));
  });
  while (!is_waiting) std::this_thread::yield();
  first->commit();
  second.join();
  auto const reader = store->open_reader();
  EXPECT_TRUE(reader->find_order(order_key("PA-1")));
  EXPECT_TRUE(reader->find_order(order_key("PA-2")));
}

namespace {

// While it lives, no file of this process may grow beyond `bytes`: a disk that refuses to take more.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::uintmax_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(FileSizeLimit const&) = delete;
  FileSizeLimit& operator=(FileSizeLimit const&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

}  // namespace

TEST(SqliteStore, ACommitThatTheDiskRefusesIsInDoubtAndMayBeRunAgain) {
  Folder const folder;
  auto const store = open_or_fail(folder.file("payonce.db"));
  ASSERT_TRUE(store->migrate());
  auto const writer = store->open_writer();
  write(*writer, numbered_order(1));
  {
    FileSizeLimit const full(fs::file_size(folder.file("payonce.db-wal")));
    writer->begin();
    writer->write(numbered_order(2));
    try {
      writer->commit();
      ADD_FAILURE() << "the commit found room";
    } catch (StoreError const& error) {
      EXPECT_EQ(error.kind, StoreError::Kind::in_doubt);
    }
    EXPECT_FALSE(store->open_reader()->find_order(order_key("PA-2")));
  }
  write(*writer, numbered_order(2));
  EXPECT_TRUE(store->open_reader()->find_order(order_key("PA-2")));
}

namespace {

// The few statements that read a table or all of one merchant's rows in an index, and are meant to: the index is
// partial and holds only what needs attention, or the table is small.
bool may_read_widely(std::string const& statement) {
  static std::set<std::string> const names{
      "count_schema_objects",      "select_schema_migrations",  "select_backlog",
      "select_attempts_in_review", "select_dead_effects",       "select_api_keys",
      "select_all_api_keys",       "select_open_discrepancies", "resolve_answered_discrepancies"};
  return names.contains(statement);
}

std::vector<std::string> plan_of(sqlite3* db, fs::path const& statement) {
  std::ostringstream text;
  text << "EXPLAIN QUERY PLAN " << std::ifstream(statement).rdbuf();
  sqlite3_stmt* plan = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, text.str().c_str(), -1, &plan, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  std::vector<std::string> steps;
  while (sqlite3_step(plan) == SQLITE_ROW)
    steps.emplace_back(reinterpret_cast<char const*>(sqlite3_column_text(plan, 3)));
  sqlite3_finalize(plan);
  return steps;
}

}  // namespace

TEST(SqliteStore, NoStatementReadsMoreThanItNeeds) {
  Folder const folder;
  auto const path = folder.file("payonce.db");
  ASSERT_TRUE(open_or_fail(path)->migrate());
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  int statements = 0;
  for (auto const& entry : fs::directory_iterator(PAYONCE_SOURCE_DIR "/src/store/sqlite/sql")) {
    std::string const name = entry.path().stem();
    for (std::string const& step : plan_of(db, entry.path())) {
      bool const is_wide = step.starts_with("SCAN") || step.ends_with("(merchant_id=?)");
      EXPECT_FALSE(is_wide && !may_read_widely(name)) << name << ": " << step;
    }
    ++statements;
  }
  sqlite3_close(db);
  EXPECT_GT(statements, 30);
}

}  // namespace payonce::test
