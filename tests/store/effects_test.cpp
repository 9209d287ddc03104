// Effects: each exists once, is taken by one worker at a time, and is never lost.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

auto const order = order_key("PA-1001");
MerchantId const shop{"shop"};
Attempt payer() { return succeeded(processing("pay_1", "k-1")); }

Changes paid_order() {
  Changes changes;
  changes.add(paid(head_of(order))).add(order, payer());
  return changes;
}

std::vector<DueEffect> claim(Writer& writer, std::string const& name, Time now, Time lease_until,
                             std::size_t limit = 10, MerchantId const& merchant = shop) {
  writer.begin();
  auto taken = writer.claim_effects(merchant, name, now, lease_until, limit);
  writer.commit();
  return taken;
}

void record(Writer& writer, DeliveryResult const& result) {
  writer.begin();
  writer.record_deliveries(std::vector{result});
  writer.commit();
}

DeliveryResult result(EffectState state, std::optional<Time> due_at, std::string error = {}) {
  return DeliveryResult{.merchant = shop,
                        .attempt = AttemptId{"pay_1"},
                        .name = "ship",
                        .state = state,
                        .due_at = due_at,
                        .delivered_at = state == EffectState::delivered ? std::optional{noon} : std::nullopt,
                        .last_error = std::move(error)};
}

}  // namespace

TEST_P(StoreSuite, AnEffectComesBackAsItWasWritten) {
  Effect it = effect_of(order, payer(), "ship");
  it.state = EffectState::dead;
  it.tries = 9;
  it.due_at.reset();
  it.last_error = "410 Gone: 没有";
  Effect const other = effect_of(order, payer(), "points");
  write(paid_order().add(it).add(other));
  auto const effects = reader().effects_of(order);
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(fields(effects[0]), fields(other));
  EXPECT_EQ(fields(effects[1]), fields(it));
  EXPECT_TRUE(reader().effects_of(order_key("PA-1001", "other")).empty());
}

TEST_P(StoreSuite, AnEffectExistsOncePerAttemptAndName) {
  write(paid_order().add(effect_of(order, payer(), "ship")));
  EXPECT_EQ(failure_of(Changes{}.add(effect_of(order, payer(), "ship"))), conflict);
  EXPECT_EQ(failure_of(Changes{}.add(effect_of(order, payer(), "Ship"))), std::nullopt);
}

TEST_P(StoreSuite, AnEffectOfARefundIsAnotherThanThatOfItsPayment) {
  Refund const refund = refund_of(payer(), "ref_a", 500, "request");
  Effect of_refund = effect_of(order, payer(), "ship");
  of_refund.refund = refund.id;
  write(paid_order().add(order, refund).add(effect_of(order, payer(), "ship")).add(of_refund));
  EXPECT_EQ(failure_of(Changes{}.add(of_refund)), conflict);
  auto const effects = reader().effects_of(order);
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[0].id(), "pay_1.ship");
  EXPECT_EQ(fields(effects[1]), fields(of_refund));
  EXPECT_EQ(effects[1].id(), "ref_a.ship");

  auto const taken = claim(writer(), "ship", noon, noon + Millis{100});
  ASSERT_EQ(taken.size(), 2u);
  for (DueEffect const& due : taken) {
    EXPECT_EQ(due.refund.has_value(), !due.effect.refund.empty());
    EXPECT_TRUE(!due.refund || fields(*due.refund) == fields(refund));
  }
  DeliveryResult dead = result(EffectState::dead, std::nullopt, "410");
  dead.refund = refund.id;
  record(writer(), dead);
  ASSERT_EQ(reader().dead_effects(shop, 10).size(), 1u);
  EXPECT_EQ(reader().dead_effects(shop, 10)[0].refund, refund.id);
  writer().begin();
  EXPECT_TRUE(writer().resend_effect(shop, {{}, refund.id, "ship"}, noon)) << "a refund knows its payment";
  EXPECT_FALSE(writer().resend_effect(MerchantId{"other"}, {{}, refund.id, "ship"}, noon));
  EXPECT_FALSE(writer().resend_effect(shop, {{}, RefundId{"ref_b"}, "ship"}, noon));
  writer().commit();
  EXPECT_TRUE(reader().dead_effects(shop, 10).empty());
}

TEST_P(StoreSuite, AnEffectOfNoAttemptIsRefused) {
  EXPECT_EQ(failure_of(Changes{}.add(effect_of(order, payer(), "ship"))), refused);
}

TEST_P(StoreSuite, ADeliveredEffectHasItsTimeAndOnlyAPendingOneIsDue) {
  Effect it = effect_of(order, payer(), "ship");
  it.state = EffectState::delivered;
  it.due_at.reset();
  EXPECT_EQ(failure_of(paid_order().add(it)), refused);
  it.delivered_at = noon;
  it.due_at = noon;
  EXPECT_EQ(failure_of(paid_order().add(it)), refused);
  it = effect_of(order, payer(), "ship");
  it.due_at.reset();
  EXPECT_EQ(failure_of(paid_order().add(it)), refused);
}

TEST_P(StoreSuite, ATakenEffectIsNotTakenAgainBeforeItsLeaseEnds) {
  Effect it = effect_of(order, payer(), "ship");
  write(paid_order().add(it));
  auto const other_writer = store().open_writer();
  EXPECT_TRUE(claim(writer(), "ship", noon - Millis{1}, noon + Millis{99}).empty()) << "not due yet";

  auto const taken = claim(writer(), "ship", noon, noon + Millis{100});
  ASSERT_EQ(taken.size(), 1u);
  it.tries = 1;
  it.due_at = noon + Millis{100};
  EXPECT_EQ(fields(taken[0].effect), fields(it));
  EXPECT_EQ(fields(taken[0].attempt), fields(payer()));
  EXPECT_TRUE(claim(*other_writer, "ship", noon + Millis{99}, noon + Millis{500}).empty());

  auto const retaken = claim(*other_writer, "ship", noon + Millis{100}, noon + Millis{500});
  ASSERT_EQ(retaken.size(), 1u);
  EXPECT_EQ(retaken[0].effect.tries, 2);
  EXPECT_EQ(retaken[0].effect.id(), taken[0].effect.id()) << "the same message under the same id";
}

