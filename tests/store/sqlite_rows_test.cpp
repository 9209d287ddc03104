// What the tables of SQLite refuse by themselves, below the port.
#include "store/rows.h"
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

 private:
  BooksDatabase const books_{false};
  std::unique_ptr<Store> const store_;
};

}  // namespace

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

}  // namespace payonce::test
