// WeChat Pay's bills: backticks, layouts of several years, and hashes.
#include "provider/wechatpay/statement.h"

#include <gtest/gtest.h>

namespace payonce::wechatpay {
namespace {

std::string const day = "2026-01-02";

std::string const old_head =
    "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,"
    "应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,"
    "手续费,费率";
std::string const new_head = old_head + ",订单金额,申请退款金额,费率备注";
std::string const paid =
    "`2026-01-02 16:33:45,`wx0000000000000001,`1900000001,`0,`,`4200000000202601020000000001,`PA-1001-1,`oTESTuser01,"
    "`NATIVE,`SUCCESS,`OTHERS,`CNY,`0.10,`0.00,`0,`0,`0.00,`0.00,`,`,`Test item, green,`,`0.00000,`0.60%";
std::string const back =
    "`2026-01-03 09:00:00,`wx0000000000000001,`1900000001,`0,`,`4200000000202601020000000001,`PA-1001-1,`oTESTuser01,"
    "`NATIVE,`REFUND,`OTHERS,`CNY,`0.00,`0.00,`50000000012026,`RF-1,`0.04,`0.00,`ORIGINAL,`SUCCESS,`Test item,`,"
    "`-0.01000,`0.60%";
std::string const sums = "总交易单数,应结订单总金额\r\n`1,`0.10\r\n";

std::string file(std::string const& head, std::string const& rows) { return head + "\r\n" + rows + "\r\n" + sums; }
std::string complaint(std::string const& text) {
  auto const read = read_statement(text, day);
  return read ? "" : read.error().detail;
}
std::string with(std::string line, std::string const& from, std::string const& to) {
  line.replace(line.find(from), from.size(), to);
  return file(old_head, line);
}

TEST(C70WechatBill, OldAndNewLayoutsAreReadByTheNamesOfTheirColumns) {
  for (std::string const& text :
       {file(old_head, paid + "\r\n" + back), "\xEF\xBB\xBF" + file(old_head, paid + "\r\n" + back),
        file(new_head, paid + ",`0.10,`0.00,`\r\n" + back + ",`0.00,`0.04,`")}) {
    auto const read = read_statement(text, day);
    ASSERT_TRUE(read) << read.error().detail;
    ASSERT_EQ(read->lines.size(), 2U);
    StatementLine const& payment = read->lines[0];
    EXPECT_EQ(payment.kind, LineKind::payment);
    EXPECT_EQ(payment.number, "PA-1001-1");
    EXPECT_EQ(payment.provider_ref, "4200000000202601020000000001");
    EXPECT_EQ(payment.amount, (Money{10, Currency::of("CNY")})) << "yuan there, fen here";
    EXPECT_EQ(payment.fee->minor, 0);
    StatementLine const& refund = read->lines[1];
    EXPECT_EQ(refund.refund_number, "RF-1");
    EXPECT_EQ(refund.amount.minor, 4);
    EXPECT_EQ(refund.fee->minor, -1);
    EXPECT_EQ(refund.outcome, Outcome::succeeded);
  }
}

TEST(C75Unit, AmountsInYuanAreExact) {
  for (auto const& [text, fen] : {std::pair{"`0.10", 10}, {"`100.00", 10000}, {"`100", 10000}})
    EXPECT_EQ(read_statement(with(paid, "`0.10", text), day)->lines[0].amount.minor, fen) << text;
  EXPECT_TRUE(complaint(with(paid, "`0.10", "`0.105")).contains("line 2: 应结订单金额 is no amount"));
}

TEST(C70WechatBill, OddCharactersInATimeDoNoHarmAndARefundUnderWayIsNotDone) {
  EXPECT_EQ(complaint(with(paid, "16:33:45", "16：33：45")), "");
  auto const pending = read_statement(with(back, "`SUCCESS", "`PROCESSING"), day);
  EXPECT_EQ(pending->lines[0].outcome, Outcome::pending);
  auto const revoked = read_statement(with(paid, "`SUCCESS", "`REVOKED"), day);
  EXPECT_EQ(revoked->lines[0].kind, LineKind::other);
}

TEST(C70WechatBill, ThatDoesNotFitStopsWithItsLine) {
  EXPECT_TRUE(
      complaint(file(old_head, paid + "\r\n" + paid.substr(0, paid.rfind(",`")))).contains("line 3: it has 23"));
  EXPECT_TRUE(complaint(old_head + "\r\n" + paid + "\r\n").contains("the sums at the end are missing"));
  EXPECT_TRUE(complaint(old_head + "\r\n" + paid + "\r\n总交易单数\r\n").contains("the sums at the end are missing"));
  EXPECT_TRUE(complaint("").contains("the sums at the end are missing"));
  EXPECT_TRUE(complaint(file("a,b", paid)).contains("line 1: the table has no column"));
  EXPECT_TRUE(complaint(with(paid, "2026-01-02", "2026-01-01")).contains("line 2: it is of another day"));
}

TEST(WechatBillHash, OfTheUnpackedFileMustBeTheOneAnnounced) {
  // printf hello | sha1sum
  EXPECT_TRUE(check_hash("hello", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"));
  EXPECT_TRUE(check_hash("hello", "AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D"));
  EXPECT_FALSE(check_hash("hallo", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"));
  EXPECT_FALSE(check_hash("hello", ""));
}

}  // namespace
}  // namespace payonce::wechatpay
