// Lines of a provider's statement: one more way of hearing what happened, fees, and what a person has to see.
#include <gtest/gtest.h>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

ApplyNotice line(std::string id, int n, Money amount = usd(1999), std::optional<Money> fee = std::nullopt) {
  ApplyNotice it = notice("bill:" + id, n, answer(Outcome::succeeded, "billed"));
  it.answer.amount = amount;
  it.billed = {"2026-01-02", fee};
  it.shown_to = MerchantId{"shop"};
  return it;
}

ApplyNotice refund_line(std::string id, std::string refund_number, Money amount, Outcome outcome = Outcome::succeeded) {
  ApplyNotice it = line(std::move(id), 1, amount);
  it.refund_number = std::move(refund_number);
  it.answer.outcome = outcome;
  return it;
}

// The one difference that was found.
Discrepancy found(RulesWorld const& world) {
  EXPECT_EQ(world.discrepancies.size(), 1U);
  return world.discrepancies.empty() ? Discrepancy{.amount = usd(0)} : world.discrepancies.begin()->second;
}

std::int64_t balance(RulesWorld const& world, std::string const& account) {
  std::int64_t balance = 0;
  for (Posting const& it : world.journal)
    balance += (it.debit == account ? it.amount.minor : 0) - (it.credit == account ? it.amount.minor : 0);
  return balance;
}

TEST(C77PaidThereOpenHere, TheStatementPaysTheOrderAsANoticeWould) {
  for (AttemptState const state : {processing, unknown, requires_action, released, failed, canceled}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.run(line("1", 1));
    EXPECT_EQ(world.attempt(1).state, succeeded) << to_text(state);
    EXPECT_EQ(world.attempt(1).evidence, Evidence::statement);
    EXPECT_EQ(world.order().head.state, OrderState::paid);
    EXPECT_EQ(world.effects.size(), 3U);
    EXPECT_TRUE(world.discrepancies.empty());
    for (TimelineEvent const& event : decision.changes.events) EXPECT_EQ(event.actor, "reconciliation:sure 2026-01-02");
    std::string const before = describe(world.attempt(1));
    Decision const again = world.run(line("1", 1));
    EXPECT_TRUE(again.changes.empty()) << "the second import changes nothing";
    EXPECT_EQ(describe(world.attempt(1)), before);
  }
}

TEST(C77PaidTwice, LateMoneyThatNoticeQueryAndStatementAllTellOfIsGivenBackOnce) {
  RulesWorld world{order_with({attempt_in(succeeded, 1), attempt_in(failed, 2)})};
  world.run(notice("evt-1", 2, answer(Outcome::succeeded)));
  world.run(line("2", 2));
  world.run(outcome(2, Evidence::query, Outcome::succeeded));
  world.run(line("2", 2));
  EXPECT_TRUE(world.attempt(2).surplus);
  EXPECT_EQ(world.order().refunds.size(), 1U);
  EXPECT_EQ(world.refund_of(2)->id, surplus_refund_id(attempt_id(2)));
  RulesWorld by_statement{order_with({attempt_in(succeeded, 1), attempt_in(failed, 2)})};
  by_statement.run(line("2", 2));
  by_statement.run(notice("evt-1", 2, answer(Outcome::succeeded)));
  EXPECT_EQ(by_statement.order().refunds.size(), 1U);
}

TEST(StatementFee, IsBookedOnceAndTheBooksBalance) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(line("1", 1, usd(1999), usd(12)));
  world.run(line("1", 1, usd(1999), usd(12)));
  EXPECT_EQ(balance(world, "fees"), 12);
  EXPECT_EQ(balance(world, "receivable:sure"), 1999 - 12);
  EXPECT_EQ(balance(world, "revenue"), -1999);
}

TEST(StatementFee, OfAKnownPaymentAndThatIsGivenBackWithARefund) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  world.run(line("1", 1, usd(1999), usd(12)));
  ApplyNotice back = refund_line("2", "RF-1", usd(1999));
  back.billed->fee = usd(-12);
  world.run(back);
  EXPECT_EQ(balance(world, "fees"), 0);
  EXPECT_EQ(balance(world, "receivable:sure"), 0);
  EXPECT_EQ(world.journal.back().refund, outside_refund_id(attempt_id(1), "RF-1"));
  RulesWorld free{order_with({attempt_in(processing, 1)})};
  free.run(line("1", 1, usd(1999), usd(0)));
  EXPECT_EQ(free.journal.size(), 1U) << "no fee is no row";
}

