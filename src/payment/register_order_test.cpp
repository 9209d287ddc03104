// The order itself: what may change, when, and what closing needs.
#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

TEST(RegisterOrder, OnceAndThenConfirmed) {
  RulesWorld world;
  Decision const first = world.run(registration());
  EXPECT_EQ(replied(first).kind, ReplyKind::created);
  EXPECT_EQ(event_types(first), std::vector<std::string>{"order.registered"});
  EXPECT_EQ(world.order().head.amount, usd(1999));
  EXPECT_EQ(world.order().head.state, OrderState::open);
  world.now += 1s;
  Decision const again = world.run(registration());
  EXPECT_EQ(replied(again).kind, ReplyKind::confirmed);
  EXPECT_TRUE(again.changes.empty());
}

TEST(RegisterOrder, AFreeOrderMayChangeItsAmount) {
  for (AttemptState const state : {failed, canceled}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.run(registration(usd(2500)));
    EXPECT_EQ(replied(decision).kind, ReplyKind::confirmed);
    EXPECT_EQ(world.order().head.amount, usd(2500));
    EXPECT_EQ(event_types(decision), std::vector<std::string>{"order.changed"});
    EXPECT_EQ(world.attempt(1).amount, usd(1999)) << "what was asked for then stays in the books";
    EXPECT_TRUE(world.decide(registration(usd(2500))).changes.empty());
  }
}

TEST(RegisterOrder, ALiveAttemptHoldsTheAmount) {
  for (AttemptState const state : {processing, requires_action, unknown}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    for (Money const amount : {usd(1998), usd(2500), cny(1999)}) {
      Decision const decision = world.decide(registration(amount));
      EXPECT_EQ(refused_with(decision), ErrorCode::order_conflict);
      EXPECT_EQ(refusal(decision).error.field, "amount");
      EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
      EXPECT_TRUE(decision.changes.empty());
    }
    EXPECT_EQ(replied(world.decide(registration())).kind, ReplyKind::confirmed);
  }
}

TEST(RegisterOrder, APaidOrAClosedOrderKeepsItsAmount) {
  RulesWorld paid{order_with({attempt_in(succeeded, 1)})};
  EXPECT_EQ(refused_with(paid.decide(registration(usd(1)))), ErrorCode::order_conflict);
  EXPECT_EQ(replied(paid.decide(registration())).kind, ReplyKind::confirmed);
  RulesWorld closed{order_with({})};
  closed.run(CloseOrder{order_key(), "ann"});
  EXPECT_EQ(refused_with(closed.decide(registration(usd(1)))), ErrorCode::order_conflict);
}

TEST(RegisterOrder, MetadataIsTheShopsOwn) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  RegisterOrder command = registration();
  command.metadata = R"({"table":"7"})";
  EXPECT_EQ(replied(world.run(command)).kind, ReplyKind::confirmed);
  EXPECT_EQ(world.order().head.metadata, command.metadata);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
}

TEST(CloseOrder, OnlyWhenNothingCanChargeAnyMore) {
  for (AttemptState const state : {processing, requires_action, unknown}) {
    RulesWorld world{order_with({attempt_in(state, 1)})};
    Decision const decision = world.decide(CloseOrder{order_key(), "ann"});
    EXPECT_EQ(refused_with(decision), ErrorCode::order_has_live_payment);
    EXPECT_EQ(refusal(decision).live->id, attempt_id(1));
    EXPECT_TRUE(decision.changes.empty());
  }
}

TEST(CloseOrder, ClosesAFreeOrderOnce) {
  RulesWorld world{order_with({attempt_in(failed, 1)})};
  Decision const decision = world.run(CloseOrder{order_key(), "ann"});
  EXPECT_EQ(replied(decision).kind, ReplyKind::recorded);
  EXPECT_EQ(world.order().head.state, OrderState::closed);
  EXPECT_EQ(decision.changes.events.at(0).actor, "ann");
  Decision const again = world.run(CloseOrder{order_key(), "ann"});
  EXPECT_EQ(replied(again).kind, ReplyKind::confirmed);
  EXPECT_TRUE(again.changes.empty());
}

TEST(CloseOrder, APaidOrderStaysPaid) {
  RulesWorld world{order_with({attempt_in(succeeded, 1)})};
  EXPECT_EQ(refused_with(world.decide(CloseOrder{order_key(), "ann"})), ErrorCode::order_already_paid);
  EXPECT_EQ(refused_with(RulesWorld{}.decide(CloseOrder{order_key(), "ann"})), ErrorCode::not_found);
}

}  // namespace
}  // namespace payonce
