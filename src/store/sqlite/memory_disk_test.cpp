#include "store/sqlite/memory_disk.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/sqlite/connection.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/statement.h"

namespace payonce::sqlite {
namespace {

class MemoryDiskTest : public testing::Test {
 protected:
  MemoryDiskTest() {
    disk.run_as(1);
    EXPECT_TRUE(open_sqlite(path, Checkpoints::by_writer));
    connect();
    writer->execute("CREATE TABLE t (n INTEGER)");
  }

  void connect() { writer = std::make_unique<Connection>(path, Connection::Use::write); }

  // The rows that a program sees that starts now.
  std::int64_t rows_after_restart() {
    writer.reset();
    disk.run_as(++process);
    connect();
    return rows(*writer);
  }
  static std::int64_t rows(Connection& connection) {
    Statement count(connection, "count", "SELECT count(*) FROM t");
    Rows rows = count.query();
    return rows.next() ? rows.integer() : -1;
  }

  MemoryDisk disk{testing::TempDir()};
  std::string const path = disk.folder() + "/memory_disk_test.db";
  MemoryDisk::Process process = 1;
  std::unique_ptr<Connection> writer;
};

}  // namespace

TEST_F(MemoryDiskTest, KeepsWhatWasSyncedWhenThePowerFails) {
  writer->execute("INSERT INTO t VALUES (1)");  // synchronous = FULL
  SeededRandom random{1};
  disk.lose_power(random);
  EXPECT_EQ(rows_after_restart(), 1);
}

TEST_F(MemoryDiskTest, ForgetsSometimesWhatWasNotSynced) {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const before = rows(*writer);
    writer->execute("PRAGMA synchronous = NORMAL");
    writer->execute("INSERT INTO t VALUES (2)");
    SeededRandom random{seed};
    disk.lose_power(random);
    auto const after = rows_after_restart();
    EXPECT_TRUE(after == before || after == before + 1);
    if (after == before) ++lost;
  }
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost, 20);
}

TEST_F(MemoryDiskTest, SyncByPathCounts) {
  writer->execute("PRAGMA synchronous = NORMAL");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto const before = rows(*writer);
    writer->execute("INSERT INTO t VALUES (3)");
    disk.sync(path + "-wal");
    SeededRandom random{seed};
    disk.lose_power(random);
    EXPECT_EQ(rows_after_restart(), before + 1);
    writer->execute("PRAGMA synchronous = NORMAL");
  }
}

TEST_F(MemoryDiskTest, ADeadProcessLeavesItsLocksAndItsCommits) {
  writer->execute("INSERT INTO t VALUES (4)");
  writer->execute("BEGIN IMMEDIATE");
  writer->execute("INSERT INTO t VALUES (5)");
  disk.run_as(2);
  Connection other(path, Connection::Use::write);
  sqlite3_busy_handler(other.handle(), nullptr, nullptr);
  EXPECT_THROW(other.execute("BEGIN IMMEDIATE"), StoreError);
  disk.kill(1);
  other.execute("BEGIN IMMEDIATE");
  other.execute("COMMIT");
  EXPECT_EQ(rows(other), 1);
  EXPECT_THROW(writer->execute("COMMIT"), StoreError);
}

}  // namespace payonce::sqlite
