// Disputes and reversals, and refunds that the provider made without us.
#include <gtest/gtest.h>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

class PaidOrder : public testing::Test {
 protected:
  PaidOrder() {
    world.terms.shop.effects = {{"disputed", Trigger::payment_disputed},
                                {"won", Trigger::dispute_won},
                                {"reversed", Trigger::payment_reversed},
                                {"refunded", Trigger::refund_succeeded}};
    world.run(registration());
    world.run(beginning(1, "k-1"));
    world.run(outcome(1, Evidence::response, Outcome::succeeded));
  }
  void hear(Outcome said) { world.run(notice("evt-" + std::to_string(++events_), 1, answer(said, "code"))); }
  std::vector<std::string> effects() const {
    std::vector<std::string> names;
    for (Effect const& it : world.effects) names.push_back(it.name);
    return names;
  }

  RulesWorld world;

 private:
  int events_ = 0;
};

TEST_F(PaidOrder, ADisputeTakesTheMoneyAndWinningBringsItAgain) {
  hear(Outcome::dispute_opened);
  EXPECT_EQ(world.attempt(1).state, disputed);
  EXPECT_EQ(world.order().head.state, OrderState::paid) << "nobody is charged again by itself";
  EXPECT_EQ(refused_with(world.decide(beginning(2, "k-2"))), ErrorCode::order_already_paid);
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
  hear(Outcome::dispute_won);
  EXPECT_EQ(world.attempt(1).state, succeeded);
  EXPECT_EQ(effects(), (std::vector<std::string>{"disputed", "won"}));
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
}

TEST_F(PaidOrder, NoRefundWhileDisputed) {
  hear(Outcome::dispute_opened);
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1"))), ErrorCode::payment_not_refundable);
}

TEST_F(PaidOrder, ALostDisputeIsTheEndAndOldNewsChangesNothing) {
  hear(Outcome::dispute_opened);
  hear(Outcome::dispute_opened);
  hear(Outcome::dispute_lost);
  for (Outcome const old : {Outcome::succeeded, Outcome::dispute_opened, Outcome::dispute_won, Outcome::declined})
    hear(old);
  EXPECT_EQ(world.attempt(1).state, reversed);
  EXPECT_EQ(world.attempt(1).disputes, 1);
  EXPECT_EQ(effects(), (std::vector<std::string>{"disputed", "reversed"}));
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
}

TEST_F(PaidOrder, C34_ACaptureThatFailsAfterwardsIsAReversalAndNoFailure) {
  hear(Outcome::reversed);
  EXPECT_EQ(world.attempt(1).state, reversed);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(effects(), std::vector<std::string>{"reversed"});
}

TEST_F(PaidOrder, ASecondDisputeIsForAPersonAndRepeatsNoEffect) {
  hear(Outcome::dispute_opened);
  hear(Outcome::dispute_won);
  hear(Outcome::dispute_opened);
  EXPECT_EQ(world.attempt(1).disputes, 2);
  EXPECT_EQ(effects(), (std::vector<std::string>{"disputed", "won"}));
  EXPECT_TRUE(world.attempt(1).review.contains("number 2"));
}

TEST_F(PaidOrder, ASecondDisputeThatIsLostIsTold) {
  hear(Outcome::dispute_opened);
  hear(Outcome::dispute_won);
  hear(Outcome::dispute_opened);
  hear(Outcome::dispute_lost);
  EXPECT_EQ(world.attempt(1).state, reversed);
  EXPECT_EQ(effects(), (std::vector<std::string>{"disputed", "won", "reversed"}))
      << "that the money is gone has not been said before";
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
}

TEST_F(PaidOrder, ADisputeOfWhatWasGivenBackIsForAPerson) {
  world.run(refund_request(1, "r-1", 500));
  hear(Outcome::dispute_opened);
  EXPECT_TRUE(world.attempt(1).review.contains("given back"));
}

TEST(TakeBack, OfMoneyThatIsNotKnownToHaveComeIsAskedAbout) {
  for (AttemptState const state : {processing, requires_action, unknown, released, failed, canceled}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    world.run(notice("evt-1", 1, answer(Outcome::dispute_opened)));
    EXPECT_EQ(world.attempt(1).state, state);
    EXPECT_NE(world.attempt(1).review, "");
    if (is_watched(state)) {
      EXPECT_EQ(world.attempt(1).due_at, world.now) << "the provider is asked at once";
    }
    EXPECT_EQ(world.notices.at({"sure", "evt-1"}).disposition, NoticeDisposition::misfit);
  }
}

