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

}  // namespace
}  // namespace payonce