TEST(StatementRefund, ThatPayonceDidNotMakeComesIntoTheBooks) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_line("1", "RF-1", usd(500)));
  Refund const& refund = *world.refund_of(1);
  EXPECT_EQ(refund.origin, RefundOrigin::outside);
  EXPECT_EQ(refund.state, RefundState::succeeded);
  EXPECT_EQ(refund.evidence, Evidence::statement);
  ApplyNotice told = notice("evt-1", 1, answer(Outcome::succeeded));
  told.refund_number = "RF-1";
  told.answer.amount = usd(500);
  world.run(told);
  EXPECT_EQ(world.order().refunds.size(), 1U) << "the notice tells of the same one";
  EXPECT_TRUE(world.discrepancies.empty());
}

TEST(StatementRefund, OfOursEndsIt) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_request(1, "r-1"));
  world.run(refund_line("1", refund_id(1).value, usd(500)));
  EXPECT_EQ(world.refund(1).state, RefundState::succeeded);
  EXPECT_EQ(world.order().refunds.size(), 1U);
}

TEST(StatementRefund, UnderWayEndsNothingAndOneOfOthersIsShownToAPerson) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_request(1, "r-1"));
  world.run(refund_line("1", refund_id(1).value, usd(500), Outcome::pending));
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
  EXPECT_TRUE(world.discrepancies.empty());
  world.run(refund_line("2", "RF-9", usd(500), Outcome::pending));
  EXPECT_EQ(found(world).kind, DiscrepancyKind::differs);
  EXPECT_EQ(world.order().refunds.size(), 1U) << "nothing that payonce would send again";
}

TEST(StatementRefund, UnderWayThatTheBooksHaveFromOutsideIsNoNews) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_line("1", "RF-1", usd(500)));
  world.run(refund_line("2", "RF-1", usd(500), Outcome::pending));
  EXPECT_TRUE(world.discrepancies.empty());
  EXPECT_EQ(world.order().refunds.size(), 1U);
  EXPECT_EQ(world.refund_of(1)->state, RefundState::succeeded);
}

TEST(StatementRefund, OfOursInOtherUnitsIsShownInTheRefundsOwnWords) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  world.run(refund_request(1, "r-1"));
  world.run(refund_line("1", refund_id(1).value, usd(5)));
  EXPECT_TRUE(found(world).text.contains("the refund is 5.00 USD")) << found(world).text;
  EXPECT_TRUE(found(world).text.contains("a factor of 100")) << found(world).text;
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
}

TEST(StatementRefund, UnderTheNumberOfAnotherPaymentsIsShownInThePaymentsWords) {
  Order order = order_with({attempt_in(succeeded, 1), attempt_in(failed, 2)});
  RulesWorld world{order};
  world.run(refund_request(1, "r-1"));
  ApplyNotice listed = refund_line("1", refund_id(1).value, usd(500));
  listed.number = attempt_id(2).value;
  world.run(listed);
  EXPECT_TRUE(found(world).text.contains("which is one of payment " + attempt_id(1).value)) << found(world).text;
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
}

TEST(C75Difference, InAmountOrCurrencyIsShownToAPersonAndDecidesNothing) {
  struct Case {
    Money said;
    std::string_view words;
  };
  for (auto const& [said, words] :
       {Case{usd(1998), "19.98 USD"}, Case{cny(1999), "19.99 CNY"}, Case{usd(199900), "a factor of 100"}}) {
    RulesWorld world{order_with({attempt_in(processing, 1)})};
    world.run(line("1", 1, said));
    EXPECT_EQ(world.attempt(1).state, unknown);
    EXPECT_FALSE(world.attempt(1).review.empty());
    Discrepancy const difference = found(world);
    EXPECT_EQ(difference.kind, DiscrepancyKind::differs);
    EXPECT_EQ(difference.merchant, MerchantId{"shop"});
    EXPECT_EQ(difference.number, attempt_id(1).value);
    EXPECT_EQ(difference.amount, said);
    EXPECT_TRUE(difference.text.contains(words)) << difference.text;
  }
}

TEST(StatementDifference, ASecondChargeUnderTheSameNumberIsShown) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  ApplyNotice first = line("1", 1);
  first.answer.provider_ref = "trade-1";
  ApplyNotice second = line("2", 1);
  second.answer.provider_ref = "trade-2";
  world.run(first);
  EXPECT_TRUE(world.discrepancies.empty());
  world.run(second);
  EXPECT_EQ(found(world).kind, DiscrepancyKind::differs);
  EXPECT_TRUE(found(world).text.contains("trade-2"));
}

