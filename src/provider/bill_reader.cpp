#include "provider/bill_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace payonce {

namespace {

// "2.02601E+27": an id after a spreadsheet took it for a number.
bool is_spoilt(std::string_view text) {
  return text.contains("E+") &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.' || c == 'E' || c == '+'; });
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    std::size_t const end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + separator.size();
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, "\n");
  if (lines.back().empty()) lines.pop_back();
  for (std::string_view& line : lines)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  std::size_t const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void BillReader::head(std::size_t line, Cells const& columns, std::initializer_list<std::string_view> required) {
  columns_.clear();
  for (std::string_view const column : columns) columns_.emplace_back(trimmed(column));
  for (std::string_view const column : required)
    if (place_of(column) == columns_.size()) refuse(line, fmt::format("the table has no column {}", column));
}

std::size_t BillReader::place_of(std::string_view column) const {
  return static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin());
}

void BillReader::row(std::size_t line, Cells cells) {
  line_ = line;
  if (cells.size() != columns_.size())
    refuse(fmt::format("it has {} cells, the table has {} columns", cells.size(), columns_.size()));
  cells_ = std::move(cells);
  cells_.resize(columns_.size());
}

std::string_view BillReader::text(std::string_view column) const {
  std::size_t const place = place_of(column);
  return place < cells_.size() ? trimmed(cells_[place]) : std::string_view{};
}

std::optional<Money> BillReader::money(std::string_view column, Currency currency) {
  std::string_view amount = text(column);
  if (amount.empty()) return std::nullopt;
  bool const is_negative = amount.starts_with('-');
  if (is_negative || amount.starts_with('+')) amount.remove_prefix(1);
  // Some write more decimals than the currency has; what is beyond must be nothing.
  if (std::size_t const point = amount.find('.'); point != std::string_view::npos)
    while (amount.ends_with('0') && amount.size() > point + 1 + static_cast<std::size_t>(currency.digits()))
      amount.remove_suffix(1);
  auto read = parse_decimal(amount, currency);
  if (!read) {
    refuse(fmt::format("{} is no amount of {}", column, currency.code()));
    return std::nullopt;
  }
  return Money{is_negative ? -read->minor : read->minor, currency};
}

std::int64_t BillReader::integer(std::string_view column) {
  std::string_view const digits = text(column);
  std::int64_t number = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size())
    refuse(fmt::format("{} is no whole number", column));
  return number;
}

std::string BillReader::id(std::string_view column) {
  std::string_view const id = text(column);
  if (id.empty()) refuse(fmt::format("{} is empty", column));
  if (is_spoilt(id))
    refuse(fmt::format("{} was spoilt by a spreadsheet; take the file as the provider gives it", column));
  return std::string{id};
}

void BillReader::refuse(std::string_view why) { refuse(line_, why); }

void BillReader::refuse(std::size_t line, std::string_view why) {
  if (!error_) error_ = Error{ErrorCode::invalid_request, fmt::format("the statement, line {}: {}", line, why)};
}

Result<void> BillReader::result() const {
  if (error_) return std::unexpected(*error_);
  return {};
}

}  // namespace payonce