TEST_P(StoreSuite, AClaimThatIsRolledBackTakesNothing) {
  write(paid_order().add(effect_of(order, payer(), "ship")));
  writer().begin();
  EXPECT_EQ(writer().claim_effects(shop, "ship", noon, noon + Millis{100}, 10).size(), 1u);
  writer().rollback();
  EXPECT_EQ(claim(writer(), "ship", noon, noon + Millis{100}).size(), 1u);
}

TEST_P(StoreSuite, TheBacklogOfOneEffectDoesNotHoldUpAnother) {
  Changes changes = paid_order();
  changes.add(effect_of(order, payer(), "ship"));
  for (int i = 0; i < 20; ++i) {
    auto const n = std::to_string(100 + i);
    auto const own = order_key("PA-" + n);
    Attempt const attempt = succeeded(processing("pay_" + n, "k-" + n));
    Effect coupon = effect_of(own, attempt, "coupon");
    coupon.due_at = noon - Millis{100 - i};
    changes.add(paid(head_of(own))).add(own, attempt).add(coupon);
  }
  write(changes);
  EXPECT_EQ(claim(writer(), "ship", noon, noon + Millis{1}, 5).size(), 1u);
  auto const coupons = claim(writer(), "coupon", noon, noon + Millis{1}, 5);
  ASSERT_EQ(coupons.size(), 5u);
  EXPECT_EQ(coupons[0].effect.attempt.value, "pay_100") << "longest waiting first";
  EXPECT_EQ(coupons[4].effect.attempt.value, "pay_104");
  EXPECT_TRUE(claim(writer(), "coupon", noon, noon + Millis{1}, 5, MerchantId{"other"}).empty());
}

TEST_P(StoreSuite, WhatCameOfADeliveryIsRecorded) {
  write(paid_order().add(effect_of(order, payer(), "ship")));
  claim(writer(), "ship", noon, noon + Millis{100});
  record(writer(), result(EffectState::pending, noon + Millis{60}, "503"));
  EXPECT_EQ(reader().backlog().effects_pending, 1);
  auto const again = claim(writer(), "ship", noon + Millis{60}, noon + Millis{200});
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].effect.last_error, "503");

  record(writer(), result(EffectState::delivered, std::nullopt));
  Effect const done = reader().effects_of(order).at(0);
  EXPECT_EQ(done.state, EffectState::delivered);
  EXPECT_EQ(done.delivered_at, noon);
  EXPECT_EQ(done.last_error, "");
  EXPECT_EQ(done.tries, 2);
  EXPECT_TRUE(claim(writer(), "ship", noon + Millis{9'999}, noon + Millis{99'999}).empty());
  EXPECT_EQ(reader().backlog().effects_pending, 0);
}

TEST_P(StoreSuite, ASlowWorkerCanNotUndoADelivery) {
  write(paid_order().add(effect_of(order, payer(), "ship")));
  record(writer(), result(EffectState::delivered, std::nullopt));
  record(writer(), result(EffectState::pending, noon, "timed out"));
  record(writer(), result(EffectState::dead, std::nullopt, "gave up"));
  EXPECT_EQ(reader().effects_of(order).at(0).state, EffectState::delivered);
}

TEST_P(StoreSuite, ADeadEffectIsListedAndCanBeSentAgain) {
  write(paid_order().add(effect_of(order, payer(), "ship")));
  record(writer(), result(EffectState::dead, std::nullopt, "410"));
  EXPECT_EQ(reader().backlog().effects_dead, 1);
  auto const dead = reader().dead_effects(shop, 10);
  ASSERT_EQ(dead.size(), 1u);
  EXPECT_EQ(dead[0].key, order);
  EXPECT_EQ(dead[0].last_error, "410");
  EXPECT_TRUE(reader().dead_effects(MerchantId{"other"}, 10).empty());
  EXPECT_TRUE(claim(writer(), "ship", noon + Millis{9'999}, noon + Millis{99'999}).empty());

  writer().begin();
  EXPECT_TRUE(writer().resend_effect(shop, {AttemptId{"pay_1"}, {}, "ship"}, noon + Millis{10}));
  EXPECT_FALSE(writer().resend_effect(shop, {AttemptId{"pay_1"}, {}, "points"}, noon));
  EXPECT_FALSE(writer().resend_effect(MerchantId{"other"}, {AttemptId{"pay_1"}, {}, "ship"}, noon));
  writer().commit();
  EXPECT_TRUE(reader().dead_effects(shop, 10).empty());
  EXPECT_EQ(claim(writer(), "ship", noon + Millis{10}, noon + Millis{100}).size(), 1u);
}

TEST_P(StoreSuite, ADeliveredEffectCanBeSentAgain) {
  write(paid_order().add(effect_of(order, payer(), "ship")));
  record(writer(), result(EffectState::delivered, std::nullopt));
  writer().begin();
  EXPECT_TRUE(writer().resend_effect(shop, {AttemptId{"pay_1"}, {}, "ship"}, noon));
  writer().commit();
  EXPECT_EQ(claim(writer(), "ship", noon, noon + Millis{100}).size(), 1u);
}

}  // namespace payonce::test
