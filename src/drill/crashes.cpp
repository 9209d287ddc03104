// The service dies by kill -9, and a new one takes its place.
#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

// The service is told to die at this point; it does, under the buyer's request, and comes back.
void pay_and_crash_at(World& world, std::string const& point) {
  world.rearm(point);
  Told const told = world.customer.press({.key = "buyer-1"});
  expect(told.status == 0, "the buyer gets no answer");
  world.node->wait_until_killed();
  world.revive();
}

void same_key_finds_it_paid(World& world) {
  world.customer.insist("buyer-1");
  Told const again = world.customer.pay({.key = "buyer-1"});
  expect(again.status == 200 && again.is_replay && again.state() == "SUCCEEDED", "the same key finds it paid");
  world.expect_asked_once("create");
}

}  // namespace

void crash_before_call(World& world) {
  pay_and_crash_at(world, "before_call");
  expect(world.bank->ledger(World::order).calls_of("create") == 0, "the bank knows nothing yet");
  world.customer.insist("buyer-1");
}

void crash_after_call(World& world) {
  world.bank->hit("create", "late", World::order, 1, 5s);
  auto lost = world.backstage.send(world.customer.call_for({.key = "buyer-1"}));
  wait_for("the bank has charged", [&] { return world.bank->ledger(World::order).charged == 1; });
  world.node->kill_now();
  // Where money moves by a later call, the buyer was answered before.
  bool const is_first_call = world.channel().first_call == "create";
  expect(world.customer.hear(lost.get()).status == 0 || !is_first_call, "the buyer gets no answer");
  world.revive();
  same_key_finds_it_paid(world);
}

void crash_before_save(World& world) {
  // Or the notice might save what the answer could not.
  world.bank->hit("notice", "never", World::order, 20);
  pay_and_crash_at(world, "before_save");
  Ledger const ledger = world.bank->ledger(World::order);
  expect(ledger.calls_of(std::string{world.channel().first_call}) == 1, "the bank has answered");
  expect(ledger.charged == 1 || world.channel().first_call != "create", "the bank has charged");
  same_key_finds_it_paid(world);
}

void crash_after_save_before_reply(World& world) {
  pay_and_crash_at(world, "before_reply");
  same_key_finds_it_paid(world);
}

}  // namespace payonce::drill
