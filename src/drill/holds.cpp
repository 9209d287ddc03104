// Money is held first, and captured or given up. Each has an order of its own; the other order is paid as any.
#include <algorithm>

#include <fmt/format.h>

#include "drill/failure.h"
#include "drill/patience.h"

namespace payonce::drill {

namespace {

using namespace std::chrono_literals;

constexpr char const* held_order = "order-held";
constexpr std::int64_t parcel = 1500;

std::string held(World& world) {
  world.customer.register_order(held_order, order_amount, {.is_held = true});
  Told const told = world.customer.pay({.key = "hold", .order = held_order});
  expect(told.state() == "AUTHORIZED", "the money is held");
  expect(world.bank->ledger(held_order).charged == 0, "and nothing is charged");
  return told.payment_id();
}

void expect_end(World& world, std::string_view state, std::int64_t paid) {
  OrderOutcome const outcome = world.settle(held_order);
  expect(outcome.order_state == state, fmt::format("the order is {}", state));
  expect(outcome.effects == (paid > 0 ? 3 : 0), "its effects are there once, if money came");
  expect(world.customer.look_at_order(held_order).json.at("paid").as_int64() == paid, "the books say what came");
  expect(world.bank->ledger(held_order).charged_minor == paid, "and so does the bank");
  world.customer.insist("buyer-1");
}

}  // namespace

void capture_response_lost(World& world) {
  CaptureRequest const request{.key = "parcel", .payment_id = held(world), .amount = parcel, .prefer = "wait=0"};
  world.bank->hit("notice", "never", held_order, 20);
  world.bank->hit("query_capture", "drop_before", held_order, 3);
  world.bank->hit("capture", "late", held_order);
  Told const first = world.customer.capture(request);
  expect(first.status == 202, "the shop is told that the result is not known yet");
  Told const again = world.customer.capture(request);
  expect(again.is_replay && again.text("/id") == first.text("/id"), "the same key finds the capture");
  wait_for("the capture is known to be done",
           [&] { return world.customer.look_at_capture(first.text("/id"), 1).state() == "C_SUCCEEDED"; });
  expect(world.bank->ledger(held_order).calls_of("capture") == 1, "the bank was asked to capture once");
  expect_end(world, "PAID", parcel);
}

void captures_at_once(World& world) {
  std::string const payment = held(world);
  world.bank->hit("capture", "late", held_order, 1, 200ms);
  std::vector<CaptureRequest> requests;
  for (int i = 0; i < 8; ++i)
    requests.push_back({.key = fmt::format("parcel-{}", i), .payment_id = payment, .amount = parcel});
  int begun = 0;
  for (Told const& told : world.customer.capture_all_at_once(requests)) {
    bool const is_refused = told.code() == "capture_in_progress" || told.code() == "payment_not_capturable";
    expect(is_refused || told.status == 201 || told.status == 202, "each is begun or told what stands in its way");
    begun += !is_refused;
  }
  expect(begun == 1, "one of them is begun");
  expect_end(world, "PAID", parcel);
}

void capture_and_void(World& world) {
  std::string const payment = held(world);
  auto capturing =
      world.backstage.send(world.customer.capture_call_for({.key = "parcel", .payment_id = payment, .amount = parcel}));
  auto canceling = world.backstage.send(world.customer.cancel_call_for(payment));
  Told const captured = world.customer.hear(capturing.get());
  Told const canceled = world.customer.hear(canceling.get());
  wait_for("the payment has ended", [&] {
    std::string const state = world.customer.look_at_payment(payment).state();
    return state == "SUCCEEDED" || state == "CANCELED";
  });
  bool const is_paid = world.customer.look_at_payment(payment).state() == "SUCCEEDED";
  expect(is_paid == (captured.status < 400), "whoever was refused was told so");
  expect(!is_paid || canceled.status == 409, "and so was the other");
  // Given up, the order can be paid again.
  if (!is_paid) {
    Told const anew = world.customer.pay({.key = "hold-2", .order = held_order});
    world.customer.capture({.key = "parcel-2", .payment_id = anew.payment_id(), .amount = parcel});
  }
  expect_end(world, "PAID", parcel);
}

void hold_ends_under_a_capture(World& world) {
  world.bank->hit("create", "short_hold", held_order);
  std::string const payment = held(world);
  world.bank->hit("notice", "never", held_order, 20);
  world.bank->hit("capture", "late_before", held_order, 1, 1s);
  world.customer.capture({.key = "parcel", .payment_id = payment, .amount = parcel, .prefer = "wait=0"});
  wait_for("the payment is proven to be without money",
           [&] { return world.customer.look_at_payment(payment).state() == "FAILED"; });
  Told const anew = world.customer.pay({.key = "hold-2", .order = held_order});
  expect(anew.state() == "AUTHORIZED", "the order can be paid again");
  world.customer.capture({.key = "parcel-2", .payment_id = anew.payment_id(), .amount = parcel});
  expect_end(world, "PAID", parcel);
}

}  // namespace payonce::drill
