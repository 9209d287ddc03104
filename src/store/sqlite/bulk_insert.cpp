#include "store/sqlite/bulk_insert.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace payonce::sqlite {

namespace {

// The text with `rows` rows behind VALUES. Parameters without names: SQLite compares each name with all before it.
// With OR ROLLBACK a row that is refused takes the transaction with it, as it would anyway; else SQLite keeps a copy of
// each page that the run touches, to undo the run alone. (For the same end the tables' foreign keys wait for the
// commit, and their checks call no function.)
std::string repeat_row(std::string_view one_row, std::size_t rows) {
  std::string_view constexpr insert = "INSERT ";
  std::string_view constexpr mark = "VALUES (";
  auto const values = one_row.rfind(mark);
  if (!one_row.starts_with(insert) || values == std::string_view::npos)
    throw std::logic_error("an insert without VALUES");
  std::string row = "(?";
  for (auto more = std::ranges::count(one_row, '$'); more > 1; --more) row += ", ?";
  row += ")";
  std::string text = "INSERT OR ROLLBACK ";
  text += one_row.substr(insert.size(), values + mark.size() - 1 - insert.size());
  for (std::size_t i = 0; i < rows; ++i) text.append(i == 0 ? "" : ", ").append(row);
  return text;
}

}  // namespace

BulkInsert::BulkInsert(Connection& connection, char const* name, std::string_view one_row)
    : connection_(connection), name_(name), one_row_(one_row) {
  of(1);
}

Statement& BulkInsert::of(std::size_t rows) {
  auto& statement = by_power_[std::countr_zero(rows)];
  if (!statement) statement.emplace(connection_, name_, repeat_row(one_row_, rows));
  return *statement;
}

}  // namespace payonce::sqlite
