// The same thing is asked for more than once: by proxies, queues, impatient buyers, many devices.
#include <fmt/format.h>

#include <algorithm>

#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

constexpr int devices = 20;

}  // namespace

void proxy_resends(World& world) {
  Forwarder& proxy = world.resending_proxy;
  proxy.point_at(world.node->url());
  auto const proxy_url = world.backstage.listen(proxy.handler());
  expect(proxy_url.has_value(), "the proxy can listen");

  HttpCall through_proxy = world.customer.call_for({.key = "buyer-1"});
  through_proxy.url.replace(0, world.node->url().size(), *proxy_url);
  auto const pay = [&] { return world.customer.follow(world.customer.hear(world.backstage.call(through_proxy))); };
  Told const first = pay();
  Told const again = pay();
  expect(first.state() == "SUCCEEDED" && again.state() == "SUCCEEDED", "both times the buyer reads that it is paid");
  auto const answers = proxy.answers();
  expect(answers.size() == 4, "the proxy got four answers");
  for (HttpAnswer const& answer : answers)
    expect(world.customer.hear(answer).payment_id() == first.payment_id(), "all answers are about one payment");
  world.expect_asked_once("create");
}

void queue_redelivers(World& world) {
  PayRequest const command{.key = "command-1", .amount = order_amount};
  Told const first = world.customer.pay(command);
  expect(first.status == 201 && first.state() == "SUCCEEDED", "the command pays");
  PayRequest strict = command;
  strict.prefer = "handling=strict";
  for (PayRequest const& repeat : {command, command, strict}) {
    Told const again = world.customer.pay(repeat);
    expect(again.status == 200 && again.is_replay, "a repeat is answered as one");
    expect(again.body == first.body, "with the first answer, word for word");
  }
  world.expect_asked_once("create");
}

void queue_redelivers_while_running(World& world) {
  world.keep_in_the_dark({.fault = "late", .at_first_call = true});
  Told const first = world.customer.pay_without_waiting("command-1");
  expect(first.status == 202 && !first.is_replay, "the command runs");
  Told const again = world.customer.pay_without_waiting("command-1");
  expect(again.status == 202 && again.is_replay && again.payment_id() == first.payment_id(),
         "a repeat gets the payment");
  Told const strict = world.customer.pay({.key = "command-1", .prefer = "wait=0, handling=strict"});
  expect(strict.status == 409 && strict.code() == "request_in_progress", "who wants it strict gets 409");
  world.customer.insist("command-1");
  world.expect_asked_once("create");
}

void page_silent_a_minute(World& world) {
  world.keep_in_the_dark({.fault = "drop_after", .questions = 6, .at_first_call = true});
  Told const first = world.customer.pay({.key = "visit-1", .prefer = "wait=1"});
  expect(first.status == 202 && first.text("/message/en").contains("do not pay again"), "the page has words to show");
  std::string const id = first.payment_id();

  Told const reload = world.customer.pay_without_waiting("visit-1");
  expect(reload.payment_id() == id && reload.status != 201, "reloading finds the payment");
  Told const second_tab = world.customer.pay_without_waiting("tab-2");
  bool const is_over = second_tab.code() == "order_already_paid";
  expect(second_tab.is_refused_for(id) || is_over, "a second tab can't begin another");
  Told const went_back = world.customer.pay_without_waiting("visit-1");
  expect(went_back.payment_id() == id, "going back finds the payment");

  wait_for("the long poll tells", [&] { return world.customer.look_at_payment(id, 30).state() == "SUCCEEDED"; });
  Told const late_tab = world.customer.pay_without_waiting("tab-2");
  expect(late_tab.status == 409 && late_tab.code() == "order_already_paid", "the tab is told that it is paid");
  world.expect_asked_once("create");
}

void phone_and_computer(World& world) {
  world.bank->hit("create", "late", World::order, 1, Millis{300});
  std::vector<PayRequest> requests;
  for (int device = 1; device <= devices; ++device) requests.push_back({.key = fmt::format("device-{}", device)});
  std::vector<Told> const all = world.customer.pay_all_at_once(requests);

  auto const began = [](Told const& told) { return told.status == 201 || told.status == 202; };
  expect(std::ranges::count_if(all, began) == 1, "exactly one device begins a payment");
  Told const& winner = *std::ranges::find_if(all, began);
  for (Told const& told : all) {
    if (&told == &winner) continue;
    bool const is_paid_already = told.status == 409 && told.code() == "order_already_paid";
    expect(told.is_refused_for(winner.payment_id()) || is_paid_already, "the others are shown that payment");
  }
  world.expect_asked_once("create");
}

void same_key_other_amount(World& world) {
  PayRequest const request{.key = "buyer-1", .amount = order_amount};
  PayRequest other = request;
  other.amount = order_amount + 1000;
  Told const first = world.customer.pay(request);
  expect(first.status == 201, "the first request pays");
  Told const changed = world.customer.pay(other);
  expect(changed.status == 422 && changed.code() == "idempotency_key_reused",
         "another content under the key is refused");
  expect(changed.text("/field") == "amount", "and the difference is named");
  expect(world.customer.pay(request).body == first.body, "the right content still gets its answer");
  world.expect_asked_once("create");
}

}  // namespace payonce::drill
