// The working copy names what was touched and nothing else, and a row that is not there is a bug of ours.
#include "payment/draft.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/rules_world.h"

namespace payonce {
namespace {

TEST(Draft, NamesOnlyTheRowsThatWereTouched) {
  Draft draft{order_with({attempt_in(AttemptState::processing, 1), attempt_in(AttemptState::failed, 2)}), test_start};
  draft.change(attempt_id(1)).tries = 1;
  Changes const changes = draft.finish(ReplyKind::recorded).changes;
  ASSERT_EQ(changes.attempts.size(), 1U);
  EXPECT_EQ(changes.attempts[0].id, attempt_id(1));
  EXPECT_FALSE(changes.head) << "its sums stand as before";
}

TEST(Draft, OfARowThatIsNotThereStopsTheCommand) {
  Draft draft{order_with({attempt_in(AttemptState::processing, 1)}), test_start};
  EXPECT_THROW(draft.change(attempt_id(2)), std::logic_error);
  EXPECT_THROW(draft.change(refund_id(1)), std::logic_error);
  EXPECT_THROW(draft.call(CallKind::capture, capture_id(1)), std::logic_error);
}

TEST(Draft, KeepsAnAlarmOfMoneyTakenBackBeforeAllOthersAndSaysNoneTwice) {
  Draft draft{order_with({attempt_in(AttemptState::unknown, 1)}), test_start};
  std::string const first = std::string{taken_back_alarm} + "a dispute";
  for (std::string const& alarm : {first, first, std::string{"a refund"}, first, std::string{"a refund"}})
    draft.raise_alarm(attempt_id(1), alarm);
  EXPECT_EQ(draft.order().attempts[0].review, first + "; a refund");
  EXPECT_EQ(draft.finish(ReplyKind::recorded).changes.events.size(), 2U);
}

}  // namespace
}  // namespace payonce
