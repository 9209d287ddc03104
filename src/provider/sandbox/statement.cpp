#include "provider/sandbox/statement.h"

#include <fmt/format.h>

#include "provider/bill_reader.h"

namespace payonce::sandbox {

namespace {

StatementLine read_line(BillReader& table, std::string_view text) {
  StatementLine line{.amount = {0, Currency::of("USD")}};
  auto const currency = Currency::parse(table.text("currency"));
  if (!currency) {
    table.refuse(currency.error().detail);
    return line;
  }
  std::string_view const kind = table.text("kind");
  line.kind = kind == "payment" ? LineKind::payment : kind == "refund" ? LineKind::refund : LineKind::other;
  line.id = table.id("id");
  line.number = table.text("number");
  line.refund_number = table.text("refund_number");
  // Captures of a hold have ids of their own; the payment's answers name the charge.
  line.provider_ref = line.kind == LineKind::payment ? std::string{table.text("charge_id")} : std::string{};
  line.amount = {table.integer("amount"), *currency};
  line.fee = Money{table.integer("fee"), *currency};
  line.text = text;
  if (line.amount.minor < 0) table.refuse("amount is negative");
  if ((line.kind == LineKind::refund) == line.refund_number.empty())
    table.refuse("refund_number and kind do not fit each other");
  return line;
}

}  // namespace

Result<Statement> read_statement(std::string_view file) {
  BillReader table;
  Statement statement;
  bool has_ended = false;
  auto const lines = lines_of(file);
  for (std::size_t i = 0; i < lines.size() && table.is_fine(); ++i) {
    auto cells = split(lines[i], ",");
    if (i == 0) {
      table.head(1, cells, {"kind", "id", "charge_id", "number", "refund_number", "amount", "currency", "fee"});
      continue;
    }
    if (has_ended) table.refuse(i + 1, "there is more behind the end");
    table.row(i + 1, std::move(cells));
    has_ended = table.text("kind") == "end";
    if (has_ended && table.text("id") != std::to_string(statement.lines.size()))
      table.refuse("it counts other lines than there are");
    if (!has_ended) statement.lines.push_back(read_line(table, lines[i]));
  }
  if (!has_ended) table.refuse(lines.size() + 1, "the end is missing; fetch the file again");
  if (auto const whole = table.result(); !whole) return std::unexpected(whole.error());
  return statement;
}

}  // namespace payonce::sandbox
