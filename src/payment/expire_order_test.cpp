// Orders end at their time: at the provider first, and "already paid" wins.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

class ExpiringOrder : public testing::Test {
 protected:
  ExpiringOrder() {
    RegisterOrder command = registration();
    command.expires_at = test_start + 5min;
    world.run(command);
  }
  Decision expire() { return world.run(ExpireOrder{order_key(), world.order().head.due_at.value()}); }

  RulesWorld world;
};

TEST_F(ExpiringOrder, IsLookedAtWhenItExpires) { EXPECT_EQ(world.order().head.due_at, test_start + 5min); }

TEST_F(ExpiringOrder, ConfirmedWithTheSameTimeStaysAsItIs) {
  RegisterOrder again = registration();
  again.expires_at = test_start + 5min;
  EXPECT_TRUE(world.run(again).changes.empty());
  again.expires_at = test_start + 6min;
  world.run(again);
  EXPECT_EQ(world.order().head.due_at, test_start + 6min);
}

TEST_F(ExpiringOrder, WithoutPaymentsIsClosed) {
  world.now += 5min;
  EXPECT_EQ(event_types(expire()), std::vector<std::string>{"order.closed"});
  EXPECT_EQ(world.order().head.state, OrderState::closed);
  EXPECT_EQ(world.order().head.due_at, std::nullopt);
}

TEST_F(ExpiringOrder, GivesItsPaymentsNoMoreTimeThanItHas) {
  world.run(beginning(1, "k-1"));
  EXPECT_EQ(world.attempt(1).expires_at, test_start + 5min);
}

TEST_F(ExpiringOrder, TakesNoPaymentWhenItsTimeIsOverEvenIfNobodyHasClosedItYet) {
  world.now += 5min;
  EXPECT_EQ(refused_with(world.decide(beginning(1, "k-1"))), ErrorCode::order_closed);
}

TEST_F(ExpiringOrder, IsClosedAtTheProviderFirst) {
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::requires_action));
  world.now += 5min;
  Decision const decision = expire();
  EXPECT_EQ(calls_of(decision), std::vector{CallKind::close});
  EXPECT_EQ(world.order().head.state, OrderState::open) << "nothing stays payable behind a closed order";
  EXPECT_GT(world.order().head.due_at.value(), world.now);
  world.run(outcome(1, Evidence::response, Outcome::declined));
  EXPECT_EQ(world.attempt(1).state, canceled);
  world.now = world.order().head.due_at.value();
  expire();
  EXPECT_EQ(world.order().head.state, OrderState::closed);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST_F(ExpiringOrder, EndsWhatNeverLeftWithoutAskingAnyone) {
  world.run(beginning(1, "k-1"));
  RecordOutcome never_left = outcome(1, Evidence::response, Outcome::not_sent);
  never_left.first_create_at_try = 0;
  world.run(never_left);
  world.now += 5min;
  EXPECT_TRUE(expire().calls.empty());
  EXPECT_EQ(world.attempt(1).state, canceled);
  EXPECT_EQ(world.order().head.state, OrderState::closed) << "at once: nothing of it can charge";
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST_F(ExpiringOrder, WaitsForItsLivePaymentsAndNotForEndedOnes) {
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::declined));
  world.run(beginning(2, "k-2", "blunt"));
  world.run(outcome(2, Evidence::response, Outcome::in_doubt));
  world.now += 5min;
  world.orders.at(order_key()).attempts[1].due_at = world.now + 1min;
  expire();
  EXPECT_EQ(world.order().head.due_at, world.now + 1min + 1s);
}

TEST_F(ExpiringOrder, ThatHasEndedOrIsUnknownIsNotEndedAgain) {
  for (OrderState const state : {OrderState::paid, OrderState::closed}) {
    world.orders.at(order_key()).head.state = state;  // as if the end had left its due time behind
    Decision const decision = expire();
    EXPECT_EQ(replied(decision).kind, ReplyKind::nothing);
    EXPECT_TRUE(decision.changes.empty() && decision.calls.empty());
  }
  EXPECT_EQ(replied(RulesWorld{}.decide(ExpireOrder{order_key(), test_start})).kind, ReplyKind::nothing);
}

TEST_F(ExpiringOrder, AlreadyPaidWins) {
  world.run(beginning(1, "k-1"));
  world.now += 5min;
  Time const due_at = world.order().head.due_at.value();
  expire();
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(world.order().head.due_at, std::nullopt);
  EXPECT_EQ(replied(world.run(ExpireOrder{order_key(), due_at})).kind, ReplyKind::nothing);
  EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
}

TEST_F(ExpiringOrder, StaysWatchedWhileTheProviderCannotTell) {
  world.run(beginning(1, "k-1", "blunt"));
  world.run(outcome(1, Evidence::response, Outcome::in_doubt));
  world.now += 5min;
  for (int look = 0; look < 5; ++look) {
    expire();
    EXPECT_EQ(world.order().head.state, OrderState::open);
    EXPECT_GE(world.order().head.due_at.value(), world.attempt(1).due_at.value()) << "not oftener than the payment";
    world.now = world.order().head.due_at.value();
  }
}

TEST_F(ExpiringOrder, IsLookedAtByOneOnly) {
  Time const due_at = world.order().head.due_at.value();
  world.run(beginning(1, "k-1"));
  world.now += 5min;
  expire();
  Decision const second = world.decide(ExpireOrder{order_key(), due_at});
  EXPECT_EQ(replied(second).kind, ReplyKind::nothing);
  EXPECT_TRUE(second.changes.empty() && second.calls.empty());
}

TEST_F(ExpiringOrder, MoneyThatComesAfterItsCloseIsSurplus) {
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::declined));
  world.now += 5min;
  expire();
  world.run(outcome(1, Evidence::notice, Outcome::succeeded));
  EXPECT_TRUE(world.attempt(1).surplus);
  EXPECT_TRUE(world.effects.empty());
}

TEST(PriceChange, AfterThePaymentIsRefusedAndTellsAPerson) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  Decision const decision = world.run(registration(usd(2'500)));
  EXPECT_EQ(refused_with(decision), ErrorCode::order_conflict);
  EXPECT_EQ(world.order().head.amount, usd(1999));
  EXPECT_TRUE(world.attempt(1).review.contains("25.00 USD")) << world.attempt(1).review;
  EXPECT_TRUE(world.run(registration(usd(2'500))).changes.empty()) << "said once";
}

}  // namespace
}  // namespace payonce
