// Holds at the bank: money that only captures move.
#include <gtest/gtest.h>

#include "sandbox/bank.h"

namespace payonce::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr Time start{std::chrono::milliseconds{1'760'000'000'000}};

class BankHoldsTest : public testing::Test {
 protected:
  ChargeReply hold(std::string method = "card") {
    CreateCharge request{.number = "pay_1",
                         .order = "A1",
                         .amount_minor = 1999,
                         .currency = "USD",
                         .method = std::move(method),
                         .expires_at = start + 15min};
    request.holds = true;
    return bank.create(request, start);
  }
  CaptureReply capture(std::string number, std::int64_t amount, bool is_final = true) {
    return bank.capture({.number = std::move(number),
                         .charge_number = "pay_1",
                         .amount_minor = amount,
                         .currency = "USD",
                         .is_final = is_final},
                        start);
  }
  Charge charge() { return bank.query("pay_1").charge; }

  SeededRandom random{1};
  Bank bank{BankRules{}, random};
};

TEST_F(BankHoldsTest, a_hold_moves_no_money_until_it_is_captured) {
  EXPECT_EQ(hold().charge.state, ChargeState::authorized);
  EXPECT_EQ(taken_minor(charge()), 0);
  EXPECT_EQ(capture("cap_1", 1500).capture.state, CaptureState::succeeded);
  EXPECT_EQ(charge().state, ChargeState::succeeded);
  EXPECT_EQ(told_minor(charge()), 1500) << "the rest is let go";
  EXPECT_EQ(bank.refundable("pay_1"), 1500);
  EXPECT_EQ(capture("cap_2", 1).capture.code, "charge_not_held");
}

TEST_F(BankHoldsTest, the_same_number_captures_once) {
  hold();
  capture("cap_1", 500, false);
  EXPECT_EQ(capture("cap_1", 500, false).verdict, Verdict::done);
  EXPECT_EQ(taken_minor(charge()), 500);
  EXPECT_EQ(capture("cap_1", 501, false).verdict, Verdict::number_reused);
  EXPECT_EQ(bank.query_capture("cap_1").capture.amount_minor, 500);
  EXPECT_EQ(bank.query_capture("cap_2").verdict, Verdict::not_found);
}

TEST_F(BankHoldsTest, captures_never_pass_the_hold) {
  hold();
  capture("cap_1", 1500, false);
  EXPECT_EQ(capture("cap_2", 500, false).capture.code, "exceeds_hold");
  EXPECT_EQ(capture("cap_3", 499, false).capture.state, CaptureState::succeeded);
  EXPECT_EQ(charge().state, ChargeState::succeeded) << "nothing is left";
}

TEST_F(BankHoldsTest, closing_gives_up_what_is_left) {
  hold();
  EXPECT_EQ(bank.close("pay_1").charge.state, ChargeState::closed);
  EXPECT_EQ(capture("cap_1", 1).capture.state, CaptureState::declined);
}

TEST_F(BankHoldsTest, closing_after_a_capture_completes_the_charge) {
  hold();
  capture("cap_1", 500, false);
  EXPECT_EQ(bank.close("pay_1").charge.state, ChargeState::succeeded);
  EXPECT_EQ(told_minor(charge()), 500);
}

TEST_F(BankHoldsTest, a_hold_ends_by_itself_and_outlives_the_time_to_pay) {
  hold();
  bank.settle_due(start + 15min);
  EXPECT_EQ(charge().state, ChargeState::authorized);
  bank.settle_due(start + 8 * 24h);
  EXPECT_EQ(charge().state, ChargeState::closed);
  EXPECT_EQ(charge().code, "hold_expired");
}

TEST_F(BankHoldsTest, a_short_hold_ends_soon) {
  hold("short_hold");
  ASSERT_TRUE(bank.next_due());
  bank.settle_due(start + 1s);
  EXPECT_EQ(charge().state, ChargeState::closed);
}

TEST_F(BankHoldsTest, what_a_buyer_approves_is_held_too) {
  EXPECT_EQ(hold("approve").charge.state, ChargeState::requires_action);
  EXPECT_EQ(bank.approve("pay_1").charge.state, ChargeState::authorized);
}

}  // namespace
}  // namespace payonce::sandbox
