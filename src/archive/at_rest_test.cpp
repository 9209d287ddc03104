// What may leave the books, and what must stay.
#include "archive/at_rest.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/rules_world.h"

namespace payonce::test {
namespace {

Time const later = test_start + 1h;

ArchivedOrder archived(RulesWorld const& world) {
  ArchivedOrder order{{world.order(), {}, world.effects, world.journal, {}}, {}};
  std::int64_t sequence = 0;
  for (TimelineEvent const& it : world.events) order.books.events.push_back({++sequence, it});
  for (auto const& [id, it] : world.notices) order.notices.push_back(it);
  for (Effect& it : order.books.effects) {
    it.state = EffectState::delivered;
    it.due_at.reset();
    it.delivered_at = world.now;
  }
  return order;
}

// Paid, a part given back, and a notice that told nothing new.
ArchivedOrder settled() {
  RulesWorld world;
  world.run(registration());
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  world.run(refund_request(1, "r-1"));
  world.run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, answer(Outcome::succeeded)});
  world.run(notice("evt_1", 1, answer(Outcome::succeeded)));
  return archived(world);
}

TEST(AtRest, ASettledOrderIsOnceItIsOld) {
  EXPECT_TRUE(is_at_rest(settled(), later));
  EXPECT_FALSE(is_at_rest(settled(), test_start)) << "what happened at that very moment is young";
}

TEST(AtRest, SoIsAnOrderThatNobodyCameToPay) {
  RulesWorld world;
  world.run(registration());
  EXPECT_TRUE(is_at_rest(archived(world), later));
}

TEST(AtRest, WhateverIsStillWaitedForKeepsItHere) {
  using Change = std::function<void(ArchivedOrder&)>;
  std::pair<char const*, Change> const changes[]{
      {"an order that expires", [](ArchivedOrder& it) { it.books.order.head.due_at = later; }},
      {"an order that changed", [](ArchivedOrder& it) { it.books.order.head.updated_at = later; }},
      {"a live payment", [](ArchivedOrder& it) { it.books.order.attempts[0].state = AttemptState::unknown; }},
      {"a watched payment", [](ArchivedOrder& it) { it.books.order.attempts[0].due_at = later; }},
      {"a payment that changed", [](ArchivedOrder& it) { it.books.order.attempts[0].updated_at = later; }},
      {"an alarm", [](ArchivedOrder& it) { it.books.order.attempts[0].review = "look"; }},
      {"a refund under way", [](ArchivedOrder& it) { it.books.order.refunds[0].state = RefundState::unknown; }},
      {"a refund refused", [](ArchivedOrder& it) { it.books.order.refunds[0].state = RefundState::failed; }},
      {"a refund that came back", [](ArchivedOrder& it) { it.books.order.refunds[0].state = RefundState::returned; }},
      {"a refund's alarm", [](ArchivedOrder& it) { it.books.order.refunds[0].review = "look"; }},
      {"a refund that changed", [](ArchivedOrder& it) { it.books.order.refunds[0].updated_at = later; }},
      {"a capture under way",
       [](ArchivedOrder& it) { it.books.order.captures.push_back({.id = capture_id(1), .amount = usd(1)}); }},
      {"an effect on its way", [](ArchivedOrder& it) { it.books.effects[0].state = EffectState::pending; }},
      {"an effect given up", [](ArchivedOrder& it) { it.books.effects[0].state = EffectState::dead; }},
      {"a young event", [](ArchivedOrder& it) { it.books.events[0].event.at = later; }},
      {"a young notice", [](ArchivedOrder& it) { it.notices[0].received_at = later; }},
      {"a notice not worked in", [](ArchivedOrder& it) { it.notices[0].disposition = NoticeDisposition::unmatched; }},
  };
  for (auto const& [name, change] : changes) {
    ArchivedOrder order = settled();
    change(order);
    EXPECT_FALSE(is_at_rest(order, later)) << name;
  }
}

}  // namespace
}  // namespace payonce::test
