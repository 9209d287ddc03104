// Inserts rows of one kind, sixteen per run of a statement: what a run costs besides its rows (opening and closing a
// cursor for the table and each index) is a third of the price of a short row.
#pragma once

#include <cstddef>
#include <string_view>

#include "store/sqlite/statement.h"

namespace payonce::sqlite {

class BulkInsert {
 public:
  // The text inserts one row and ends in VALUES ($1, …, $n).
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
    std::size_t next = 0;
    while (rows.size() - next >= rows_at_once) {
      for (std::size_t i = 0; i < rows_at_once; ++i) bind(Slot{many_, i}, rows[next++]);
      many_.run_bound();
    }
    while (next < rows.size()) {
      bind(Slot{one_, 0}, rows[next++]);
      one_.run_bound();
    }
  }

 private:
  // More would save little: at sixteen the run's own price is a twentieth of the rows'.
  static constexpr std::size_t rows_at_once = 16;

  Statement one_;
  Statement many_;
};

}  // namespace payonce::sqlite
