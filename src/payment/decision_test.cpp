#include "payment/decision.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/rules_world.h"

namespace payonce {
namespace {

TEST(Changes, WhateverIsToBeWrittenMakesThemNotEmpty) {
  EXPECT_TRUE(Changes{}.empty());
  std::vector<std::function<void(Changes&)>> const kinds{
      [](Changes& it) { it.head = order_with({}).head; },
      [](Changes& it) { it.attempts.push_back(attempt_in(AttemptState::processing, 1)); },
      [](Changes& it) { it.refunds.push_back({.id = refund_id(1), .amount = usd(1)}); },
      [](Changes& it) { it.captures.push_back({.id = capture_id(1), .amount = usd(1)}); },
      [](Changes& it) { it.effects.emplace_back(); },
      [](Changes& it) { it.events.emplace_back(); },
      [](Changes& it) { it.postings.push_back({order_key(), attempt_id(1), {}, "", "", usd(1), test_start}); },
      [](Changes& it) { it.notice.emplace(); },
      [](Changes& it) { it.discrepancy = Discrepancy{.amount = usd(1)}; },
  };
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    Changes one;
    kinds[kind](one);
    EXPECT_FALSE(one.empty()) << "kind " << kind;
  }
}

}  // namespace
}  // namespace payonce
