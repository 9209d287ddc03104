// The log buffer under a real SQLite connection, over a file system that counts and sometimes fails.
#include "store/sqlite/log_buffer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "store/sqlite/connection.h"
#include "store/sqlite/statement.h"

namespace payonce::sqlite {
namespace {

// Stands below the log buffer.
struct WatchedFile {
  sqlite3_io_methods methods{};
  sqlite3_io_methods const* real = nullptr;
  int writes = 0;
  bool is_full = false;

  void attach(Connection& connection) {
    sqlite3_file* log = nullptr;
    sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    real = log->pMethods;
    methods = *real;
    methods.xWrite = write;
    log->pMethods = &methods;
    active = this;
  }
  static int write(sqlite3_file* file, void const* from, int bytes, sqlite3_int64 at) {
    ++active->writes;
    return active->is_full ? SQLITE_FULL : active->real->xWrite(file, from, bytes, at);
  }
  static WatchedFile* active;
};
WatchedFile* WatchedFile::active = nullptr;

class LogBufferTest : public ::testing::Test {
 protected:
  LogBufferTest() : path_(make_file(folder_)), writer_(path_, Connection::Use::write) {
    writer_.execute("CREATE TABLE payments (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    writer_.execute("PRAGMA cache_spill = OFF");
    writer_.execute("PRAGMA synchronous = NORMAL");
    watched_.attach(writer_);
    log_.attach(writer_.handle());
  }

  ~LogBufferTest() override { std::filesystem::remove_all(folder_); }

  static std::string make_file(std::filesystem::path const& folder) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "copy");
    std::string const path = folder / "payonce.db";
    std::ofstream{path};
    Connection{path, Connection::Use::write}.execute("PRAGMA journal_mode = WAL");
    return path;
  }
  static std::int64_t count_rows(std::string const& path) {
    Connection connection(path, Connection::Use::write);
    Statement count(connection, "count", "SELECT count(*) FROM payments");
    Rows rows = count.query();
    return rows.next() ? rows.integer() : -1;
  }
  // Half a page each.
  void insert(int rows) {
    for (int i = 0; i < rows; ++i) writer_.execute("INSERT INTO payments (text) VALUES (hex(randomblob(1000)))");
  }
  int commit() { return sqlite3_exec(writer_.handle(), "COMMIT", nullptr, nullptr, nullptr); }

  std::filesystem::path folder_ = testing::TempDir() + "log_buffer_" + std::to_string(::getpid());
  std::string path_;
  WatchedFile watched_;
  LogBuffer log_;
  Connection writer_;
};

TEST_F(LogBufferTest, ACommitIsWrittenInFewPieces) {
  writer_.execute("BEGIN IMMEDIATE");
  insert(100);
  EXPECT_EQ(watched_.writes, 0);
  ASSERT_EQ(commit(), SQLITE_OK);
  // About 53 pages, each of which SQLite writes in two steps, fit into four pieces.
  EXPECT_LE(watched_.writes, 5);
  EXPECT_FALSE(log_.holds_pages());
}

TEST_F(LogBufferTest, WhatIsCommittedIsInTheFilesAndSeenByOthers) {
  for (int round = 1; round <= 20; ++round) {
    writer_.execute("BEGIN IMMEDIATE");
    insert(round);
    ASSERT_EQ(commit(), SQLITE_OK);
    ASSERT_FALSE(log_.holds_pages());
    ASSERT_EQ(count_rows(path_), round * (round + 1) / 2);
    // As after a crash of this process: the files as they are now, opened by another one.
    std::string const copy = folder_ / "copy" / std::to_string(round);
    std::filesystem::copy_file(path_, copy);
    std::filesystem::copy_file(path_ + "-wal", copy + "-wal");
    ASSERT_EQ(count_rows(copy), round * (round + 1) / 2);
    // The log begins anew now and then.
    if (round % 5 == 0) {
      ASSERT_TRUE(writer_.checkpoint(SQLITE_CHECKPOINT_RESTART, 100).ok);
    }
  }
}

TEST_F(LogBufferTest, AFailedWriteFailsTheCommitAndIsSeenByNobody) {
  writer_.execute("BEGIN IMMEDIATE");
  insert(3);
  watched_.is_full = true;
  EXPECT_EQ(commit(), SQLITE_FULL);
  watched_.is_full = false;
  if (writer_.in_transaction()) writer_.execute("ROLLBACK");
  EXPECT_EQ(count_rows(path_), 0);

  writer_.execute("BEGIN IMMEDIATE");
  insert(2);
  ASSERT_EQ(commit(), SQLITE_OK);
  EXPECT_EQ(count_rows(path_), 2);
}

TEST_F(LogBufferTest, ARolledBackTransactionWritesNothing) {
  writer_.execute("BEGIN IMMEDIATE");
  insert(50);
  writer_.execute("ROLLBACK");
  EXPECT_EQ(watched_.writes, 0);
  EXPECT_FALSE(log_.holds_pages());
}

}  // namespace
}  // namespace payonce::sqlite
