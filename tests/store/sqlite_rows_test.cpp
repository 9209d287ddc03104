// How SQLite keeps and writes rows, below the port: what its tables refuse by themselves, and what a write must not
// cost.
#include <sqlite3.h>

#include "store/rows.h"
#include "store/sqlite/row_writer.h"
#include "support/books_database.h"

namespace payonce::test {

namespace {

class SqliteRows : public ::testing::Test {
 protected:
  SqliteRows() : store_(books_.open()) {}

  void write(WriteSet const& changes) const {
    auto const writer = store_->open_writer();
    writer->begin();
    writer->write(changes);
    writer->commit();
  }
  bool execute(std::string const& sql) const { return books_.execute("PRAGMA foreign_keys = ON; " + sql); }
  std::string path() const { return books_.url().substr(std::string_view{"sqlite:"}.size()); }

 private:
  BooksDatabase const books_{false};
  std::unique_ptr<Store> const store_;
};

// Whether SQLite may have to undo this statement alone, so that it keeps copies of the pages that it touches.
bool may_abort(sqlite3* db, std::string const& statement) {
  constexpr int opcode_column = 1, p1_column = 2, p2_column = 3;
  constexpr int on_error_abort = 2;
  sqlite3_stmt* program = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, ("EXPLAIN " + statement).c_str(), -1, &program, nullptr), SQLITE_OK);
  bool may = false;
  while (sqlite3_step(program) == SQLITE_ROW) {
    std::string const opcode = reinterpret_cast<char const*>(sqlite3_column_text(program, opcode_column));
    int const p1 = sqlite3_column_int(program, p1_column);
    int const p2 = sqlite3_column_int(program, p2_column);
    bool const aborts = opcode.starts_with("Halt") && p1 != SQLITE_OK && p2 == on_error_abort;
    bool const calls = opcode.ends_with("Func") || opcode.ends_with("Function");
    bool const checks_key_at_once = opcode == "FkCounter" && p1 == 0 && p2 > 0;
    may |= aborts || calls || checks_key_at_once;
  }
  sqlite3_finalize(program);
  return may;
}

}  // namespace

TEST_F(SqliteRows, InsertsOfManyRowsAreOnlyUndoneWithTheirTransaction) {
  sqlite::Connection connection(path(), sqlite::Connection::Use::write);
  sqlite::RowWriter writer(connection);
  Changes changes;
  for (std::string const n : {"1", "2"}) {
    OrderKey const key = order_key("PA-" + n);
    Attempt const it = succeeded(processing("pay_" + n, "k-" + n));
    changes.add(head_of(key)).add(key, it).add(event_of(key, "payment.succeeded"));
    changes.add(effect_of(key, it, "ship")).add(posting_of(key, it));
  }
  connection.execute("BEGIN");
  writer.write(changes);
  connection.execute("COMMIT");
  int of_many_rows = 0;
  for (sqlite3_stmt* it = nullptr; (it = sqlite3_next_stmt(connection.handle(), it));) {
    std::string const text = sqlite3_sql(it);
    if (!text.contains("), (")) continue;
    ++of_many_rows;
    EXPECT_FALSE(may_abort(connection.handle(), text)) << text;
  }
  EXPECT_EQ(of_many_rows, 5) << "orders, attempts, events, effects, journal";
}

TEST_F(SqliteRows, ThePlaceOfAPaymentFollowsItsState) {
  OrderKey const key = order_key("PA-1001");
  write(Changes{}
            .add(head_of(key))
            .add(key, processing("pay_live", "k-1"))
            .add(key, failed(processing("pay_over", "k-2"))));
  auto const set = [&](std::string const& values, std::string const& attempt) {
    return execute("UPDATE payment_attempts SET " + values + " WHERE attempt_id = '" + attempt + "'");
  };
  EXPECT_FALSE(set("place = NULL", "pay_live"));
  EXPECT_FALSE(set("place = 'another'", "pay_live"));
  EXPECT_FALSE(set("place = part", "pay_over")) << "it is taken";
  EXPECT_FALSE(set("state = 'PROCESSING', due_at = 1", "pay_over")) << "it lives without its place";
  EXPECT_TRUE(set("updated_at = 1", "pay_live"));
}

TEST_F(SqliteRows, WhatRefersToNothingIsNotCommitted) {
  OrderKey const key = order_key("PA-1001");
  write(Changes{}.add(head_of(key)).add(key, processing("pay_1", "k-1")));
  auto const effect_of_row = [&](std::string const& row) {
    return execute("INSERT INTO effects VALUES (" + row + ", '', 'ship', 'shop', 'PENDING', 0, 1, 1, NULL, '')");
  };
  EXPECT_FALSE(effect_of_row("99"));
  EXPECT_TRUE(effect_of_row("1"));
  EXPECT_FALSE(execute("DELETE FROM payment_attempts")) << "an effect follows from it";
  EXPECT_FALSE(execute("DELETE FROM orders")) << "a payment is one of it";
}

}  // namespace payonce::test
