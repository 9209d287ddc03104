// Notices: each worked in once, none lost, none believed beyond what it can prove.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;

NoticeDisposition disposition(RulesWorld const& world, std::string event_id) {
  return world.notices.at({"sure", std::move(event_id)}).disposition;
}

TEST(C31Notice, DeliveredTwiceIsADuplicateAndChangesNothing) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  ApplyNotice const paid = notice("evt-3", 1, answer(Outcome::succeeded));
  Decision const first = world.run(paid);
  EXPECT_EQ(replied(first).kind, ReplyKind::recorded);
  EXPECT_TRUE(first.changes.notice) << "event row, order and effects are one change set";
  EXPECT_TRUE(first.changes.head);
  EXPECT_EQ(first.changes.effects.size(), 3U);
  EXPECT_EQ(disposition(world, "evt-3"), NoticeDisposition::applied);
  for (int delivery = 0; delivery < 9; ++delivery) {
    Decision const again = world.run(paid);
    EXPECT_EQ(replied(again).kind, ReplyKind::duplicate);
    EXPECT_TRUE(again.changes.empty());
    EXPECT_TRUE(again.calls.empty());
  }
}

TEST(C31Reordered, AnOlderStateAfterTheNewerIsStoredAndChangesNothing) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  world.run(notice("evt-5", 1, answer(Outcome::succeeded)));
  std::string const before = describe(world.attempt(1));
  for (Outcome const older : {Outcome::pending, Outcome::requires_action, Outcome::declined}) {
    std::string const event = "evt-4-" + std::string{to_text(older)};
    EXPECT_EQ(replied(world.run(notice(event, 1, answer(older)))).kind, ReplyKind::recorded);
    EXPECT_EQ(disposition(world, event), NoticeDisposition::applied);
    EXPECT_EQ(describe(world.attempt(1)), before);
  }
  EXPECT_EQ(world.effects.size(), 3U);
}

TEST(Notice, ThatTheBuyerHasActedIsFollowedByAQuestionAtOnce) {
  RulesWorld world{order_with({attempt_in(requires_action, 1)})};
  world.run(notice("evt-1", 1, answer(Outcome::pending)));
  EXPECT_EQ(world.attempt(1).due_at, world.now);
  RulesWorld asked{order_with({attempt_in(requires_action, 1)})};
  asked.run(outcome(1, Evidence::query, Outcome::pending));
  EXPECT_GT(asked.attempt(1).due_at, asked.now) << "an answer is what a question had already";
}

TEST(C29EarlyNotice, MatchesTheAttemptCommittedBeforeTheCall) {
  RulesWorld world;
  world.run(registration());
  world.run(beginning(1, "k-1"));
  world.run(notice("evt-1", 1, answer(Outcome::succeeded)));
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  for (Outcome const late : outcomes) {
    world.run(outcome(1, Evidence::response, late));
    EXPECT_EQ(world.attempt(1).state, succeeded) << to_text(late);
  }
  EXPECT_EQ(world.effects.size(), 3U);
}

TEST(C29UnmatchedNotice, OfOurShapeIsKeptAndTriedAgainUntilItMatches) {
  RulesWorld world;
  ApplyNotice const early = notice("evt-1", 1, answer(Outcome::succeeded));
  Decision const first = world.run(early);
  EXPECT_EQ(replied(first).kind, ReplyKind::recorded);
  EXPECT_EQ(disposition(world, "evt-1"), NoticeDisposition::unmatched);
  Time due = world.notices.at({"sure", "evt-1"}).due_at.value();
  EXPECT_GT(due, world.now);
  for (int round = 1; round < 40; ++round) {
    world.now = due;
    world.run(early);
    due = world.notices.at({"sure", "evt-1"}).due_at.value();
    EXPECT_GT(due, world.now) << "the schedule never ends";
    EXPECT_LE(due, world.now + 24h);
    EXPECT_EQ(world.notices.at({"sure", "evt-1"}).tries, round + 1);
  }

  Order order = order_with({attempt_in(processing, 1)});
  world.orders.emplace(order.head.key, std::move(order));
  world.run(early);
  EXPECT_EQ(disposition(world, "evt-1"), NoticeDisposition::applied);
  EXPECT_FALSE(world.notices.at({"sure", "evt-1"}).due_at);
  EXPECT_EQ(world.notices.at({"sure", "evt-1"}).received_at, test_start);
  EXPECT_EQ(world.order().head.state, OrderState::paid);
  EXPECT_EQ(replied(world.run(early)).kind, ReplyKind::duplicate);
}

TEST(ForeignNotice, IsKeptAndNotTriedAgain) {
  RulesWorld world;
  for (std::string_view const number : {"PA-1001-1", "", "pay_", "pay_0000000000000000000000000i"}) {
    ApplyNotice foreign = notice("evt-" + std::string{number}, 1, answer(Outcome::succeeded));
    foreign.number = number;
    world.run(foreign);
    EXPECT_EQ(disposition(world, foreign.event_id), NoticeDisposition::foreign) << number;
    EXPECT_FALSE(world.notices.at({"sure", foreign.event_id}).due_at);
    EXPECT_EQ(world.notices.at({"sure", foreign.event_id}).body, "body");
    EXPECT_EQ(replied(world.run(foreign)).kind, ReplyKind::duplicate);
  }
}

