#include "provider/alipay/statement.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>

#include "provider/alipay/envelope.h"
#include "provider/bill_reader.h"
#include "provider/bill_text.h"
#include "provider/json_fields.h"

namespace payonce::alipay {

namespace {

bool is_list(std::string_view name) { return name.ends_with("业务明细.csv"); }

// Brackets are full-width in some files and ASCII in others.
std::string plain(std::string_view column) {
  std::string text{trimmed(column)};
  for (auto const& [from, to] : {std::pair{"（", "("}, {"）", ")"}})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) text.replace(at, 3, to);
  return text;
}

// A product's name may hold commas. Alipay pads texts with a tab, so that its cell ends with the first piece that has
// one.
BillReader::Cells cells_of(std::string_view line, BillReader const& table) {
  auto cells = split(line, ",");
  std::size_t const name = table.place_of("商品名称");
  while (cells.size() > table.columns() && name + 1 < cells.size() && !cells[name].ends_with('\t')) {
    cells[name] = {cells[name].data(), cells[name].size() + 1 + cells[name + 1].size()};
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(name) + 1);
  }
  return cells;
}

StatementLine read_line(BillReader& table, std::string_view text, std::string const& day) {
  Currency const yuan = Currency::of("CNY");
  StatementLine line{.amount = {0, yuan}};
  std::string_view const kind = table.text("业务类型");
  line.kind = kind == "交易" ? LineKind::payment : kind == "退款" ? LineKind::refund : LineKind::other;
  std::string const trade = table.id("支付宝交易号");
  line.number = table.text("商户订单号");
  line.text = text;
  Money const amount = table.money("订单金额(元)", yuan).value_or(Money{0, yuan});
  bool const is_refund = line.kind == LineKind::refund;
  line.amount.minor = is_refund ? -amount.minor : amount.minor;
  if (line.kind != LineKind::other && line.amount.minor <= 0) table.refuse("订单金额 has the wrong sign or is missing");
  // What Alipay takes is negative there, what it gives back is positive.
  if (auto const fee = table.money("服务费(元)", yuan)) line.fee = Money{-fee->minor, yuan};
  if (!table.text("完成时间").starts_with(day)) table.refuse("it is of another day than " + day);
  if (!is_refund) {
    line.id = "payment " + trade;
    line.provider_ref = trade;
    return line;
  }
  line.refund_number = table.text("退款批次号/请求号");
  // Some refunds made by hand have no number of their own: there is one of the trade then.
  if (line.refund_number.empty()) line.refund_number = trade;
  line.id = "refund " + trade + " " + line.refund_number;
  return line;
}

// "#交易合计：23811笔，…" counts 23811.
std::optional<std::size_t> count_in(std::string_view footer, std::string_view title) {
  std::size_t const at = footer.find(title);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view const digits = footer.substr(at + title.size());
  std::size_t count = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), count).ec != std::errc{}) return std::nullopt;
  return count;
}

class Reading {
 public:
  explicit Reading(std::string const& day) : day_(day) {}

  Result<Statement> read(std::string_view text) {
    std::size_t number = 0;
    for (std::string_view const line : lines_of(text)) {
      if (line.starts_with('#'))
        comment(line, ++number);
      else
        table_line(line, ++number);
      if (!table_.is_fine()) break;
    }
    if (!has_ended_) table_.refuse(number + 1, "the end of the list is missing; fetch the file again");
    if (auto const whole = table_.result(); !whole) return std::unexpected(whole.error());
    return std::move(statement_);
  }

 private:
  void comment(std::string_view line, std::size_t number) {
    has_ended_ = has_ended_ || line.contains("业务明细列表结束");
    for (auto const& [title, read] : {std::pair{"交易合计：", payments_}, {"退款合计：", refunds_}})
      if (auto const count = count_in(line, title); count && *count != read)
        table_.refuse(number, fmt::format("it counts {} lines, and there are {}", *count, read));
  }

  void table_line(std::string_view line, std::size_t number) {
    if (trimmed(line).empty()) return;
    if (has_ended_) return table_.refuse(number, "there is more behind the end of the list");
    if (!table_.has_head()) {
      std::vector<std::string> columns;
      for (std::string_view const column : split(line, ",")) columns.push_back(plain(column));
      table_.head(
          number, {columns.begin(), columns.end()},
          {"支付宝交易号", "商户订单号", "业务类型", "完成时间", "订单金额(元)", "退款批次号/请求号", "服务费(元)"});
      return;
    }
    table_.row(number, cells_of(line, table_));
    if (!table_.is_fine()) return;
    StatementLine const& read = statement_.lines.emplace_back(read_line(table_, line, day_));
    payments_ += read.kind == LineKind::payment;
    refunds_ += read.kind == LineKind::refund;
  }

  std::string const& day_;
  BillReader table_;
  Statement statement_;
  std::size_t payments_ = 0;
  std::size_t refunds_ = 0;
  bool has_ended_ = false;
};

}  // namespace

Result<std::string> bill_address(HttpAnswer const& answer, std::string_view response_key, Keys const& keys) {
  auto const refuse = [](std::string_view why) {
    return fail(ErrorCode::unavailable, fmt::format("Alipay gives no statement: {}", why));
  };
  if (answer.delivery != Delivery::answered) return refuse(answer.error);
  auto const envelope = open_envelope(answer.body, response_key);
  if (!envelope) return refuse(fmt::format("it answered {}", answer.status));
  if (!keys.verify(envelope->object, envelope->sign, envelope->serial)) return refuse("the answer is not signed by it");
  auto const value = boost::json::parse({envelope->object.data(), envelope->object.size()});
  std::string const code = text_at(value.get_object(), "code");
  std::string const reason = text_at(value.get_object(), "sub_code");
  bool const had_no_business = reason.ends_with("BILL_NOT_EXIST") || reason.ends_with("NO_BILL_DATA");
  if (code == "40004" && had_no_business) return std::string{};
  std::string address = text_at(value.get_object(), "bill_download_url");
  if (code != "10000" || address.empty()) return refuse(code + " " + reason);
  return address;
}

Result<Statement> read_statement(std::string_view file, std::string const& day) {
  auto const csv = is_zip(file) ? member_of_zip(file, is_list) : Result<std::string>{std::string{file}};
  if (!csv) return std::unexpected(csv.error());
  auto const text = utf8_of_chinese(*csv);
  if (!text) return std::unexpected(text.error());
  return Reading{day}.read(*text);
}

}  // namespace payonce::alipay
