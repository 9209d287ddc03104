// Every state × outcome × evidence of a refund, against the rules in words; one number for ever.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum RefundState;

RefundId const refund_id = surplus_refund_id(attempt_id(1));

RecordRefundOutcome refund_outcome(Evidence evidence, Outcome said) {
  return {order_key(), refund_id, evidence, answer(said, "said")};
}

// A surplus of attempt 1 whose refund stands in this state.
RulesWorld world_with(RefundState state) {
  Attempt surplus = attempt_in(AttemptState::succeeded, 1);
  surplus.surplus = true;
  Order order = order_with({surplus, attempt_in(AttemptState::succeeded, 2)});
  Refund refund{.id = refund_id, .attempt = attempt_id(1), .reason = "surplus", .amount = usd(1999)};
  refund.origin = RefundOrigin::surplus;
  refund.state = state;
  refund.request = "refund request";
  refund.created_at = refund.updated_at = test_start;
  if (is_watched(state)) {
    refund.due_at = test_start + 12s;
  } else {
    refund.evidence = Evidence::response;
    refund.answer_code = "earlier";
  }
  order.refunds.push_back(refund);
  return RulesWorld{std::move(order)};
}

RefundState expected_state(RefundState from, Outcome said, Evidence evidence) {
  if (from == returned) return returned;
  // Money given back stays given back, unless the provider confirms on our question or on paper that it came back.
  bool const is_confirmed = evidence != Evidence::notice && evidence != Evidence::response;
  if (from == succeeded) return said == Outcome::declined && is_confirmed ? returned : succeeded;
  if (said == Outcome::succeeded) return succeeded;  // and is believed
  if (from == failed) return failed;                 // nothing but money reopens it
  if (said == Outcome::declined) return failed;      // only the provider's no is a failure
  bool const under_way = said == Outcome::pending || said == Outcome::requires_action;
  if (under_way) return processing;
  bool const is_of_another_thing = said == Outcome::dispute_opened || said == Outcome::dispute_won ||
                                   said == Outcome::dispute_lost || said == Outcome::reversed ||
                                   said == Outcome::authorized;
  if (said == Outcome::not_sent || is_of_another_thing) return from;
  return unknown;
}

bool may_say(Evidence evidence, Outcome said) {
  bool const is_end = said == Outcome::succeeded || said == Outcome::declined;
  bool const is_take_back = said == Outcome::dispute_opened || said == Outcome::dispute_won ||
                            said == Outcome::dispute_lost || said == Outcome::reversed;
  if (is_take_back) return evidence != Evidence::response;
  if (evidence == Evidence::statement) return is_end || said == Outcome::pending;
  if (evidence == Evidence::operator_) return is_end;
  bool const is_of_a_call = said == Outcome::in_doubt || said == Outcome::not_found || said == Outcome::not_sent;
  return evidence != Evidence::notice || !is_of_a_call;
}

TEST(EveryRefundOutcome, LeadsWhereTheWordsSayAndOnlyOnce) {
  for (RefundState const from : refund_states)
    for (Outcome const said : outcomes)
      for (Evidence const evidence : evidences) {
        SCOPED_TRACE(fmt::format("{} + {} by {}", to_text(from), to_text(said), to_text(evidence)));
        RulesWorld world = world_with(from);
        Decision const decision = world.run(refund_outcome(evidence, said));
        ASSERT_EQ(decision.reply.has_value(), may_say(evidence, said));
        if (!decision.reply) {
          EXPECT_EQ(refused_with(decision), ErrorCode::evidence_refused);
          EXPECT_TRUE(decision.changes.empty());
          continue;
        }
        EXPECT_EQ(world.refund(1).state, expected_state(from, said, evidence));
        EXPECT_EQ(broken_invariants(world.order(), {}), "");
        EXPECT_EQ(world.order().head.state, OrderState::paid) << "a surplus refund is no news about the order";

        world.now += 1s;
        Decision const again = world.decide(refund_outcome(evidence, said));
        EXPECT_EQ(world.substance_of(again.changes), "");
      }
}

TEST(C57UnclearRefund, IsAskedAboutAndSentAgainUnderItsOneNumber) {
  RulesWorld world = world_with(processing);
  world.run(refund_outcome(Evidence::response, Outcome::in_doubt));
  EXPECT_EQ(world.refund(1).state, unknown);
  world.now = world.refund(1).due_at.value();
  EXPECT_EQ(calls_of(world.run(TakeUpRefund{order_key(), refund_id, world.now})), std::vector{CallKind::query_refund});
  Decision const decision = world.run(refund_outcome(Evidence::query, Outcome::not_found));
  ASSERT_EQ(calls_of(decision), std::vector{CallKind::refund});
  EXPECT_EQ(decision.calls[0].refund->id, refund_id);
  EXPECT_EQ(decision.calls[0].refund->request, "refund request");
  EXPECT_EQ(world.order().refunds.size(), 1U);
}

TEST(C59PendingRefund, IsNeitherDoneNorFailed) {
  RulesWorld world = world_with(processing);
  world.run(refund_outcome(Evidence::response, Outcome::pending));
  EXPECT_EQ(world.refund(1).state, processing);
  EXPECT_TRUE(world.refund(1).due_at);
  world.now += 48h;
  world.run(refund_outcome(Evidence::notice, Outcome::declined));
  EXPECT_EQ(world.refund(1).state, failed);
  EXPECT_NE(world.refund(1).review, "") << "a person has to give the money back";
  world.run(refund_outcome(Evidence::notice, Outcome::succeeded));
  EXPECT_EQ(world.refund(1).state, succeeded);
  EXPECT_EQ(world.refund(1).review, "");
}

TEST(RefundMisfit, OfAnotherAmountIsAnAlarmAndNoEnd) {
  for (Money const wrong : {usd(1), cny(1999), usd(2000)}) {
    RulesWorld world = world_with(processing);
    RecordRefundOutcome command = refund_outcome(Evidence::query, Outcome::succeeded);
    command.answer.amount = wrong;
    world.run(command);
    EXPECT_EQ(world.refund(1).state, processing);
    EXPECT_TRUE(world.refund(1).due_at);
    EXPECT_NE(world.refund(1).review.find(to_text(wrong)), std::string::npos);
  }
}

TEST(RefundDecline, WithoutAnAnswerToStoreIsNoProof) {
  RulesWorld world = world_with(processing);
  RecordRefundOutcome command = refund_outcome(Evidence::response, Outcome::declined);
  command.answer.code.clear();
  command.answer.text.clear();
  world.run(command);
  EXPECT_EQ(world.refund(1).state, unknown);
}

TEST(RecordRefundOutcome, OfAnUnknownRefundIsRefused) {
  RulesWorld world{order_with({attempt_in(AttemptState::succeeded, 1)})};
  EXPECT_EQ(refused_with(world.decide(refund_outcome(Evidence::query, Outcome::succeeded))), ErrorCode::not_found);
  EXPECT_EQ(refused_with(RulesWorld{}.decide(refund_outcome(Evidence::query, Outcome::succeeded))),
            ErrorCode::not_found);
}

}  // namespace
}  // namespace payonce
