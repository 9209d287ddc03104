// Alipay's bills, in its layout: comments, padding, two dates, GBK in an archive.
#include "provider/alipay/statement.h"

#include <gtest/gtest.h>

#include "sandbox/zip.h"

namespace payonce::alipay {
namespace {

std::string const day = "2026-01-02";

std::string const head =
    "#支付宝业务明细查询\r\n#账号：[2088000000000001]\r\n"
    "#-----------------------------------------业务明细列表----------------------------------------\r\n"
    "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,"
    "订单金额（元）,"
    "商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,"
    "商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注\r\n";
std::string const paid =
    "2026010122000000000000000001\t,PA-1001-1\t,交易\t,Test item\t,2026-01-01 23:59:58,2026-01-02 00:00:01,,,,,"
    "te***@example.com\t,19.99,19.99,0.00,0.00,0.00,0.00,0.00,,0.00,0.00,,-0.12,0.00,\r\n";
std::string const back =
    "2026010122000000000000000001\t,PA-1001-1\t,退款\t,Test item\t,2026-01-01 23:59:58,2026-01-02 10:00:01,,,,,"
    "te***@example.com\t,-5.00,-5.00,0.00,0.00,0.00,0.00,0.00,,0.00,0.00,RF-1\t,0.03,0.00,\r\n";
std::string const end =
    "#-----------------------------------------业务明细列表结束------------------------------------\r\n";

std::string complaint(std::string const& file) {
  auto const read = read_statement(file, day);
  return read ? "" : read.error().detail;
}

std::string with(std::string line, std::string const& from, std::string const& to) {
  line.replace(line.find(from), from.size(), to);
  return head + line + end;
}

TEST(C74AlipayBill, PaymentsAndRefundsAreReadWithTheirFees) {
  auto const read = read_statement(head + paid + back + end, day);
  ASSERT_TRUE(read) << read.error().detail;
  ASSERT_EQ(read->lines.size(), 2U);
  StatementLine const& payment = read->lines[0];
  EXPECT_EQ(payment.kind, LineKind::payment);
  EXPECT_EQ(payment.number, "PA-1001-1");
  EXPECT_EQ(payment.provider_ref, "2026010122000000000000000001");
  EXPECT_EQ(payment.amount, (Money{1999, Currency::of("CNY")}));
  EXPECT_EQ(payment.fee->minor, 12) << "what Alipay took";
  StatementLine const& refund = read->lines[1];
  EXPECT_EQ(refund.kind, LineKind::refund);
  EXPECT_EQ(refund.refund_number, "RF-1") << "it pairs with its number and not with the charge";
  EXPECT_EQ(refund.amount.minor, 500);
  EXPECT_EQ(refund.fee->minor, -3) << "what it gave back";
  EXPECT_NE(refund.id, payment.id);
}

TEST(C73AlipayBill, IsTheSameInEveryAlphabetAndWrapping) {
  std::string const utf8 = head + paid + back + end;
  std::string const gbk = sandbox::to_gbk(utf8);
  std::string const zip = sandbox::zip_of({{sandbox::to_gbk("2088_20260102_业务明细(汇总).csv"), "sums"},
                                           {sandbox::to_gbk("2088_20260102_业务明细.csv"), gbk}});
  auto const expected = read_statement(utf8, day);
  for (std::string const& file : {"\xEF\xBB\xBF" + utf8, gbk, zip}) {
    auto const read = read_statement(file, day);
    ASSERT_TRUE(read) << read.error().detail;
    ASSERT_EQ(read->lines.size(), 2U);
    EXPECT_EQ(read->lines[1].text, expected->lines[1].text);
  }
  EXPECT_FALSE(read_statement(zip.substr(0, zip.size() / 2), day)) << "torn";
}

TEST(AlipayBill, OfADayWithoutBusinessHasAnEmptyList) { EXPECT_TRUE(read_statement(head + end, day)->lines.empty()); }

TEST(AlipayBill, AsciiBracketsANamesCommasAndFootersAreUnderstood) {
  std::string ascii = head;
  for (auto at = ascii.find("（元）"); at != std::string::npos; at = ascii.find("（元）")) ascii.replace(at, 9, "(元)");
  EXPECT_EQ(read_statement(ascii + paid + end, day)->lines.size(), 1U);
  EXPECT_EQ(complaint(with(paid, "Test item", "Tea, green, 100 g")), "");
  EXPECT_EQ(complaint(head + paid + back + end +
                      "#交易合计：1笔，商家实收共19.99元，商家优惠共0.00元\r\n"
                      "#退款合计：1笔，商家实收退款共-5.00元，商家优惠退款共0.00元\r\n"),
            "");
}

TEST(AlipayBill, ThatIsNotWholeIsRefusedWithItsLine) {
  EXPECT_TRUE(complaint(head + paid).contains("the end of the list is missing"));
  EXPECT_TRUE(complaint(head + paid + end + "#交易合计：2笔，商家实收共0.00元\r\n").contains("line 7: it counts 2"));
  EXPECT_TRUE(complaint(head + paid + end + back).contains("line 7: there is more"));
  EXPECT_TRUE(complaint(head + paid.substr(0, 60) + "\r\n" + end).contains("line 5: it has"));
  EXPECT_TRUE(complaint("a,b\r\n" + end).contains("line 1: the table has no column"));
}

TEST(C74AlipayBill, WhatASpreadsheetOrAnotherDayMadeOfItIsRefused) {
  EXPECT_TRUE(complaint(with(paid, "2026010122000000000000000001", "2.02601E+27")).contains("spreadsheet"));
  EXPECT_TRUE(complaint(with(paid, "2026-01-02", "2026-01-03")).contains("line 5: it is of another day"));
  EXPECT_TRUE(complaint(with(paid, "19.99", "1999分")).contains("is no amount of CNY"));
  EXPECT_TRUE(complaint(with(back, "-5.00", "5.00")).contains("wrong sign"));
}

}  // namespace
}  // namespace payonce::alipay
