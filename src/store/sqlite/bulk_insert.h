// Inserts rows of one kind, up to 32 per run of a statement: what a run costs besides its rows (opening and closing a
// cursor for the table and each index) is a third of the price of a short row.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "store/sqlite/statement.h"

namespace payonce::sqlite {

class BulkInsert {
 public:
  // The text inserts one row, ends in VALUES ($1, …, $n), and must live as long as this.
  BulkInsert(Connection& connection, char const* name, std::string_view one_row);

  // The place of one row in the statement; called with the row's values $1, …, $n, which must live until the run.
  class Slot {
   public:
    Slot(Statement& statement, std::size_t number) : statement_(statement), number_(number) {}
    template <class... Values>
    void operator()(Values const&... values) {
      statement_.bind_from(number_ * sizeof...(values), values...);
    }

   private:
    Statement& statement_;
    std::size_t number_;
  };

  // Calls bind(slot, row) for each row, in order.
  template <class Row, class Bind>
  void insert(std::vector<Row> const& rows, Bind bind) {
    insert(rows, bind, [](Row const&, std::int64_t) {});
  }
  // The same, and inserted(row, number) with the number of each row of a table that has row numbers.
  template <class Row, class Bind, class Inserted>
  void insert(std::vector<Row> const& rows, Bind bind, Inserted inserted) {
    for (std::size_t next = 0; next < rows.size();) {
      std::size_t const count = std::min(std::bit_floor(rows.size() - next), rows_at_once_max);
      Statement& statement = of(count);
      for (std::size_t i = 0; i < count; ++i) bind(Slot{statement, i}, rows[next + i]);
      statement.run_bound();
      // Each row of a statement gets the highest number so far plus one.
      std::int64_t const first = statement.inserted_row() - static_cast<std::int64_t>(count) + 1;
      for (std::size_t i = 0; i < count; ++i) inserted(rows[next + i], first + static_cast<std::int64_t>(i));
      next += count;
    }
  }

 private:
  // More would save little: at 32 the run's own price is a fortieth of the rows'.
  static constexpr std::size_t rows_at_once_max = 32;

  // The statement that inserts so many rows, a power of two. Prepared when it is needed first: the text of a long one
  // takes its time, and a process that writes little never needs it.
  Statement& of(std::size_t rows);

  Connection& connection_;
  char const* const name_;
  std::string_view const one_row_;
  std::array<std::optional<Statement>, std::bit_width(rows_at_once_max)> by_power_;  // by_power_[n] inserts 2^n rows
};

}  // namespace payonce::sqlite
