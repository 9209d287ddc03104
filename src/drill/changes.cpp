// What can happen to an order beside its plain payment: another method, parts, its end, take-backs.
#include <algorithm>

#include "base/clock.h"
#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t deposit = 500;

// The buyer is sent to the provider's page and does not pay.
Told begin_and_leave_open(World& world, std::string key) {
  world.bank->hit(world.channel().first_call, "buyer_waits", World::order);
  Told const told = world.customer.press({.key = std::move(key)});
  expect(told.state() == "REQUIRES_ACTION", "the bank waits for the buyer");
  return told;
}

void wait_until_state(World& world, std::string const& payment, std::string_view state) {
  wait_for("the payment is " + std::string{state},
           [&] { return world.customer.look_at_payment(payment).state() == state; });
}

}  // namespace

void method_changed(World& world) {
  Told const first = begin_and_leave_open(world, "wallet");
  Told const refused = world.customer.pay({.key = "card"});
  expect(refused.is_refused_for(first.payment_id()), "another method alone is refused");
  Told const second = world.customer.pay({.key = "card", .replaces = true});
  expect(second.status == 201 && second.state() == "SUCCEEDED", "with replace it pays");
  expect(world.customer.look_at_payment(first.payment_id()).state() == "CANCELED", "the first one is proven closed");
}

void method_changed_after_unnoticed_success(World& world) {
  world.keep_in_the_dark({.fault = "drop_after", .questions = 2});
  Told const first = world.customer.pay_without_waiting("wallet");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  wait_for("the bank has charged", [&] { return world.bank->ledger(World::order).charged == 1; });
  Told const second = world.customer.pay({.key = "card", .replaces = true});
  expect(second.status == 409, "another method does not begin");
  wait_until_state(world, first.payment_id(), "SUCCEEDED");
  expect(world.customer.pay({.key = "card", .replaces = true}).code() == "order_already_paid", "already paid wins");
}

void order_expires_while_charged(World& world) {
  // Whole seconds are all that some providers know of.
  world.keep_in_the_dark({.fault = "late", .questions = 2, .delay = 3000ms});
  world.customer.register_order(World::order, order_amount, {.expires_at = SystemClock{}.now() + 2000ms});
  Told const first = world.customer.pay_without_waiting("buyer-1");
  wait_until_state(world, first.payment_id(), "SUCCEEDED");
  expect(world.customer.pay({.key = "buyer-2"}).code() == "order_already_paid", "it is paid and not closed");
}

void order_expires_unpaid(World& world) {
  Told const first = begin_and_leave_open(world, "buyer-1");
  world.customer.register_order(World::order, order_amount, {.expires_at = SystemClock{}.now() + 200ms});
  wait_for("the order is closed", [&] { return world.customer.look_at_order(World::order).state() == "CLOSED"; });
  expect(world.customer.look_at_payment(first.payment_id()).state() == "CANCELED", "the bank was asked to close first");
  expect(world.customer.pay({.key = "buyer-2"}).code() == "order_closed", "nothing of it can be paid any more");
}

void deposit_paid_by_two_devices(World& world) {
  char const* const order = "order-split";
  world.customer.register_order(order, order_amount, {.is_split = true});
  world.bank->hit("create", "late", order, 2, 200ms);
  std::vector<PayRequest> both;
  for (char const* const device : {"phone", "computer"})
    both.push_back({.key = device, .order = order, .amount = deposit, .part = "deposit"});
  std::vector<Told> const told = world.customer.pay_all_at_once(both);
  expect(std::ranges::count_if(told, [](Told const& it) { return it.status == 409; }) == 1, "one of them is refused");
  wait_for("the deposit is paid", [&] {
    Told const look = world.customer.look_at_order(order);
    return look.json.at("paid").as_int64() == deposit && look.json.at("held").as_int64() == 0;
  });
  expect(world.bank->ledger(order).charged == 1, "the deposit is charged once");
  expect(world.shop.effects_of(order).empty(), "nothing is shipped for a deposit");
  Told const rest = world.customer.pay({.key = "rest", .order = order, .part = "rest"});
  expect(rest.state() == "SUCCEEDED" && rest.json.at("amount").as_int64() == order_amount - deposit,
         "the rest is paid");
  OrderOutcome const outcome = world.settle(order);
  expect(outcome.charges == 2 && outcome.order_state == "PAID" && outcome.effects == 3,
         "complete, with its effects once");
  world.customer.insist("buyer-1");
}

void price_changed_with_replace(World& world) {
  Told const first = begin_and_leave_open(world, "old-price");
  Told const changed = world.customer.register_order(World::order, order_amount + 1, {.replaces = true});
  expect(changed.status == 200 && changed.json.at("amount").as_int64() == order_amount + 1, "the price is changed");
  expect(world.customer.look_at_payment(first.payment_id()).state() == "CANCELED", "the old payment is proven closed");
  expect(world.customer.pay({.key = "new-price"}).state() == "SUCCEEDED", "the new price is paid");
}

void dispute_opened_and_lost(World& world) {
  Told const paid = world.customer.pay({.key = "buyer-1"});
  for (int copy = 0; copy < 2; ++copy) world.bank->send_notice(paid.payment_id(), "dispute_opened");
  wait_until_state(world, paid.payment_id(), "DISPUTED");
  Told const refund = world.customer.refund({.key = "refund-1", .payment_id = paid.payment_id(), .amount = deposit});
  expect(refund.code() == "payment_not_refundable", "nothing is given back while the bank holds the money");
  for (int copy = 0; copy < 2; ++copy) world.bank->send_notice(paid.payment_id(), "dispute_lost");
  wait_until_state(world, paid.payment_id(), "REVERSED");
  world.bank->send_notice(paid.payment_id(), "succeeded");
  expect(world.customer.look_at_payment(paid.payment_id()).state() == "REVERSED", "an old message changes nothing");
  expect(world.customer.pay({.key = "buyer-2"}).code() == "order_already_paid", "nobody is charged again by itself");
}

void refund_at_the_desk(World& world) {
  Told const paid = world.customer.pay({.key = "buyer-1"});
  world.bank->refund_at_the_desk("desk-7", paid.payment_id(), deposit);
  wait_for("the refund is in the books", [&] {
    Told const look = world.customer.look_at_order(World::order);
    return look.body.contains(R"("origin":"outside")") && look.body.contains("R_SUCCEEDED");
  });
  Told const too_much =
      world.customer.refund({.key = "refund-1", .payment_id = paid.payment_id(), .amount = order_amount});
  expect(too_much.code() == "refund_exceeds_captured", "what went back at the desk can't go back again");
}

}  // namespace payonce::drill
