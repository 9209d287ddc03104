// What only the provider's statement tells, and what it tells again.
#include <thread>

#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

// More than any recovery asks in the time of a drill.
constexpr int for_ever = 10'000;
constexpr std::int64_t half = order_amount / 2;

int count_of(std::string_view text, std::string_view word) {
  int count = 0;
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

void expect_no_difference(std::string const& said) {
  expect(said.contains(" lines; ") && !said.contains("dis_"), "the bill and the books agree: " + said);
}

}  // namespace

void statement_alone_tells(World& world) {
  world.keep_in_the_dark({.fault = "drop_after", .questions = for_ever});
  Told const told = world.customer.pay_without_waiting("buyer-1");
  wait_for("the bank has charged", [&] { return world.bank->ledger(World::order).charged == 1; });
  expect(world.customer.look_at_order(World::order).state() == "OPEN", "nobody here knows it");
  expect_no_difference(world.reconcile());
  Told const paid = world.customer.look_at_payment(told.payment_id());
  expect(paid.state() == "SUCCEEDED" && paid.text("/evidence") == "statement", "the bill has paid the order");
  expect(world.customer.pay({.key = "buyer-2"}).code() == "order_already_paid", "nobody pays again");
}

void refund_told_by_statement(World& world) {
  Told const paid = world.customer.pay({.key = "buyer-1"});
  world.bank->hit("notice", "never", World::order, for_ever);
  world.bank->refund_at_the_desk("desk-7", paid.payment_id(), half);
  expect_no_difference(world.reconcile());
  Told const look = world.customer.look_at_order(World::order);
  expect(look.body.contains(R"("origin":"outside")") && look.body.contains("R_SUCCEEDED"), "it is in the books");
  Told const too_much =
      world.customer.refund({.key = "refund-1", .payment_id = paid.payment_id(), .amount = order_amount});
  expect(too_much.code() == "refund_exceeds_captured", "what went back at the desk can't go back again");
  expect_no_difference(world.reconcile());
}

void statement_read_twice(World& world) {
  Told const paid = world.customer.pay({.key = "buyer-1"});
  expect(paid.state() == "SUCCEEDED", "the order is paid");
  {
    std::jthread const other{[&] { world.reconcile(); }};
    world.reconcile();
  }
  std::string const books = world.ledger();
  expect(count_of(books, "fees") == 1, "the fee is booked once:\n" + books);
  std::string const again = world.reconcile();
  expect_no_difference(again);
  expect(again.contains("1 known before") && world.ledger() == books, "once more changes nothing: " + again);
}

void surplus_told_three_times(World& world) {
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("create", "decline_then_succeed", World::order);
  Told const first = world.customer.pay({.key = "card-1"});
  expect(first.state() == "FAILED", "the first card is declined");
  expect(world.customer.pay({.key = "card-2"}).state() == "SUCCEEDED", "the second card pays");
  wait_for("the bank charges the first card all the same",
           [&] { return world.bank->ledger(World::order).charged == 2; });
  expect_no_difference(world.reconcile());
  world.bank->send_notice(first.payment_id(), "succeeded");
  wait_for("the money is given back", [&] { return world.bank->ledger(World::order).refunded >= 1; });
  expect_no_difference(world.reconcile());
  world.bank->send_notice(first.payment_id(), "succeeded");
}

}  // namespace payonce::drill
