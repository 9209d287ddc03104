// Reading the table of a provider's statement: cells are found by the names of their columns, never by their place, and
// what does not fit stops the reading with the number of its line. Not for: what the cells mean (each connector).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/money.h"

namespace payonce {

// Without their ends, LF or CR LF. A last line without one counts as well.
std::vector<std::string_view> lines_of(std::string_view text);
std::vector<std::string_view> split(std::string_view text, std::string_view separator);
// Without blanks and tabs around it.
std::string_view trimmed(std::string_view text);

// Keeps the first error; what is read after it is empty.
class BillReader {
 public:
  using Cells = std::vector<std::string_view>;

  // The header, at this line of the file (from 1). All of `required` must be there; others may be.
  void head(std::size_t line, Cells const& columns, std::initializer_list<std::string_view> required);
  bool has_head() const { return !columns_.empty(); }
  std::size_t columns() const { return columns_.size(); }
  // Where a column stands in a row, or the number of columns if it is none.
  std::size_t place_of(std::string_view column) const;

  // The next row. It must have a cell for each column.
  void row(std::size_t line, Cells cells);
  // Of the row, trimmed; empty if there is no such column.
  std::string_view text(std::string_view column) const;
  // A decimal amount in major units, which may have a sign; none if the cell is empty.
  std::optional<Money> money(std::string_view column, Currency currency);
  // A whole number, which may have a sign.
  std::int64_t integer(std::string_view column);
  // An id that must be there, and be one: no number in the form in which spreadsheets spoil ids.
  std::string id(std::string_view column);

  void refuse(std::string_view why);
  void refuse(std::size_t line, std::string_view why);
  bool is_fine() const { return !error_; }
  Result<void> result() const;

 private:
  std::vector<std::string> columns_;
  Cells cells_;
  std::size_t line_ = 0;
  std::optional<Error> error_;
};

}  // namespace payonce
