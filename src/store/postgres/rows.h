// The rows of one statement's result, in binary, with values read by C++ type.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace payonce::postgres {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

class Rows {
 public:
  explicit Rows(ResultPtr result) : result_(std::move(result)) {}

  // Steps to the next row; false behind the last. The columns are then read from left to right.
  bool next() {
    column_ = 0;
    return ++row_ < PQntuples(result_.get());
  }

  std::string text() { return std::string{text_view()}; }
  // The same without a copy, good while the rows live.
  std::string_view text_view();
  std::string bytes() { return text(); }
  std::int64_t integer();
  bool boolean() { return text_view() == std::string_view{"\1", 1}; }
  Time time() { return from_epoch_ms(integer()); }
  bool is_null() const { return PQgetisnull(result_.get(), row_, column_) != 0; }
  std::optional<Time> optional_time();
  void skip() { ++column_; }

  // How many rows the statement wrote.
  std::int64_t changed() const;

 private:
  ResultPtr result_;
  int row_ = -1;
  int column_ = 0;
};

}  // namespace payonce::postgres
