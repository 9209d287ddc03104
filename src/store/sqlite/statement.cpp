#include "store/sqlite/statement.h"

#include <fmt/format.h>

#include <stdexcept>

namespace payonce::sqlite {

Rows::Rows(Statement const& of) : of_(of), statement_(of.handle()) {}

bool Rows::next() {
  column_ = 0;
  int const code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) of_.fail();
  return false;
}

std::string_view Rows::text_view() {
  auto const* const text = reinterpret_cast<char const*>(sqlite3_column_text(statement_, column_));
  auto const size = std::size_t(sqlite3_column_bytes(statement_, column_));
  ++column_;
  return text ? std::string_view{text, size} : std::string_view{};
}

std::string Rows::text() { return std::string{text_view()}; }

std::string Rows::bytes() {
  auto const* const data = static_cast<char const*>(sqlite3_column_blob(statement_, column_));
  auto const size = std::size_t(sqlite3_column_bytes(statement_, column_));
  ++column_;
  return data ? std::string{data, size} : std::string{};
}

std::optional<Time> Rows::optional_time() {
  if (!is_null()) return time();
  skip();
  return std::nullopt;
}

void Statement::fail() const { throw_error(db_, sqlite3_extended_errcode(db_), name_); }

Statement::Statement(Connection& connection, char const* name, std::string_view sql)
    : db_(connection.handle()), name_(name) {
  sqlite3_stmt* prepared = nullptr;
  int const code = sqlite3_prepare_v3(db_, sql.data(), int(sql.size()), SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  if (code != SQLITE_OK) throw_error(db_, sqlite3_extended_errcode(db_), name_);
  statement_.reset(prepared);
  int const count = sqlite3_bind_parameter_count(prepared);
  bool const has_names = count > 0 && sqlite3_bind_parameter_name(prepared, 1);
  for (int number = 1; number <= count; ++number) {
    int const place = has_names ? sqlite3_bind_parameter_index(prepared, fmt::format("${}", number).c_str()) : number;
    if (place == 0) throw std::logic_error(fmt::format("statement {} skips parameter ${}", name, number));
    places_.push_back(place);
  }
}

int Statement::run_bound() {
  Rows rows(*this);
  while (rows.next()) {
  }
  return sqlite3_changes(db_);
}

}  // namespace payonce::sqlite
