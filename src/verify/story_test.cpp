// The story of an order, as `payonce explain` tells it.
#include "verify/story.h"

#include <gtest/gtest.h>

#include "base/id.h"
#include "verify/books_fixture_test.h"

namespace payonce::test {
namespace {

constexpr Time later = test_start + 1min;

testing::AssertionResult tells(std::string const& story, std::string_view part) {
  if (story.contains(part)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in:\n" << story;
}

TEST(Story, TellsWhatWasAskedSentAnsweredAndWhatFollowed) {
  std::string const story = tell_story(paid_books(), {}, later);
  EXPECT_TRUE(tells(story, "Order PA-1001 of shop: 19.99 USD, PAID, paid 19.99, held 0.00"));
  EXPECT_TRUE(tells(story, "Order registered: 19.99 USD."));
  EXPECT_TRUE(tells(story, "PROCESSING → UNKNOWN:"));
  EXPECT_TRUE(tells(story, "UNKNOWN → SUCCEEDED: The notice says succeeded"));
  EXPECT_TRUE(tells(story, "under key \"k-1\""));
  EXPECT_TRUE(tells(story, "create " + attempt_id(1).value));
  EXPECT_TRUE(tells(story, "answered  notice, code code: text"));
  EXPECT_TRUE(tells(story, "evt_1"));
  EXPECT_TRUE(tells(story, "ship: PENDING after 0 tries"));
  EXPECT_TRUE(tells(story, "The truth: The order is paid, once, by " + attempt_id(1).value));
}

TEST(Story, TellsWhatWentBack) {
  std::string const story = tell_story(refund_books(), {}, later);
  EXPECT_TRUE(tells(story, refund_id(1).value + " of 5.00 USD (line 1) is R_SUCCEEDED"));
  EXPECT_TRUE(tells(story, "refunded of " + refund_id(1).value + ": PENDING"));
  EXPECT_TRUE(tells(story, "By ann."));
  EXPECT_TRUE(tells(story, "5.00 USD of it has gone back."));
}

TEST(Story, TellsWhatIsDueNextAndWhy) {
  OrderBooks books = unknown_books();
  Time const due = *books.order.attempts.front().due_at;
  EXPECT_TRUE(tells(tell_story(books, {}, due - 5s), to_rfc3339(due) + " (in 5 s): the money may have moved"));
  EXPECT_TRUE(tells(tell_story(books, {}, due + 7s), "(overdue by 7 s)"));
}

TEST(Story, TellsOnePaymentWithoutTheOthers) {
  std::string const story = tell_story(surplus_books(), attempt_id(2), later);
  EXPECT_TRUE(tells(story, "Payment " + attempt_id(2).value));
  EXPECT_TRUE(tells(story, "Order registered"));
  EXPECT_FALSE(tells(story, "Payment " + attempt_id(1).value));
  EXPECT_FALSE(tells(story, "payment.failed"));
}

TEST(Story, TellsRefundsAndAlarms) {
  OrderBooks books = surplus_books();
  books.order.attempts.front().review = "look at this";
  std::string const story = tell_story(books, {}, later);
  EXPECT_TRUE(tells(story, surplus_refund_id(attempt_id(1)).value + " of 19.99 USD (surplus) is R_SUCCEEDED"));
  EXPECT_TRUE(tells(story, "ALARM     look at this"));
}

TEST(Story, LetsNoTextFromOutsideCommandTheTerminal) {
  OrderBooks books = paid_books();
  books.order.attempts.front().answer = "\x1b[2Jgone\n";
  std::string const story = tell_story(books, {}, later);
  EXPECT_FALSE(story.contains('\x1b'));
  EXPECT_TRUE(tells(story, " [2Jgone "));
}

TEST(Truth, OfEachKindOfOrder) {
  EXPECT_TRUE(tells(truth_of(order_with({})), "Nobody has tried"));
  EXPECT_TRUE(tells(truth_of(order_with({attempt_in(AttemptState::processing, 1)})), "is being paid by"));
  EXPECT_TRUE(tells(truth_of(order_with({attempt_in(AttemptState::requires_action, 1)})), "waits for the buyer"));
  EXPECT_TRUE(tells(truth_of(order_with({attempt_in(AttemptState::unknown, 1)})), "nobody should pay again"));
  EXPECT_TRUE(tells(truth_of(order_with({attempt_in(AttemptState::failed, 1)})), "is FAILED by the provider's answer"));
  EXPECT_TRUE(tells(truth_of(order_with({attempt_in(AttemptState::released, 1)})), "gave way"));
  EXPECT_TRUE(tells(truth_of(surplus_books().order), "came on top and has gone back"));
  EXPECT_TRUE(tells(truth_of(offline_books().order), "on a person's word"));
  Order closed = order_with({});
  closed.head.state = OrderState::closed;
  EXPECT_TRUE(tells(truth_of(closed), "closed and was not paid"));
}

}  // namespace
}  // namespace payonce::test
