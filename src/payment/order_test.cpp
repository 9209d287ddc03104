// Questions that the rules ask of an order as a whole.
#include "payment/order.h"

#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

TEST(RefundOrigin, FindsItsWordAgain) {
  for (RefundOrigin const origin : {RefundOrigin::request, RefundOrigin::surplus, RefundOrigin::outside})
    EXPECT_EQ(parse_refund_origin(to_text(origin)), origin);
  EXPECT_EQ(to_text(RefundOrigin::request), "request");
  EXPECT_EQ(to_text(RefundOrigin::surplus), "surplus");
  EXPECT_EQ(to_text(RefundOrigin::outside), "outside");
  EXPECT_EQ(parse_refund_origin(""), std::nullopt);
}

TEST(PayingAttempt, IsTheOneThatPaidLastWhicheverBeganFirst) {
  for (bool const first_settles_last : {false, true}) {
    Attempt first = attempt_in(AttemptState::succeeded, 1);
    Attempt second = attempt_in(AttemptState::succeeded, 2);
    (first_settles_last ? first : second).settled_at = test_start + 1s;
    Attempt surplus = attempt_in(AttemptState::succeeded, 3);
    surplus.surplus = true;
    surplus.settled_at = test_start + 2s;
    Order const order = order_with({first, second, surplus, attempt_in(AttemptState::failed, 4)});
    EXPECT_EQ(order.paying()->id, attempt_id(first_settles_last ? 1 : 2));
  }
  EXPECT_EQ(order_with({attempt_in(AttemptState::processing, 1)}).paying(), nullptr);
}

}  // namespace
}  // namespace payonce
