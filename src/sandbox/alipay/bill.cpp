// The bill of a day: CSV in GBK, in a ZIP archive that is fetched from an address of its own.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "sandbox/alipay/alipay_dialect.h"
#include "sandbox/beijing.h"
#include "sandbox/bill.h"
#include "sandbox/long_number.h"
#include "sandbox/zip.h"

namespace payonce::sandbox::alipay {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view ruler = "#-----------------------------------------";
constexpr std::string_view columns =
    "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,"
    "订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,"
    "券名称,"
    "商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注";

std::string signed_yuan(std::int64_t fen) { return fen < 0 ? "-" + to_yuan(-fen) : to_yuan(fen); }

// Texts are padded with a tab. The merchant's income is positive, so that its fees are negative.
std::string row(BillLine const& line, std::string const& trade) {
  std::string const amount = signed_yuan(line.is_refund ? -line.amount_minor : line.amount_minor);
  std::string const at = to_beijing(line.at);
  return fmt::format(
      "{}\t,{}\t,{}\t,Order {}, as it was named\t,{},{},\t,\t,\t,\t,san***@sandbox.example\t,{},{},0.00,0.00,0.00,0.00,"
      "0.00,,0.00,0.00,{}\t,{},0.00,\r\n",
      trade, line.number, line.is_refund ? "退款" : "交易", line.order, at, at, amount, amount, line.refund_number,
      signed_yuan(-line.fee_minor));
}

}  // namespace

CallResult AlipayDialect::bill_address(Asked const& asked, Injection) {
  std::string const day = asked.text("bill_date");
  if (asked.text("bill_type") != "trade" || !parse_day(day))
    return {.code = "40004", .sub_code = "isv.INVAILID_ARGUMENTS"};
  if (lines_of_day(day).empty()) return failed("isp.BILL_NOT_EXIST");
  CallResult result;
  result.fields["bill_download_url"] = parts_.base_url + "/alipay-bill/" + day;
  return result;
}

std::vector<BillLine> AlipayDialect::lines_of_day(std::string const& day) const {
  Time const midnight = *parse_day(day) - 8h;
  return bill_of(parts_.ledger.bank(), name(), midnight, midnight + 24h);
}

HttpResponse AlipayDialect::bill(std::string const& day) const {
  if (!parse_day(day)) return {.status = 404};
  std::string list =
      fmt::format("#支付宝业务明细查询\r\n#账号：[{}]\r\n#起始日期：[{} 00:00:00]\r\n{}业务明细列表{}\r\n{}\r\n",
                  keys_.seller_id, day, ruler, ruler.substr(1), columns);
  std::size_t payments = 0;
  auto const lines = lines_of_day(day);
  for (BillLine const& line : lines) {
    list += row(line, long_number(parts_.ledger.bank().query(line.number).charge));
    payments += line.is_refund ? 0 : 1;
  }
  list += fmt::format("{}业务明细列表结束{}\r\n#交易合计：{}笔\r\n#退款合计：{}笔\r\n", ruler, ruler.substr(1),
                      payments, lines.size() - payments);
  std::string const account = fmt::format("{}_{}", keys_.seller_id, day);
  return {.status = 200,
          .headers = {{"Content-Type", "application/zip"}},
          .body = zip_of({{to_gbk(account + "_业务明细(汇总).csv"), to_gbk("#合计\r\n")},
                          {to_gbk(account + "_业务明细.csv"), to_gbk(list)}})};
}

}  // namespace payonce::sandbox::alipay
