// Recovery meets a crash, the buyer, and itself on another node.
#include <fmt/format.h>

#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

constexpr int orders_for_two_nodes = 10;

}  // namespace

void worker_dies_after_charge(World& world) {
  world.bank->hit("notice", "never", World::order, 20);
  world.bank->hit("create", "drop_before", World::order);
  world.bank->hit("create", "late", World::order, 1, 5s);
  Told const told = world.customer.pay_without_waiting("buyer-1");
  expect(told.status == 202, "the buyer is told that the result is not known yet");
  wait_for("recovery's request is charged", [&] { return world.bank->ledger(World::order).charged == 1; });
  expect(world.bank->ledger(World::order).calls_of("create") == 2, "it was recovery's request");
  world.node->kill_now();
  world.revive();
  world.customer.insist("buyer-1");
  expect(world.customer.look_at_payment(told.payment_id()).state() == "SUCCEEDED", "the payment itself is found paid");
}

void compensation_and_buyer(World& world) {
  world.keep_in_the_dark({.fault = "drop_after", .questions = 6});
  Told const first = world.customer.pay_without_waiting("buyer-1");
  expect(first.status == 202, "the buyer is told that the result is not known yet");
  int round = 0;
  wait_for("the order is paid", [&] {
    auto const all = world.customer.pay_all_at_once(
        {{.key = "buyer-1", .prefer = "wait=0"}, {.key = fmt::format("press-{}", ++round), .prefer = "wait=0"}});
    expect(all[0].payment_id() == first.payment_id() && all[0].is_replay, "the same key finds the payment");
    expect(all[1].status == 409, "a new key can't begin another");
    return all[0].state() == "SUCCEEDED";
  });
  world.expect_asked_once("create");
}

void two_nodes_one_attempt(World& world) {
  // A bank that would charge a repeat is never sent one, so that there its first request is the one that counts.
  std::string_view const fault = world.is_forgetful() ? "drop_after" : "drop_before";
  int const questions_per_order = world.channel().recovery.questions;
  int const requests_per_order = world.is_forgetful() ? 1 : world.channel().recovery.requests;
  world.start_second_node();
  std::vector<std::string> orders;
  for (int i = 1; i <= orders_for_two_nodes; ++i) orders.push_back(fmt::format("order-{}", i));
  // A bank does not know whose number it is asked for, so this can't be said by order.
  world.bank->hit("query", "drop_before", any_order, orders_for_two_nodes);
  for (std::string const& order : orders) {
    world.bank->hit("notice", "never", order, 20);
    world.bank->hit("create", fault, order);
    if (order != World::order)
      expect(world.customer.register_order(order).status == 201, "the order can be registered");
  }
  for (std::string const& order : orders) world.customer.pay_without_waiting("key-of-" + order, order);

  for (std::string const& order : orders) {
    OrderOutcome const outcome = world.settle(order);
    expect(outcome.charges == 1 && outcome.order_state == "PAID", fmt::format("{} is paid once", order));
  }
  // Each due time was taken by one node: one question that was cut, and no more than are needed, per order on average.
  Ledger const all = world.bank->ledger(any_order);
  int const questions = all.calls_of("query");
  int const requests = all.calls_of("create");
  expect(questions == questions_per_order * orders_for_two_nodes,
         fmt::format("the bank is asked {} times per order, in all {}", questions_per_order, questions));
  expect(requests == requests_per_order * orders_for_two_nodes,
         fmt::format("the bank is asked to charge {} times per order, in all {}", requests_per_order, requests));
}

}  // namespace payonce::drill
