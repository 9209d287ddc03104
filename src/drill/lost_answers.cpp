// The bank's answer is lost, late, or makes no sense.
#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

// The bank suffers the fault at its first charge request; the buyer keeps asking.
void pay_with_fault(World& world, std::string_view fault) {
  world.bank->hit("create", fault, World::order);
  world.customer.insist("buyer-1");
}

void wait_until_charged(World& world) {
  wait_for("the bank has charged", [&] { return world.bank->ledger(World::order).charged == 1; });
}

}  // namespace

void response_lost_new_key(World& world) {
  world.keep_in_the_dark({.fault = "drop_after"});
  Told const first = world.customer.pay_without_waiting("first-visit");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  wait_until_charged(world);

  Told const second = world.customer.pay_without_waiting("second-visit");
  bool const is_over = second.code() == "order_already_paid";
  expect(second.is_refused_for(first.payment_id()) || is_over, "the new key meets the first payment");
  world.customer.insist("first-visit");
  expect(world.customer.look_at_payment(first.payment_id()).state() == "SUCCEEDED",
         "the first payment is the one that paid");
}

void network_change(World& world) {
  world.bank->hit("create", "late", World::order, 1, 300ms);
  PayRequest const request{.key = "buyer-1"};
  world.backstage.send_and_unplug(world.customer.call_for(request), [&] { wait_until_charged(world); });

  Told const again = world.customer.pay(request);
  expect(again.is_replay, "the same key finds the payment that the cut request began");
  world.customer.insist("buyer-1");
  world.expect_asked_once("create");
}

void provider_slower_than_timeout(World& world) { pay_with_fault(world, "late"); }

void provider_acts_after_timeout(World& world) {
  constexpr Millis delay{1'500};
  SystemClock const clock;
  world.bank->hit("create", "late_before", World::order, 1, delay);
  Told const first = world.customer.pay_without_waiting("buyer-1");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  wait_for("the bank has the request", [&] { return world.bank->ledger(World::order).calls_of("create") >= 1; });
  auto const bank_has_acted = clock.monotonic() + delay + 300ms;
  world.customer.insist("buyer-1");
  // Whatever the bank still does about the first request belongs to this failure.
  wait_for("the bank has acted upon the late request", [&] { return clock.monotonic() >= bank_has_acted; });
}

void provider_5xx_before_charge(World& world) { pay_with_fault(world, "answer_500_before"); }

void provider_5xx_after_charge(World& world) { pay_with_fault(world, "answer_500_after"); }

void nonsense_answers(World& world) {
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("query", "nonsense", any_order);
  world.bank->hit("query", "nonsense_json", any_order);
  pay_with_fault(world, "nonsense");
}

void answer_in_progress(World& world) {
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("query", "in_progress", any_order, 2);
  pay_with_fault(world, "in_progress");
}

void bank_restarts_in_the_middle(World& world) {
  world.bank->hit("create", "restart", World::order);
  Told const first = world.customer.pay_without_waiting("buyer-1");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  world.bank->wait_until_dead();
  world.bank->restart();
  world.customer.insist("buyer-1");
  expect(world.customer.look_at_payment(first.payment_id()).state() == "SUCCEEDED",
         "the first payment is the one that paid");
}

}  // namespace payonce::drill