TEST(TakeBack, ThatOvertookTheMoneyStaysForAPersonWhenTheMoneyComes) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(notice("evt-1", 1, answer(Outcome::dispute_lost)));
  ApplyNotice outside = notice("evt-2", 1, answer(Outcome::succeeded));
  outside.refund_number = "re_9";
  outside.answer.amount = usd(500);
  world.run(outside);
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.attempt(1).state, succeeded);
  EXPECT_TRUE(world.attempt(1).review.starts_with("taken back")) << world.attempt(1).review;
  EXPECT_TRUE(world.attempt(1).review.contains("dispute_lost")) << world.attempt(1).review;
  EXPECT_TRUE(world.attempt(1).review.contains("re_9")) << world.attempt(1).review;
}

TEST_F(PaidOrder, ADisputeThatIsWonBeforeAnyoneToldOfItIsForAPersonWhenItIsTold) {
  hear(Outcome::dispute_won);
  EXPECT_EQ(world.attempt(1).state, succeeded);
  hear(Outcome::dispute_opened);
  EXPECT_EQ(world.attempt(1).state, disputed);
  EXPECT_TRUE(world.attempt(1).review.contains("old news"));
  EXPECT_EQ(effects(), std::vector<std::string>{"disputed"});
}

class OutsideRefund : public PaidOrder {
 protected:
  void hear_of_refund(std::string number, Outcome said, std::optional<Money> amount) {
    ApplyNotice command = notice("out-" + std::to_string(++count_), 1, answer(said, "console"));
    command.refund_number = std::move(number);
    command.answer.amount = amount;
    world.run(command);
  }
  std::int64_t given_back() const { return world.order().given_back_minor(attempt_id(1)); }

 private:
  int count_ = 0;
};

TEST_F(OutsideRefund, IsPutIntoTheBooksOnce) {
  for (int i = 0; i < 3; ++i) hear_of_refund("re_9", Outcome::succeeded, usd(500));
  ASSERT_EQ(world.order().refunds.size(), 1U);
  Refund const& refund = world.order().refunds[0];
  EXPECT_EQ(refund.state, RefundState::succeeded);
  EXPECT_EQ(refund.origin, RefundOrigin::outside);
  EXPECT_EQ(refund.id, outside_refund_id(attempt_id(1), "re_9"));
  EXPECT_TRUE(is_refund_id(refund.id.value));
  EXPECT_EQ(effects(), std::vector<std::string>{"refunded"});
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
  EXPECT_EQ(broken_invariants(world.order(), {}), "");
}

