// Which movement between accounts follows from a change of state.
#include "payment/journal.h"

#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

std::string in_words(Posting const& posting) {
  return to_text(posting.amount) + " from " + posting.credit + " to " + posting.debit;
}

std::string in_words(std::vector<Posting> const& postings) {
  std::string words;
  for (Posting const& it : postings) words += (words.empty() ? "" : "; ") + in_words(it);
  return words.empty() ? "nothing" : words;
}

std::string of_attempt(AttemptState from, AttemptState to, bool surplus = false) {
  Attempt attempt = attempt_in(to, 1);
  attempt.surplus = surplus;
  std::int64_t const had_come = has_come(from) ? attempt.amount.minor : 0;
  return in_words(postings_of(order_key(), {from, had_come}, attempt, test_start));
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

TEST(Journal, FollowsTheCapturesOfAHold) {
  using enum AttemptState;
  auto const of_hold = [](std::int64_t before, AttemptState to, std::int64_t captured) {
    Attempt attempt = attempt_in(to, 1);
    attempt.captured_minor = captured;
    return in_words(postings_of(order_key(), {authorized, before}, attempt, test_start));
  };
  EXPECT_EQ(of_hold(0, authorized, 500), "5.00 USD from revenue to receivable:sure");
  EXPECT_EQ(of_hold(500, authorized, 500), "nothing");
  EXPECT_EQ(of_hold(500, succeeded, 1500), "10.00 USD from revenue to receivable:sure");
  EXPECT_EQ(of_hold(500, succeeded, 0), "14.99 USD from revenue to receivable:sure") << "all of it";
  EXPECT_EQ(of_hold(500, succeeded, 500), "nothing") << "the rest was given up";
  Attempt disputed_part = attempt_in(disputed, 1);
  disputed_part.captured_minor = 500;
  EXPECT_EQ(in_words(postings_of(order_key(), {succeeded, 500}, disputed_part, test_start)),
            "5.00 USD from receivable:sure to disputed");
}

TEST(Journal, FollowsTheMoneyOfARefund) {
  using enum RefundState;
  auto const of_refund = [](RefundState from, RefundState to, bool surplus = false) {
    Attempt attempt = attempt_in(AttemptState::succeeded, 1);
    attempt.surplus = surplus;
    Refund refund{.id = refund_id(1), .attempt = attempt.id, .amount = usd(500)};
    refund.state = to;
    auto const posting = posting_of(order_key(), from, refund, attempt, test_start);
    return posting ? in_words(*posting) : "nothing";
  };
  EXPECT_EQ(of_refund(processing, succeeded), "5.00 USD from receivable:sure to refunds");
  EXPECT_EQ(of_refund(processing, succeeded, true), "5.00 USD from receivable:sure to surplus");
  EXPECT_EQ(of_refund(succeeded, returned), "5.00 USD from refunds to receivable:sure");
  EXPECT_EQ(of_refund(processing, failed), "nothing");
  EXPECT_EQ(of_refund(failed, succeeded), "5.00 USD from receivable:sure to refunds");
}

}  // namespace
}  // namespace payonce