TEST(StatementDifference, TheSameChargeListedAgainOrWithoutAnyIdKnownIsNoSecondOne) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  ApplyNotice listed = line("1", 1);
  listed.answer.provider_ref = "trade-1";
  world.run(listed);
  EXPECT_TRUE(world.discrepancies.empty()) << "the books had no id to compare it with";
  world.orders.at(order_key()).attempts[0].provider_ref = "trade-1";
  listed.event_id = "bill:2";
  world.run(listed);
  EXPECT_TRUE(world.discrepancies.empty());
}

TEST(StatementDifference, AnUnknownNumberOfOursIsShownAndLookedForAgain) {
  RulesWorld world;
  world.run(line("1", 1, usd(1999), usd(12)));
  EXPECT_EQ(found(world).kind, DiscrepancyKind::unknown);
  EXPECT_EQ(found(world).merchant, MerchantId{"shop"});
  NoticeRow const& row = world.notices.at({"sure", "bill:1"});
  EXPECT_EQ(row.disposition, NoticeDisposition::unmatched);
  world.now = *row.due_at;
  world.run(line("1", 1, usd(1999), usd(12)));
  EXPECT_EQ(world.discrepancies.size(), 1U);
  world.orders.emplace(order_key(), order_with({attempt_in(processing, 1)}));
  world.run(line("1", 1, usd(1999), usd(12)));
  EXPECT_EQ(world.attempt(1).state, succeeded) << "restored books";
  EXPECT_EQ(balance(world, "fees"), 12);
}

TEST(StatementDifference, OtherMoneyOfTheSameAccountIsNobodysBusiness) {
  RulesWorld world;
  ApplyNotice foreign = line("1", 1);
  foreign.number = "till-0815";
  world.run(foreign);
  EXPECT_EQ(world.notices.at({"sure", "bill:1"}).disposition, NoticeDisposition::foreign);
  EXPECT_TRUE(world.discrepancies.empty());
}

TEST(StatementDifference, AKnownLineWithAnotherFeeOrAmountIsShownAndBooksNothing) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(line("1", 1, usd(1999), usd(12)));
  Decision const decision = world.run(line("1", 1, usd(1999), usd(13)));
  EXPECT_EQ(found(world).kind, DiscrepancyKind::changed);
  EXPECT_TRUE(found(world).text.contains("0.13 USD")) << found(world).text;
  EXPECT_TRUE(decision.changes.postings.empty());
  EXPECT_EQ(balance(world, "fees"), 12);
}

TEST(StatementDifference, AKnownLineWithAnotherAmountOrWithoutItsFeeIsShown) {
  struct Case {
    ApplyNotice corrected;
    std::string_view words;
  };
  for (auto const& [corrected, words] : {Case{line("1", 1, usd(1998), usd(12)), "19.98 USD, fee 0.12 USD"},
                                         Case{line("1", 1, usd(1999)), "19.99 USD, fee none"}}) {
    RulesWorld world{order_with({attempt_in(processing, 1)})};
    world.run(line("1", 1, usd(1999), usd(12)));
    world.run(corrected);
    EXPECT_EQ(found(world).kind, DiscrepancyKind::changed);
    EXPECT_TRUE(found(world).text.contains(words)) << found(world).text;
    EXPECT_EQ(world.attempt(1).state, succeeded);
    EXPECT_EQ(balance(world, "fees"), 12);
  }
}

TEST(StatementDifference, AKnownLineThatNamesNobodysPaymentNowIsShownToWhomTheBillIsOf) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(line("1", 1));
  ApplyNotice corrected = line("1", 7, usd(1998));
  corrected.shown_to = MerchantId{"bookkeeper"};
  world.run(corrected);
  EXPECT_EQ(found(world).kind, DiscrepancyKind::changed);
  EXPECT_EQ(found(world).merchant, MerchantId{"bookkeeper"});
}

TEST(StatementDifference, OnlyALineCorrectsALineAndNobodysMoneyIsNotCorrected) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(line("1", 1));
  ApplyNotice message = line("1", 1, usd(1998));
  message.billed.reset();
  EXPECT_TRUE(world.run(message).changes.empty());
  ApplyNotice foreign = line("2", 1, usd(500));
  foreign.number = "till-0815";
  world.run(foreign);
  foreign.answer.amount = usd(501);
  EXPECT_TRUE(world.run(foreign).changes.empty());
  EXPECT_TRUE(world.discrepancies.empty());
}

TEST(StatementDifference, AnotherProvidersLineDecidesNothingAndBooksNoFee) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  ApplyNotice other = line("1", 1, usd(1999), usd(12));
  other.provider = "blunt";
  world.run(other);
  EXPECT_EQ(found(world).kind, DiscrepancyKind::differs);
  EXPECT_NE(world.attempt(1).state, succeeded);
  EXPECT_TRUE(world.journal.empty());
}

