// A prepared statement and the rows it gives, with values bound and read by C++ type.
// Texts of statements name their parameters $1 … $n, as PostgreSQL does, or have question marks in their place.
#pragma once

#include <sqlite3.h>

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/named.h"
#include "store/sqlite/connection.h"

namespace payonce::sqlite {

// Bytes that need not be text: bound and read as BLOB.
struct Bytes {
  std::string_view value;
};

class Statement;

// The rows of a running statement. Ends the statement when it goes out of scope, so that no read lock outlives it.
class Rows {
 public:
  explicit Rows(Statement const& of);
  ~Rows() { sqlite3_reset(statement_); }
  Rows(Rows const&) = delete;
  Rows& operator=(Rows const&) = delete;

  // Steps to the next row; false behind the last. The columns are then read from left to right.
  bool next();

  std::string text();
  // The same without a copy, good until the next row.
  std::string_view text_view();
  std::string bytes();
  std::int64_t integer() { return sqlite3_column_int64(statement_, column_++); }
  bool boolean() { return integer() != 0; }
  Time time() { return from_epoch_ms(integer()); }
  bool is_null() const { return sqlite3_column_type(statement_, column_) == SQLITE_NULL; }
  std::optional<Time> optional_time();
  void skip() { ++column_; }

 private:
  Statement const& of_;
  sqlite3_stmt* statement_;
  int column_ = 0;
};

class Statement {
 public:
  // `name` is the file name of the text and stands in errors.
  Statement(Connection& connection, char const* name, std::string_view sql);
  Statement(Statement const&) = delete;
  Statement& operator=(Statement const&) = delete;

  // The values are $1, $2, … They are not copied and must live until the rows are read.
  template <class... Values>
  Rows query(Values const&... values) {
    assert(sizeof...(values) == places_.size());
    bind_from(0, values...);
    return Rows(*this);
  }

  // Runs a statement without result rows; returns how many rows it changed.
  template <class... Values>
  int run(Values const&... values) {
    assert(sizeof...(values) == places_.size());
    bind_from(0, values...);
    return run_bound();
  }

  // The same in two steps, for statements with more values than one call should name: binds $(before + 1) and on.
  template <class... Values>
  void bind_from(std::size_t before, Values const&... values) {
    assert(before + sizeof...(values) <= places_.size());
    [[maybe_unused]] std::size_t next = before;
    (bind(places_[next++], values), ...);
  }
  int run_bound();

  // The number of the row that the last insert made.
  std::int64_t inserted_row() const { return sqlite3_last_insert_rowid(db_); }

  sqlite3_stmt* handle() const { return statement_.get(); }
  // Throws the StoreError for what SQLite said last.
  [[noreturn]] void fail() const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  void bind(int place, std::string_view value) {
    // A null pointer would be bound as NULL.
    check(
        sqlite3_bind_text(statement_.get(), place, value.data() ? value.data() : "", int(value.size()), SQLITE_STATIC));
  }
  void bind(int place, std::string const& value) { bind(place, std::string_view{value}); }
  void bind(int place, char const* value) = delete;
  template <class Tag>
  void bind(int place, Named<Tag> const& value) {
    bind(place, std::string_view{value.value});
  }
  void bind(int place, Bytes bytes) {
    std::string_view const value = bytes.value;
    check(
        sqlite3_bind_blob(statement_.get(), place, value.data() ? value.data() : "", int(value.size()), SQLITE_STATIC));
  }
  void bind(int place, std::int64_t value) { check(sqlite3_bind_int64(statement_.get(), place, value)); }
  void bind(int place, std::size_t value) { bind(place, std::int64_t(value)); }
  void bind(int place, int value) { bind(place, std::int64_t{value}); }
  void bind(int place, bool value) { bind(place, std::int64_t{value}); }
  void bind(int place, Time value) { bind(place, to_epoch_ms(value)); }
  template <class Value>
  void bind(int place, std::optional<Value> const& value) {
    if (value)
      bind(place, *value);
    else
      check(sqlite3_bind_null(statement_.get(), place));
  }

  void check(int code) {
    if (code != SQLITE_OK) fail();
  }

  sqlite3* db_;
  char const* name_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  // SQLite numbers named parameters in the order they appear; places_[n - 1] is where $n stands.
  std::vector<int> places_;
};

}  // namespace payonce::sqlite