TEST_F(OutsideRefund, LeavesLessForRefundsOnRequest) {
  hear_of_refund("re_9", Outcome::succeeded, usd(1'500));
  EXPECT_EQ(refused_with(world.decide(refund_request(1, "r-1", 500))), ErrorCode::refund_exceeds_captured);
  EXPECT_TRUE(world.decide(refund_request(1, "r-1", 499)).reply);
}

TEST_F(OutsideRefund, OfMoreThanIsLeftOrOfAnUnknownAmountIsForAPerson) {
  world.run(refund_request(1, "r-1", 1'000));
  hear_of_refund("re_9", Outcome::succeeded, usd(1'000));
  EXPECT_NE(world.attempt(1).review, "");
  hear_of_refund("re_10", Outcome::succeeded, std::nullopt);
  hear_of_refund("re_11", Outcome::succeeded, cny(10));
  EXPECT_EQ(given_back(), 1'000);
  EXPECT_EQ(world.order().refunds.size(), 1U);
}

TEST_F(OutsideRefund, C55_ANoticeUnderTheProvidersOwnNumberFindsOurRefund) {
  world.run(refund_request(1, "r-1", 500));
  Answer pending = answer(Outcome::pending, "working");
  pending.provider_ref = "re_1";
  world.run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, pending});
  hear_of_refund("re_1", Outcome::succeeded, usd(500));
  ASSERT_EQ(world.order().refunds.size(), 1U) << "one refund row";
  EXPECT_EQ(world.order().refunds[0].state, RefundState::succeeded);
}

TEST_F(OutsideRefund, C55_ANoticeBeforeOurAnswerIsNotTakenForASecondRefund) {
  world.run(refund_request(1, "r-1", 500));
  hear_of_refund("re_1", Outcome::succeeded, usd(500));
  ASSERT_EQ(world.order().refunds.size(), 1U);
  EXPECT_EQ(world.order().refunds[0].state, RefundState::processing) << "it may be another one";
  EXPECT_EQ(world.order().refunds[0].due_at, world.now) << "the provider is asked at once";
  EXPECT_NE(world.attempt(1).review, "");
}

TEST_F(OutsideRefund, UnderAnotherNumberThanOursBearsIsAnotherRefund) {
  world.run(refund_request(1, "r-1", 500));
  Answer pending = answer(Outcome::pending, "working");
  pending.provider_ref = "re_1";
  world.run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, pending});
  hear_of_refund("re_2", Outcome::succeeded, usd(500));
  ASSERT_EQ(world.order().refunds.size(), 2U);
  EXPECT_EQ(world.order().refunds[0].state, RefundState::processing);
  EXPECT_EQ(world.order().refunds[1].state, RefundState::succeeded);
  EXPECT_EQ(given_back(), 1'000);
}

TEST_F(OutsideRefund, OfNothingOrLessIsForAPerson) {
  hear_of_refund("re_9", Outcome::succeeded, usd(0));
  EXPECT_TRUE(world.attempt(1).review.contains("re_9"));
  hear_of_refund("re_10", Outcome::succeeded, usd(-500));
  EXPECT_TRUE(world.order().refunds.empty());
  EXPECT_EQ(given_back(), 0);
}

TEST_F(OutsideRefund, C37_SecondLifeNoticesOfAPaidOrder) {
  for (int round = 0; round < 2; ++round) {
    hear(Outcome::succeeded);
    hear_of_refund("desk-1", Outcome::succeeded, usd(300));
    hear(Outcome::succeeded);  // finished: no refund can follow
    hear_of_refund("desk-2", Outcome::succeeded, usd(1'699));
    hear(Outcome::declined);  // closed, since all of it went back
  }
  EXPECT_EQ(world.attempt(1).state, succeeded);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(given_back(), 1'999);
  EXPECT_EQ(effects(), (std::vector<std::string>{"refunded", "refunded"}));
  EXPECT_EQ(journal_mismatch(world.order(), world.journal), "");
}

TEST_F(OutsideRefund, ThatMovesNothingIsNoRow) {
  hear_of_refund("re_9", Outcome::pending, usd(500));
  hear_of_refund("re_9", Outcome::declined, usd(500));
  EXPECT_TRUE(world.order().refunds.empty());
}

// Two payments of one order came, the second too much; a refund of 5.00 of the second is under way.
RulesWorld refunding_the_other() {
  RulesWorld world{order_with({attempt_in(succeeded, 1), attempt_in(failed, 2)})};
  world.terms.shop.surplus = SurplusPolicy::manual;
  world.run(outcome(2, Evidence::notice, Outcome::succeeded));
  world.run(refund_request(1, "r-1", 500, 2));
  return world;
}

ApplyNotice told_of_refund(std::string number, std::optional<Money> amount) {
  ApplyNotice it = notice("out-" + number, 1, answer(Outcome::succeeded, "console"));
  it.refund_number = std::move(number);
  it.answer.amount = amount;
  return it;
}

TEST(OutsideRefundOfOnePayment, IsNotTakenForTheRefundOfAnother) {
  for (bool const is_numbered : {false, true}) {
    RulesWorld world = refunding_the_other();
    if (is_numbered) {
      Answer pending = answer(Outcome::pending, "working");
      pending.provider_ref = "re_9";
      world.run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, pending});
    }
    world.run(told_of_refund("re_9", usd(500)));
    ASSERT_EQ(world.order().refunds.size(), 2U) << is_numbered;
    EXPECT_EQ(world.order().refunds[0].state, RefundState::processing);
    EXPECT_EQ(world.order().refunds[1].attempt, attempt_id(1));
    EXPECT_EQ(world.order().refunds[1].state, RefundState::succeeded);
  }
}

TEST(OutsideRefundOfOnePayment, WithoutAnAmountOrByAnotherProviderIsForAPerson) {
  RulesWorld unknown_amount{order_with({attempt_in(succeeded, 1)})};
  unknown_amount.run(told_of_refund("re_9", std::nullopt));
  EXPECT_TRUE(unknown_amount.order().refunds.empty());
  EXPECT_TRUE(unknown_amount.attempt(1).review.contains("an unknown amount")) << unknown_amount.attempt(1).review;
  RulesWorld elsewhere{order_with({attempt_in(succeeded, 1)})};
  ApplyNotice other = told_of_refund("re_9", usd(500));
  other.provider = "blunt";
  elsewhere.run(other);
  EXPECT_TRUE(elsewhere.order().refunds.empty());
  EXPECT_NE(elsewhere.attempt(1).review, "");
}

}  // namespace
}  // namespace payonce
