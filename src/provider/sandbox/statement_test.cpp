// The sandbox bank's statement: all of it or nothing, with the line that does not fit.
#include "provider/sandbox/statement.h"

#include <gtest/gtest.h>

namespace payonce::sandbox {
namespace {

std::string const head = "kind,id,charge_id,number,refund_number,amount,currency,fee,at\n";
std::string const paid = "payment,ch_1,ch_1,pay_1,,1999,CNY,12,2026-01-02T03:04:05.678Z\n";
std::string const back = "refund,re_1,ch_1,pay_1,ref_1,500,CNY,-3,2026-01-02T03:04:05.678Z\n";

std::string complaint(std::string const& file) {
  auto const read = read_statement(file);
  return read ? "" : read.error().detail;
}

TEST(SandboxStatement, IsReadLineByLine) {
  auto const read = read_statement(head + paid + back + "end,2,,,,,,,\n");
  ASSERT_TRUE(read) << read.error().detail;
  ASSERT_EQ(read->lines.size(), 2U);
  StatementLine const& payment = read->lines[0];
  EXPECT_EQ(payment.kind, LineKind::payment);
  EXPECT_EQ(payment.id, "ch_1");
  EXPECT_EQ(payment.number, "pay_1");
  EXPECT_EQ(payment.provider_ref, "ch_1");
  EXPECT_EQ(payment.amount, (Money{1999, Currency::of("CNY")}));
  EXPECT_EQ(payment.fee, (Money{12, Currency::of("CNY")}));
  StatementLine const& refund = read->lines[1];
  EXPECT_EQ(refund.kind, LineKind::refund);
  EXPECT_EQ(refund.refund_number, "ref_1");
  EXPECT_EQ(refund.fee->minor, -3);
  EXPECT_EQ(refund.text + "\n", back);
}

TEST(SandboxStatement, OfADayWithoutBusinessIsEmpty) {
  EXPECT_TRUE(read_statement(head + "end,0,,,,,,,\r\n").value().lines.empty());
}

TEST(SandboxStatement, ThatIsNotWholeIsRefusedWithItsLine) {
  EXPECT_TRUE(complaint("").contains("the end is missing"));
  EXPECT_TRUE(complaint(head + paid).contains("line 3: the end is missing"));
  EXPECT_TRUE(complaint(head + paid + "end,2,,,,,,,\n").contains("line 3: it counts other lines"));
  EXPECT_TRUE(complaint(head + paid + "end,1,,,,,,,\n" + back).contains("line 4: there is more"));
  EXPECT_TRUE(complaint(head + paid.substr(0, 20) + "\nend,1,,,,,,,\n").contains("line 2: it has 4 cells"));
  EXPECT_TRUE(complaint("kind,id\n" + paid).contains("line 1: the table has no column"));
}

TEST(SandboxStatement, ACellThatDoesNotFitIsNamed) {
  auto const with = [](std::string from, std::string const& to) {
    std::string line = paid;
    line.replace(line.find(from), from.size(), to);
    return complaint(head + line + "end,1,,,,,,,\n");
  };
  EXPECT_TRUE(with("1999", "19.99").contains("line 2: amount is no whole number"));
  EXPECT_TRUE(with("1999", "-1999").contains("amount is negative"));
  EXPECT_TRUE(with("CNY", "cny").contains("line 2"));
  EXPECT_TRUE(with("payment,ch_1", "payment,").contains("id is empty"));
  EXPECT_TRUE(with("payment,ch_1", "payment,2.02601E+27").contains("spoilt by a spreadsheet"));
  EXPECT_TRUE(with("pay_1,,", "pay_1,ref_1,").contains("do not fit each other"));
}

}  // namespace
}  // namespace payonce::sandbox
