// Our books against a bank's ledger: what each side must find of the other.
#include <gtest/gtest.h>

#include "base/id.h"
#include "verify/books_fixture_test.h"

namespace payonce::test {
namespace {

constexpr Time read_at = test_start + 1h;

BankCharge charged(std::int64_t minor = 1999) { return {"PA-1001", minor, "USD", true, minor}; }
BankCharge refused() { return {"PA-1001", 1999, "USD", false, 0}; }

class AtBank : public testing::Test {
 protected:
  Findings check(OrderBooks const& books) {
    VerifyOptions options = shop_options();
    options.bank = &ledger;
    return check_order(books, options);
  }
  std::set<int> violated_by(OrderBooks const& books) { return violated(check(books).violations); }

  void charge(int n, BankCharge row = charged()) { ledger.charges[attempt_id(n).value].push_back(std::move(row)); }
  void give_back(int n, std::int64_t minor = 1999) {
    ledger.refunds[attempt_id(n).value].push_back({surplus_refund_id(attempt_id(n)).value, minor, "USD", true});
  }

  BankLedger ledger{read_at, {}, {}};
};

TEST_F(AtBank, OneChargeForAPaidOrderHolds) {
  charge(1);
  EXPECT_EQ(violated_by(paid_books()), std::set<int>{});
}

TEST_F(AtBank, ASuccessMustBeCharged) { EXPECT_EQ(violated_by(paid_books()), std::set<int>{7}); }

TEST_F(AtBank, ASuccessThatIsNewerThanTheLedgerMayBeMissingThere) {
  ledger.read_at = test_start;
  EXPECT_EQ(violated_by(paid_books()), std::set<int>{});
}

TEST_F(AtBank, OfflineMoneyIsNotSoughtThere) { EXPECT_EQ(violated_by(offline_books()), std::set<int>{}); }

TEST_F(AtBank, OneNumberIsChargedOnce) {
  charge(1);
  charge(1);
  EXPECT_EQ(violated_by(paid_books()), (std::set<int>{1, 4}));
}

TEST_F(AtBank, TheChargeIsWhatWasAskedFor) {
  charge(1, charged(1998));
  EXPECT_EQ(violated_by(paid_books()), std::set<int>{4});
}

TEST_F(AtBank, AChargeThatWeCallFailedIsAViolation) {
  charge(1);
  EXPECT_EQ(violated_by(failed_books()), std::set<int>{7});
}

TEST_F(AtBank, ARefusedChargeThatWeCallFailedHolds) {
  charge(1, refused());
  EXPECT_EQ(violated_by(failed_books()), std::set<int>{});
}

TEST_F(AtBank, AChargeThatRecoveryHasYetToHearOfIsOpen) {
  charge(1);
  Findings const findings = check(unknown_books());
  EXPECT_EQ(violated(findings.violations), std::set<int>{});
  EXPECT_EQ(findings.open.size(), 2u);
}

TEST_F(AtBank, SurplusThatWentBackHolds) {
  charge(1);
  charge(2);
  give_back(1);
  EXPECT_EQ(violated_by(surplus_books()), std::set<int>{});
}

TEST_F(AtBank, SurplusThatTheBankKeptIsFound) {
  charge(1);
  charge(2);
  EXPECT_EQ(violated_by(surplus_books()), (std::set<int>{1, 8}));
}

TEST_F(AtBank, SurplusOnItsWayBackIsOpen) {
  charge(1);
  charge(2);
  OrderBooks books = surplus_books();
  Refund& refund = books.order.refunds.front();
  refund.state = RefundState::processing;
  refund.due_at = test_start;
  std::erase_if(books.timeline, [](StoredEvent const& it) { return it.event.type == "refund.succeeded"; });
  std::erase_if(books.journal, [&](Posting const& it) { return it.refund == refund.id; });
  Findings const findings = check(books);
  EXPECT_EQ(violated(findings.violations), std::set<int>{});
  EXPECT_FALSE(findings.open.empty());
}

TEST_F(AtBank, MoneyGoesBackOncePerNumber) {
  charge(1);
  charge(2);
  give_back(1);
  give_back(1);
  EXPECT_EQ(violated_by(surplus_books()), std::set<int>{8});
}

TEST_F(AtBank, ARefundThatIsNotOursIsFound) {
  charge(1);
  give_back(1);
  EXPECT_EQ(violated_by(paid_books()), std::set<int>{8});
}

TEST(Ledger, IsReadAsTheBankWritesIt) {
  auto const ledger = parse_ledger(
      R"({"charges":[{"id":"ch_1","number":"pay_1","order":"A","amount":5,"captured":5,"currency":"USD",
                      "status":"succeeded"},
                     {"id":"ch_2","number":"pay_1","order":"A","amount":5,"captured":0,"currency":"USD",
                      "status":"declined"}],
          "refunds":[{"id":"re_1","number":"ref_1","charge_number":"pay_1","order":"A","amount":3,"currency":"USD",
                      "status":"succeeded"}],
          "calls":[]})",
      read_at);
  ASSERT_TRUE(ledger);
  EXPECT_EQ(ledger->read_at, read_at);
  ASSERT_EQ(ledger->charges.at("pay_1").size(), 2u);
  EXPECT_TRUE(ledger->charges.at("pay_1")[0].succeeded);
  EXPECT_FALSE(ledger->charges.at("pay_1")[1].succeeded);
  EXPECT_EQ(ledger->refunds.at("pay_1").at(0).amount_minor, 3);
  EXPECT_EQ(ledger->refunds.at("pay_1").at(0).number, "ref_1");
  EXPECT_EQ(ledger->refunds.at("pay_1").at(0).id, "re_1");
}

TEST(Ledger, RefusesWhatIsNone) {
  for (auto const* text : {"", "[]", "{}", R"({"charges":[{"number":1}],"refunds":[]})"})
    EXPECT_EQ(parse_ledger(text, read_at).error().code, ErrorCode::invalid_json);
}

}  // namespace
}  // namespace payonce::test
