#include "store/sqlite/bulk_insert.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace payonce::sqlite {

namespace {

// The text with `rows` rows behind VALUES, their parameters numbered on.
std::string repeat_row(std::string_view one_row, std::size_t rows) {
  std::string_view constexpr mark = "VALUES (";
  auto const values = one_row.rfind(mark);
  if (values == std::string_view::npos) throw std::logic_error("an insert without VALUES");
  auto const width = std::ranges::count(one_row, '$');
  std::string text{one_row.substr(0, values + mark.size() - 1)};
  for (std::size_t row = 0, number = 0; row < rows; ++row) {
    text += row == 0 ? "(" : ", (";
    for (std::ptrdiff_t column = 0; column < width; ++column)
      text += fmt::format("{}${}", column ? ", " : "", ++number);
    text += ")";
  }
  return text;
}

}  // namespace

BulkInsert::BulkInsert(Connection& connection, char const* name, std::string_view one_row)
    : connection_(connection), name_(name), text_(one_row), one_(connection, name, one_row) {}

Statement& BulkInsert::many() {
  if (!many_) many_.emplace(connection_, name_, repeat_row(text_, rows_at_once));
  return *many_;
}

}  // namespace payonce::sqlite
