// Sound books to break in tests, made by the rules themselves, and what a check says of them.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "support/rules_world.h"
#include "verify/verify.h"

namespace payonce::test {

inline OrderBooks books_of(RulesWorld const& world) {
  OrderBooks books{world.order(), {}, {}, {}, world.journal};
  std::int64_t sequence = 0;
  for (TimelineEvent const& event : world.events) books.timeline.push_back({++sequence, event});
  books.effects = world.effects;
  for (auto const& [id, notice] : world.notices) books.notices.push_back(notice);
  return books;
}

// Payment 1 is begun, unknown, and still watched.
inline RulesWorld unknown_world() {
  RulesWorld world;
  world.run(registration());
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::in_doubt));
  return world;
}

// Payment 1 was unknown, until a notice said that it succeeded.
inline RulesWorld paid_world() {
  RulesWorld world = unknown_world();
  world.now += 1s;
  world.run(notice("evt_1", 1, answer(Outcome::succeeded)));
  return world;
}

// Payment 1 was declined.
inline RulesWorld failed_world() {
  RulesWorld world = unknown_world();
  world.run(outcome(1, Evidence::query, Outcome::declined));
  return world;
}

// Payment 1 was declined, 2 paid, and then 1 succeeded all the same: surplus, given back.
inline RulesWorld surplus_world() {
  RulesWorld world = failed_world();
  world.run(beginning(2, "k-2"));
  world.run(outcome(2, Evidence::response, Outcome::succeeded));
  world.run(notice("evt_1", 1, answer(Outcome::succeeded)));
  world.run(RecordRefundOutcome{order_key(), world.refund_of(1)->id, Evidence::response, answer(Outcome::succeeded)});
  return world;
}

// Payment 1 paid, a part of it went back, another part was refused; the shop hears of both.
inline RulesWorld refund_world() {
  RulesWorld world;
  world.terms.shop.effects = {{"ship"},
                              {"points"},
                              {"coupon"},
                              {"refunded", Trigger::refund_succeeded},
                              {"refund-refused", Trigger::refund_failed}};
  world.run(registration());
  world.run(beginning(1, "k-1"));
  world.run(outcome(1, Evidence::response, Outcome::succeeded));
  for (int const n : {1, 2}) {
    world.now += 1s;
    world.run(refund_request(n, n == 1 ? "r-1" : "r-2"));
    world.run(RecordRefundOutcome{order_key(), refund_id(n), Evidence::response,
                                  answer(n == 1 ? Outcome::succeeded : Outcome::declined)});
  }
  return world;
}

// Support booked the money by hand.
inline RulesWorld offline_world() {
  RulesWorld world;
  world.run(registration());
  world.run(offline_payment(1, "k-1"));
  return world;
}

inline OrderBooks unknown_books() { return books_of(unknown_world()); }
inline OrderBooks paid_books() { return books_of(paid_world()); }
inline OrderBooks failed_books() { return books_of(failed_world()); }
inline OrderBooks surplus_books() { return books_of(surplus_world()); }
inline OrderBooks refund_books() { return books_of(refund_world()); }
inline OrderBooks offline_books() { return books_of(offline_world()); }

inline VerifyOptions shop_options() {
  VerifyOptions options;
  options.effects[MerchantId{"shop"}] = {{"ship"}, {"points"}, {"coupon"}};
  options.bank_providers = {"sure"};
  return options;
}

// The numbers of the invariants that are violated.
inline std::set<int> violated(std::vector<Finding> const& violations) {
  std::set<int> numbers;
  for (Finding const& it : violations) numbers.insert(it.invariant);
  return numbers;
}
inline std::set<int> violated(OrderBooks const& books, VerifyOptions const& options = shop_options()) {
  return violated(check_order(books, options).violations);
}

inline TimelineEvent& event_of(OrderBooks& books, std::string_view type) {
  for (auto& [sequence, event] : books.timeline)
    if (event.type == type) return event;
  throw std::logic_error("no such event in these books");
}

}  // namespace payonce::test
