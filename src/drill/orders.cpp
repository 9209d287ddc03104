// The order meets other money, another amount, another card.
#include <fmt/format.h>

#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

void offline_while_paying(World& world) {
  world.keep_in_the_dark({.fault = "drop_after", .questions = 6});
  Told const first = world.customer.pay_without_waiting("buyer-1");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  Told const booking = world.customer.book_offline(World::order, "receipt-7");
  expect(booking.is_refused_for(first.payment_id()), "support is shown the payment that may still charge");
  wait_for("the order is paid", [&] {
    Told const again = world.customer.book_offline(World::order, "receipt-7");
    expect(again.status == 409, "support can't book over a live payment");
    return world.customer.pay_without_waiting("buyer-1").state() == "SUCCEEDED";
  });
  Told const late_booking = world.customer.book_offline(World::order, "receipt-7");
  expect(late_booking.code() == "order_already_paid", "support is told that it is paid");
}

void order_amount_changed(World& world) {
  world.keep_in_the_dark({.fault = "drop_after"});
  Told const first = world.customer.pay_without_waiting("buyer-1");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  Told const changed = world.customer.register_order(World::order, order_amount + 1000);
  expect(changed.status == 409 && changed.code() == "order_conflict", "the amount can't change under a live payment");
  expect(changed.text("/payment/id") == first.payment_id(), "the shop is shown that payment");
  world.customer.insist("buyer-1");
  Told const too_late = world.customer.register_order(World::order, order_amount + 1000);
  expect(too_late.code() == "order_conflict", "nor once it is paid");
  expect(world.customer.register_order(World::order).status == 200, "the same amount is confirmed");
}

void decline_then_second_card(World& world) {
  world.bank->hit("create", "decline", World::order);
  PayRequest const first_card{.key = "card-1"};
  Told const declined = world.customer.pay(first_card);
  expect(declined.state() == "FAILED" && declined.text("/retry") == "new_key", "the buyer may try another card");
  Told const repeated = world.customer.pay(first_card);
  expect(repeated.is_replay && repeated.body == declined.body, "the same key repeats the decline");
  Told const paid = world.customer.pay({.key = "card-2"});
  expect(paid.status == 201 && paid.state() == "SUCCEEDED", "the second card pays");
  expect(world.customer.pay(first_card).state() == "FAILED", "the first key still tells of the first card");
}

void late_success_after_decline(World& world) {
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("create", "decline_then_succeed", World::order);
  Told const first = world.customer.pay({.key = "card-1"});
  expect(first.state() == "FAILED", "the first card is declined");
  Told const second = world.customer.pay({.key = "card-2"});
  expect(second.state() == "SUCCEEDED", "the second card pays");
  wait_for("the bank charges the first card all the same",
           [&] { return world.bank->ledger(World::order).charged == 2; });

  world.bank->send_notice(first.payment_id(), "succeeded");
  world.bank->send_notice(first.payment_id(), "succeeded");
  wait_for("the money is given back", [&] { return world.bank->ledger(World::order).refunded >= 1; });
  Told const surplus = world.customer.look_at_payment(first.payment_id());
  expect(surplus.state() == "SUCCEEDED" && surplus.body.contains(R"("surplus":true)"), "it stands as surplus");
  for (std::string const& effect : world.shop.effects_of(World::order))
    expect(effect.starts_with(second.payment_id()), "effects follow from the second card alone");
}

}  // namespace payonce::drill