TEST(StatementOfAHold, APartThatWasCapturedMakesPayonceAsk) {
  Order held = order_with({attempt_in(authorized, 1)});
  held.head.capture = CaptureMode::manual;
  RulesWorld world{held};
  world.now += 1min;
  world.run(line("1", 1, usd(500)));
  EXPECT_EQ(world.attempt(1).state, authorized);
  EXPECT_EQ(world.attempt(1).due_at, world.now);
  EXPECT_TRUE(world.discrepancies.empty());
}

// A hold of 19.99 of which these captures are in the books; complete if one of them was the last.
RulesWorld captured_world(std::vector<std::pair<std::int64_t, bool>> const& captures) {
  Order held = order_with({attempt_in(authorized, 1)});
  held.head.capture = CaptureMode::manual;
  RulesWorld world{held};
  int n = 0;
  for (auto const& [minor, is_final] : captures) {
    ++n;
    world.run(capture_request(n, "c-" + std::to_string(n), minor, is_final));
    world.run(RecordCaptureOutcome{order_key(), capture_id(n), Evidence::response, answer(Outcome::succeeded)});
  }
  world.now += 1min;
  return world;
}

TEST(StatementOfAHold, ACaptureThatTheBooksHaveSettlesNothingAnew) {
  RulesWorld world = captured_world({{500, false}, {700, true}});
  std::string const before = describe(world.attempt(1));
  world.run(line("1", 1, usd(500)));
  world.run(line("2", 1, usd(700)));
  EXPECT_EQ(describe(world.attempt(1)), before);
  EXPECT_EQ(world.order().captures.size(), 2U);
  EXPECT_EQ(world.order().head.paid_minor, 1200);
  EXPECT_TRUE(world.discrepancies.empty());
}

TEST(StatementOfAHold, AllCapturesInOneLineSettleNothingAnew) {
  RulesWorld world = captured_world({{500, false}, {700, true}});
  world.run(line("1", 1, usd(1200)));
  EXPECT_TRUE(world.discrepancies.empty());
}

TEST(StatementOfAHold, LessThanCameOfACompletePaymentThatNoCaptureExplainsIsShownToAPerson) {
  RulesWorld world = captured_world({{500, false}, {700, true}});
  world.run(line("1", 1, usd(600)));
  EXPECT_EQ(found(world).kind, DiscrepancyKind::differs);
  EXPECT_EQ(world.order().head.paid_minor, 1200);
}

TEST(StatementOfAHold, NeitherARefusedCaptureNorAnotherPaymentsExplainsALine) {
  RulesWorld asked = captured_world({{500, false}});
  asked.run(capture_request(2, "c-2", 600, false));
  asked.run(RecordCaptureOutcome{order_key(), capture_id(2), Evidence::response, answer(Outcome::declined)});
  asked.run(capture_request(3, "c-3", 700, true));
  asked.run(RecordCaptureOutcome{order_key(), capture_id(3), Evidence::response, answer(Outcome::succeeded)});
  Order order = asked.order();
  Capture others = order.captures.front();
  others.id = capture_id(4);
  others.attempt = attempt_id(2);
  others.amount = usd(600);
  order.captures.push_back(others);
  RulesWorld world{order};
  world.run(line("1", 1, usd(600)));
  EXPECT_EQ(found(world).kind, DiscrepancyKind::differs);
  EXPECT_EQ(world.order().head.paid_minor, 1200);
}

TEST(StatementOfAHold, ALineThatNamesNoAmountBooksNothing) {
  RulesWorld world = captured_world({{500, true}});
  ApplyNotice it = line("1", 1);
  it.answer.amount.reset();
  world.run(it);
  EXPECT_EQ(world.order().head.paid_minor, 500);
}

TEST(StatementOfAHold, OneThatWasGivenUpAndIsListedAsPaidIsPaid) {
  Order held = order_with({attempt_in(canceled, 1)});
  held.head.capture = CaptureMode::manual;
  RulesWorld world{held};
  world.run(line("1", 1));
  EXPECT_EQ(world.attempt(1).state, succeeded);
  EXPECT_EQ(world.attempt(1).evidence, Evidence::statement);
}

TEST(StatementOfAHold, MoreThanCameOfACompletePaymentIsShownToAPerson) {
  RulesWorld world = captured_world({{500, true}});
  world.run(line("1", 1, usd(1999)));
  EXPECT_EQ(found(world).kind, DiscrepancyKind::differs);
  EXPECT_EQ(world.order().head.paid_minor, 500);
}

}  // namespace
}  // namespace payonce
