// Money goes back, in part, and what goes wrong on its way.
#include <algorithm>

#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t half = order_amount / 2;

std::string paid(World& world) {
  Told const told = world.customer.pay({.key = "buyer-1"});
  expect(told.state() == "SUCCEEDED", "the order is paid");
  return told.payment_id();
}

void wait_until_given_back(World& world) {
  wait_for("the bank has given the money back", [&] { return world.bank->ledger(World::order).refunded == 1; });
}

void wait_until_told(World& world, std::string const& refund_id) {
  wait_for("the refund is known to be done",
           [&] { return world.customer.look_at_refund(refund_id, 1).state() == "R_SUCCEEDED"; });
}

}  // namespace

void refund_response_lost(World& world) {
  RefundRequest request{.key = "refund-1", .payment_id = paid(world), .amount = half, .prefer = "wait=0"};
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("query_refund", "drop_before", any_order, 6);
  world.bank->hit("refund", "late", World::order);
  Told const first = world.customer.refund(request);
  expect(first.status == 202, "the clerk is told that the result is not known yet");

  Told const again = world.customer.refund(request);
  expect(again.is_replay && again.text("/id") == first.text("/id"), "the same key finds the refund");
  request.key = "refund-2";
  Told const click = world.customer.refund(request);
  expect(click.status == 409 && click.code() == "refund_in_progress", "a new key meets the refund under way");
  wait_until_given_back(world);
  wait_until_told(world, first.text("/id"));
  world.expect_asked_once("refund");
}

void refunds_in_parallel(World& world) {
  std::string const payment = paid(world);
  world.bank->hit("refund", "late", World::order, 3, 200ms);
  std::vector<RefundRequest> requests;
  for (char const* const line : {"line 1", "line 2", "line 3"})
    requests.push_back(
        {.key = line[5] + std::string{"-refund"}, .payment_id = payment, .amount = half, .reason = line});
  std::vector<Told> const all = world.customer.refund_all_at_once(requests);

  auto const began = [](Told const& told) { return told.status == 201 || told.status == 202; };
  expect(std::ranges::count_if(all, began) == 2, "two of the three begin");
  for (Told const& told : all) {
    if (began(told))
      wait_until_told(world, told.text("/id"));
    else
      expect(told.status == 422 && told.code() == "refund_exceeds_captured", "the third does not fit any more");
  }
}

void refund_key_replayed(World& world) {
  RefundRequest request{.key = "refund-1", .payment_id = paid(world), .amount = half};
  Told const first = world.customer.refund(request);
  expect(first.status == 201 && first.state() == "R_SUCCEEDED", "the refund is done");
  for (int i = 0; i < 3; ++i) {
    Told const again = world.customer.refund(request);
    expect(again.status == 200 && again.is_replay, "a repeat is answered as one");
    expect(again.body == first.body, "with the first answer, word for word");
  }
  request.amount = half - 1;
  Told const changed = world.customer.refund(request);
  expect(changed.status == 422 && changed.code() == "idempotency_key_reused" && changed.text("/field") == "amount",
         "another amount under the key is refused by name");
  request.key = "buyer-1";
  expect(world.customer.refund(request).code() == "idempotency_key_reused", "the payment's key is the payment's");
  world.expect_asked_once("refund");
}

void refund_crash_after_call(World& world) {
  RefundRequest const request{.key = "refund-1", .payment_id = paid(world), .amount = half};
  world.rearm("");  // at no point; but all requests go to the service that is going to die
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("query_refund", "drop_before", any_order, 2);
  world.bank->hit("refund", "late", World::order, 1, 5s);
  auto lost = world.backstage.send(world.customer.refund_call_for(request));
  wait_until_given_back(world);
  world.node->kill_now();
  expect(world.customer.hear(lost.get()).status == 0, "the clerk gets no answer");
  world.revive();
  wait_for("the same key finds it done", [&] { return world.customer.refund(request).state() == "R_SUCCEEDED"; });
  world.expect_asked_once("refund");
}

}  // namespace payonce::drill
