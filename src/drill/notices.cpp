// What the bank says by itself: crashed upon, repeated, too early.
#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

// Only the notice can tell: the answer is lost and so are recovery's next questions.
void leave_it_to_the_notice(World& world) {
  world.bank->hit("create", "drop_after", World::order);
  if (world.channel().repeats("create")) world.bank->hit("create", "drop_before", World::order, 6);
  world.bank->hit("query", "drop_before", any_order, 6);
}

void expect_paid_by_notice(World& world) {
  Told const told = world.customer.pay({.key = "buyer-1"});
  expect(told.state() == "SUCCEEDED" && told.text("/evidence") == "notice", "the notice paid the order");
}

}  // namespace

void notice_crash_before_2xx(World& world) {
  leave_it_to_the_notice(world);
  world.rearm("before_ack");
  world.customer.pay_without_waiting("buyer-1");
  world.node->wait_until_killed();
  world.revive();
  wait_for("the notice comes again and is taken", [&] { return world.notices.answered_with_2xx() >= 1; });
  expect(world.notices.answers().size() >= 2, "it came before, too");
  expect_paid_by_notice(world);
}

void notice_ten_parallel(World& world) {
  leave_it_to_the_notice(world);
  world.bank->hit("notice", "ten_parallel", World::order);
  world.customer.pay_without_waiting("buyer-1");
  wait_for("all ten notices are taken", [&] { return world.notices.answered_with_2xx() >= 10; });
  expect_paid_by_notice(world);
}

void notice_before_create_answer(World& world) {
  // Two, since where the buyer agrees first that is told, too.
  world.bank->hit("notice", "early", World::order, 2, 200ms);
  Told const told = world.customer.pay({.key = "buyer-1"});
  expect(told.state() == "SUCCEEDED", "the buyer reads that it is paid");
  wait_for("the notice is taken", [&] { return world.notices.answered_with_2xx() >= 1; });
  expect_paid_by_notice(world);
}

}  // namespace payonce::drill
