#include "engine/deliver.h"

#include <set>

#include "support/engine_world.h"
#include "support/thinking_shop.h"

namespace payonce::test {

namespace {

constexpr Time paid_at = test_start;

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

// Two orders are paid, each with its effect "ship".
class DeliverTest : public EngineWorld {
 protected:
  DeliverTest() {
    terms.shop.effects = {{"ship"}};
    for (int const n : {1, 2}) {
      BeginAttempt payment = beginning(n, "k-" + std::to_string(n));
      payment.key = order_key("PA-100" + std::to_string(n));
      payment.amount_minor = 1999;
      payment.currency = "USD";
      payment.registers_order = true;
      EXPECT_TRUE(run(payment));
    }
    say(Outcome::succeeded);
  }
  // How many were due; nothing while the shop has not answered all.
  std::optional<std::size_t> deliver() {
    due.reset();
    deliver_due(
        engine, shop, MerchantId{"shop"}, target, 100,
        [this](std::size_t count) {
          claimed = count;
          sent_before_claimed = shop.ids.size();
        },
        [this] { due = claimed; });
    settle();
    return due;
  }
  void answer_one(HttpAnswer const& it) {
    ASSERT_FALSE(shop.waiting.empty());
    auto done = std::move(shop.waiting.back());
    shop.waiting.pop_back();
    done(it);
    settle();
  }
  EffectState ship_state(int n) {
    return store.open_reader()->effects_of(order_key("PA-100" + std::to_string(n))).at(0).state;
  }

  ThinkingShop shop;
  EffectTarget target{.name = "ship", .url = "http://127.0.0.1/ship", .secrets = {std::string(32, 's')}};
  std::size_t claimed = 0;
  std::size_t sent_before_claimed = 0;
  std::optional<std::size_t> due;
};

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
    for (int const status : {200, 410}) {
      HttpAnswer const broken{.delivery = delivery, .status = status, .error = "reset"};
      DeliveryResult const result = after_try(effect_at_try(1), broken, paid_at);
      EXPECT_EQ(result.state, EffectState::pending);
      EXPECT_EQ(result.last_error, "reset");
    }
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

TEST_F(DeliverTest, ARoundEndsWhenTheShopHasAnsweredAll) {
  EXPECT_EQ(deliver(), std::nullopt);
  EXPECT_EQ(claimed, 2U) << "known while the shop still thinks, so that another round may begin";
  EXPECT_EQ(sent_before_claimed, 0U);
  EXPECT_EQ(shop.ids.size(), 2U);
  answer_one(answered(200));
  EXPECT_EQ(due, std::nullopt);
  answer_one(answered(500));
  EXPECT_EQ(due, 2U);
  EXPECT_NE(ship_state(1), ship_state(2)) << "one is taken, the other one waits";
  EXPECT_EQ(deliver(), 0U) << "neither is due now";
  clock.at += 10s;
  EXPECT_EQ(deliver(), std::nullopt);
  EXPECT_EQ(shop.ids.size(), 3U) << "only the one that was not taken";
  answer_one(answered(200));
  EXPECT_EQ(ship_state(1), EffectState::delivered);
  EXPECT_EQ(ship_state(2), EffectState::delivered);
}

TEST_F(DeliverTest, WhatWasTakenAndCouldNotBeSavedIsSentAgainUnderTheSameId) {
  deliver();
  store.are_gone = true;
  answer_one(answered(200));
  answer_one(answered(200));
  EXPECT_EQ(due, 2U);
  store.are_gone = false;
  EXPECT_EQ(deliver(), 0U) << "not while the lease runs";
  clock.at += target.timeout + 5s;
  EXPECT_EQ(deliver(), std::nullopt);
  ASSERT_EQ(shop.ids.size(), 4U);
  EXPECT_EQ(std::set(shop.ids.begin(), shop.ids.end()).size(), 2U) << "the shop knows them";
}

TEST_F(DeliverTest, WhatIsFoundAndCannotBeClaimedIsNotSent) {
  store.refuse_commits = true;
  EXPECT_EQ(deliver(), 0U);
  EXPECT_TRUE(shop.ids.empty()) << "nobody else would know that it is being sent";
  store.refuse_commits = false;
  EXPECT_EQ(deliver(), std::nullopt);
  EXPECT_EQ(shop.ids.size(), 2U);
}

TEST_F(DeliverTest, WithoutBooksNothingIsSent) {
  store.are_gone = true;
  EXPECT_EQ(deliver(), 0U);
  EXPECT_TRUE(shop.ids.empty());
}

}  // namespace payonce::test
