#include "provider/wechatpay/statement.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/crypto.h"
#include "provider/bill_reader.h"
#include "provider/bill_text.h"
#include "provider/json_fields.h"
#include "provider/wechatpay/classify.h"

namespace payonce::wechatpay {

namespace {

std::unexpected<Error> not_given(std::string_view why) {
  return fail(ErrorCode::unavailable, fmt::format("WeChat Pay gives no statement: {}", why));
}

// The first of the columns that the table has: they were renamed over the years.
std::string_view one_of(BillReader const& table, std::initializer_list<std::string_view> columns) {
  for (std::string_view const column : columns)
    if (table.place_of(column) < table.columns()) return column;
  return *columns.begin();
}

StatementLine read_line(BillReader& table, std::string_view text, std::string const& day) {
  StatementLine line{.amount = {0, Currency::of("CNY")}};
  auto const currency = Currency::parse(table.text("货币种类"));
  if (!currency) {
    table.refuse(currency.error().detail);
    return line;
  }
  std::string_view const state = table.text("交易状态");
  line.kind = state == "SUCCESS" ? LineKind::payment : state == "REFUND" ? LineKind::refund : LineKind::other;
  std::string const transaction = table.id("微信订单号");
  line.number = table.text("商户订单号");
  line.text = text;
  line.fee = table.money("手续费", *currency);
  bool const is_refund = line.kind == LineKind::refund;
  std::string_view const amount =
      is_refund ? one_of(table, {"申请退款金额", "退款金额"}) : one_of(table, {"订单金额", "应结订单金额", "总金额"});
  line.amount = table.money(amount, *currency).value_or(Money{0, *currency});
  if (line.kind != LineKind::other && line.amount.minor <= 0) table.refuse(fmt::format("{} is missing", amount));
  if (!is_refund) {
    line.id = "payment " + transaction;
    line.provider_ref = transaction;
    if (line.kind == LineKind::payment && !table.text("交易时间").starts_with(day))
      table.refuse("it is of another day than " + day);
    return line;
  }
  line.id = "refund " + table.id("微信退款单号");
  line.refund_number = table.id("商户退款单号");
  // A picture of the moment at which the bill was made. What is not done has yet to be.
  if (table.text("退款状态") != "SUCCESS") line.outcome = Outcome::pending;
  return line;
}

// Every cell of a row begins with a backtick, so that commas inside of one do no harm.
BillReader::Cells cells_of(std::string_view line) { return split(line.substr(1), ",`"); }

}  // namespace

Result<Statement> read_statement(std::string_view file, std::string const& day) {
  auto const bytes = ungzipped(std::string{file});
  if (!bytes) return std::unexpected(bytes.error());
  auto const text = utf8_of_chinese(*bytes);
  if (!text) return std::unexpected(text.error());
  BillReader table;
  Statement statement;
  int summary_lines = 0;
  auto const lines = lines_of(*text);
  for (std::size_t i = 0; i < lines.size() && table.is_fine(); ++i) {
    bool const is_row = lines[i].starts_with('`');
    if (i == 0) {
      table.head(1, split(lines[i], ","), {"交易时间", "微信订单号", "商户订单号", "交易状态", "货币种类", "手续费"});
    } else if (summary_lines > 0 || !is_row) {
      ++summary_lines;  // its own header, and one row
    } else {
      table.row(i + 1, cells_of(lines[i]));
      if (table.is_fine()) statement.lines.push_back(read_line(table, lines[i], day));
    }
  }
  if (summary_lines != 2 || !lines.back().starts_with('`'))
    table.refuse(lines.size() + 1, "the sums at the end are missing; fetch the file again");
  if (auto const whole = table.result(); !whole) return std::unexpected(whole.error());
  return statement;
}

Result<BillAddress> bill_address(HttpAnswer const& answer, Keys const& keys, Time now) {
  if (answer.delivery != Delivery::answered) return not_given(answer.error);
  if (auto const signed_by_it = keys.check(answer.headers, answer.body, now); !signed_by_it)
    return not_given("the answer is not signed by it: " + signed_by_it.error().detail);
  auto const object = parse_object(answer.body);
  std::string const code = object ? text_at(*object, "code") : std::string{};
  if (code == "NO_STATEMENT_EXIST") return BillAddress{};
  if (answer.status != 200) return not_given(fmt::format("it answered {} {}", answer.status, code));
  std::string const url = object ? text_at(*object, "download_url") : std::string{};
  std::size_t const host = url.find("://");
  std::size_t const path = host == std::string::npos ? host : url.find('/', host + 3);
  if (path == std::string::npos || text_at(*object, "hash_type") != "SHA1") return not_given("it names no file");
  return BillAddress{url.substr(path), text_at(*object, "hash_value")};
}

Result<void> check_hash(std::string_view file, std::string_view sha1_hex) {
  auto const bytes = ungzipped(std::string{file});
  if (!bytes) return std::unexpected(bytes.error());
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned int size = 0;
  EVP_Digest(bytes->data(), bytes->size(), reinterpret_cast<unsigned char*>(digest.data()), &size, EVP_sha1(), nullptr);
  digest.resize(size);
  std::string expected{sha1_hex};
  std::ranges::transform(expected, expected.begin(), [](char c) { return c >= 'A' && c <= 'F' ? char(c + 32) : c; });
  if (hex_encode(digest) == expected) return {};
  return not_given("the file is not the one that it announced");
}

}  // namespace payonce::wechatpay
