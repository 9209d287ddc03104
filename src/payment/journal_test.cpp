// Which movement between accounts follows from a change of state.
#include "payment/journal.h"

#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

std::string in_words(std::optional<Posting> const& posting) {
  if (!posting) return "nothing";
  return to_text(posting->amount) + " from " + posting->credit + " to " + posting->debit;
}

std::string of_attempt(AttemptState from, AttemptState to, bool surplus = false) {
  Attempt attempt = attempt_in(to, 1);
  attempt.surplus = surplus;
  return in_words(posting_of(order_key(), from, attempt, test_start));
}

TEST(Journal, FollowsTheMoneyOfAPayment) {
  using enum AttemptState;
  EXPECT_EQ(of_attempt(processing, succeeded), "19.99 USD from revenue to receivable:sure");
  EXPECT_EQ(of_attempt(failed, succeeded, true), "19.99 USD from surplus to receivable:sure");
  EXPECT_EQ(of_attempt(succeeded, disputed), "19.99 USD from receivable:sure to disputed");
  EXPECT_EQ(of_attempt(disputed, succeeded), "19.99 USD from disputed to receivable:sure");
  EXPECT_EQ(of_attempt(disputed, reversed), "19.99 USD from disputed to reversals");
  EXPECT_EQ(of_attempt(succeeded, reversed), "19.99 USD from receivable:sure to reversals");
}

TEST(Journal, SaysNothingWhereNoMoneyMoves) {
  using enum AttemptState;
  for (AttemptState const from : {processing, requires_action, unknown, released})
    for (AttemptState const to : {processing, requires_action, unknown, released, failed, canceled})
      EXPECT_EQ(of_attempt(from, to), "nothing") << to_text(from) << " " << to_text(to);
  EXPECT_EQ(of_attempt(succeeded, succeeded), "nothing");
}

TEST(Journal, FollowsTheMoneyOfARefund) {
  using enum RefundState;
  auto const of_refund = [](RefundState from, RefundState to, bool surplus = false) {
    Attempt attempt = attempt_in(AttemptState::succeeded, 1);
    attempt.surplus = surplus;
    Refund refund{.id = refund_id(1), .attempt = attempt.id, .amount = usd(500)};
    refund.state = to;
    return in_words(posting_of(order_key(), from, refund, attempt, test_start));
  };
  EXPECT_EQ(of_refund(processing, succeeded), "5.00 USD from receivable:sure to refunds");
  EXPECT_EQ(of_refund(processing, succeeded, true), "5.00 USD from receivable:sure to surplus");
  EXPECT_EQ(of_refund(succeeded, returned), "5.00 USD from refunds to receivable:sure");
  EXPECT_EQ(of_refund(processing, failed), "nothing");
  EXPECT_EQ(of_refund(failed, succeeded), "5.00 USD from receivable:sure to refunds");
}

}  // namespace
}  // namespace payonce
