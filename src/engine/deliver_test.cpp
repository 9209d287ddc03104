#include "engine/deliver.h"

#include <gtest/gtest.h>

namespace payonce {

namespace {

using namespace std::chrono_literals;

constexpr Time paid_at{Millis{1'760'000'000'000}};

Effect effect_at_try(int tries) {
  return {.key = {MerchantId{"shop"}, OrderId{"A1"}},
          .attempt = AttemptId{"pay_1"},
          .name = "ship",
          .tries = tries,
          .due_at = {},
          .created_at = paid_at,
          .delivered_at = {},
          .last_error = {}};
}

HttpAnswer answered(int status) { return {.delivery = Delivery::answered, .status = status}; }

}  // namespace

TEST(AfterTry, AnyStatusOf200To299IsDelivered) {
  for (int const status : {200, 201, 202, 204, 299}) {
    DeliveryResult const result = after_try(effect_at_try(1), answered(status), paid_at + 1s);
    EXPECT_EQ(result.state, EffectState::delivered) << status;
    EXPECT_EQ(result.delivered_at, paid_at + 1s);
    EXPECT_EQ(result.last_error, "");
    EXPECT_FALSE(result.due_at);
  }
}

TEST(AfterTry, AnythingElseIsTriedAgain) {
  for (int const status : {100, 199, 300, 302, 400, 401, 404, 409, 429, 500, 503}) {
    DeliveryResult const result = after_try(effect_at_try(1), answered(status), paid_at);
    EXPECT_EQ(result.state, EffectState::pending) << status;
    EXPECT_GT(result.due_at, paid_at);
    EXPECT_EQ(result.last_error, "the receiver answered " + std::to_string(status));
  }
  for (Delivery const delivery : {Delivery::never_sent, Delivery::in_doubt}) {
    // A status that came before the connection broke counts for nothing.
    HttpAnswer const broken{.delivery = delivery, .status = 200, .error = "reset"};
    DeliveryResult const result = after_try(effect_at_try(1), broken, paid_at);
    EXPECT_EQ(result.state, EffectState::pending);
    EXPECT_EQ(result.last_error, "reset");
  }
}

TEST(AfterTry, AReceiverThatIsGoneIsNotAskedAgain) {
  EXPECT_EQ(after_try(effect_at_try(1), answered(410), paid_at).state, EffectState::dead);
}

TEST(AfterTry, TheTriesReachBeyondThreeDaysAndGrowApart) {
  Time now = paid_at;
  Time last_pending = now;
  Millis last_wait{0};
  int tries = 0;
  while (true) {
    DeliveryResult const result = after_try(effect_at_try(++tries), answered(500), now);
    if (result.state == EffectState::dead) break;
    ASSERT_EQ(result.state, EffectState::pending);
    Millis const wait = *result.due_at - now;
    EXPECT_GT(wait, 0ms);
    EXPECT_LE(wait, delivery_retry_longest);
    if (tries <= 5) {
      EXPECT_GT(wait, last_wait);
    }
    last_wait = wait;
    last_pending = now = *result.due_at;
    ASSERT_LT(tries, 100);
  }
  EXPECT_GT(last_pending - paid_at, 72h) << "the last try is more than three days after the payment";
  EXPECT_GT(tries, 20);
}

TEST(AfterTry, ADeliveryLongOverdueThatSucceedsIsDelivered) {
  EXPECT_EQ(after_try(effect_at_try(60), answered(200), paid_at + 1000h).state, EffectState::delivered);
}

}  // namespace payonce