TEST(NoticeOfAnotherProvider, NeverPays) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  ApplyNotice other = notice("evt-1", 1, answer(Outcome::succeeded));
  other.provider = "blunt";
  world.run(other);
  EXPECT_EQ(world.attempt(1).state, unknown);
  EXPECT_NE(world.attempt(1).review.find("blunt"), std::string::npos);
  EXPECT_EQ(world.notices.at({"blunt", "evt-1"}).disposition, NoticeDisposition::misfit);
  EXPECT_TRUE(world.effects.empty());
}

TEST(NoticeOfAnotherProvider, NeverFails) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  ApplyNotice other = notice("evt-1", 1, answer(Outcome::declined));
  other.provider = "blunt";
  world.run(other);
  EXPECT_EQ(world.attempt(1).state, unknown) << "the order stays taken, since our provider may still charge";
}

TEST(Notice, ThatSaysWhatNoNoticeCanSayIsAMisfit) {
  for (Outcome const odd : {Outcome::in_doubt, Outcome::not_found, Outcome::not_sent}) {
    RulesWorld world{order_with({attempt_in(processing, 1)})};
    world.run(notice("evt-1", 1, answer(odd)));
    EXPECT_EQ(disposition(world, "evt-1"), NoticeDisposition::misfit);
    EXPECT_NE(world.attempt(1).review, "");
    EXPECT_TRUE(world.attempt(1).exposed);
  }
}

TEST(C32ResentFailure, AfterTheSecondAttemptPaidTouchesNothing) {
  RulesWorld world;
  world.run(registration());
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::declined));
  world.run(beginning(2, "k-2"));
  world.run(outcome(2, Evidence::response, Outcome::succeeded));
  std::string const head = describe(world.order().head);
  std::string const second = describe(world.attempt(2));
  Decision const decision = world.run(notice("evt-6", 1, answer(Outcome::declined)));
  EXPECT_EQ(replied(decision).kind, ReplyKind::recorded);
  EXPECT_EQ(world.attempt(1).state, failed);
  EXPECT_EQ(describe(world.order().head), head);
  EXPECT_EQ(describe(world.attempt(2)), second);
}

class RefundNotice : public testing::Test {
 protected:
  RefundNotice() {
    world.run(outcome(1, Evidence::notice, Outcome::succeeded));
    command = notice("evt-r", 1, answer(Outcome::succeeded));
    command.refund_number = surplus_refund_id(attempt_id(1)).value;
    command.answer.amount = usd(1999);
  }

  RulesWorld world{order_with({attempt_in(failed, 1), attempt_in(succeeded, 2)})};
  ApplyNotice command;
};

TEST_F(RefundNotice, OfTheRefundWeMadeSettlesIt) {
  world.run(command);
  EXPECT_EQ(world.refund(1).state, RefundState::succeeded);
  EXPECT_EQ(world.refund(1).evidence, Evidence::notice);
  EXPECT_EQ(world.attempt(1).state, succeeded) << "C37: a refund notice is no news about the payment";
  EXPECT_EQ(disposition(world, "evt-r"), NoticeDisposition::applied);
}

TEST_F(RefundNotice, OfARefundWeDidNotMakeIsAnAlarm) {
  command.refund_number = "RF-1";
  world.run(command);
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
  EXPECT_NE(world.attempt(1).review.find("RF-1"), std::string::npos);
  EXPECT_EQ(disposition(world, "evt-r"), NoticeDisposition::misfit);
  EXPECT_EQ(world.order().refunds.size(), 1U);
}

TEST_F(RefundNotice, OfAnotherProviderSettlesNothing) {
  command.provider = "blunt";
  world.run(command);
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
  EXPECT_NE(world.refund(1).review.find("blunt"), std::string::npos);
  EXPECT_EQ(world.notices.at({"blunt", "evt-r"}).disposition, NoticeDisposition::misfit);
}

TEST_F(RefundNotice, OfAnotherAccountSettlesNothing) {
  command.answer.misfit = "seller 42 is not ours";
  world.run(command);
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
  EXPECT_NE(world.refund(1).review.find("seller 42"), std::string::npos);
}

TEST_F(RefundNotice, OfAnotherAttemptsRefundIsAnAlarm) {
  command.number = attempt_id(2).value;
  world.run(command);
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
  EXPECT_NE(world.attempt(2).review, "");
  EXPECT_EQ(disposition(world, "evt-r"), NoticeDisposition::misfit);
}

TEST_F(RefundNotice, ThatSaysWhatNoNoticeCanSayIsAMisfit) {
  command.answer.outcome = Outcome::not_found;
  world.run(command);
  EXPECT_EQ(world.refund(1).state, RefundState::processing);
  EXPECT_EQ(disposition(world, "evt-r"), NoticeDisposition::misfit);
}

}  // namespace
}  // namespace payonce
