#include "sandbox/bank.h"

#include <gtest/gtest.h>

namespace payonce::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr Time start{std::chrono::milliseconds{1'760'000'000'000}};

class BankTest : public testing::Test {
 protected:
  CreateCharge charge_request(std::string method = "card", std::string number = "pay_1") {
    return {.number = std::move(number),
            .order = "A1",
            .amount_minor = 1999,
            .currency = "USD",
            .method = std::move(method),
            .expires_at = start + 15min,
            .forced_method = {}};
  }
  CreateRefund refund_request(std::string number, std::int64_t amount) {
    return {.number = std::move(number),
            .charge_number = "pay_1",
            .amount_minor = amount,
            .currency = "USD",
            .reason = "returned",
            .forced_decline = false};
  }
  ChargeState state_of(std::string_view number = "pay_1") { return bank.query(number).charge.state; }

  SeededRandom random{1};
  Bank bank{BankRules{}, random};
};

class ForgetfulBankTest : public BankTest {
 protected:
  ForgetfulBankTest() : forgetful(BankRules{.forgetful = true}, random) {}
  Bank forgetful;
};

TEST_F(BankTest, a_declined_charge_can_be_paid_by_another_method_and_only_once) {
  bank.create(charge_request("decline"), start);
  EXPECT_EQ(bank.pay("pay_1", "card", start).charge.state, ChargeState::succeeded);
  EXPECT_EQ(bank.pay("pay_1", "card", start).charge.state, ChargeState::succeeded);
  EXPECT_EQ(bank.refundable("pay_1"), 1999);
  EXPECT_EQ(bank.charges().size(), 1u);
}

TEST_F(BankTest, an_abandoned_charge_never_succeeds) {
  bank.create(charge_request("decline_then_succeed"), start);
  bank.abandon("pay_1");
  bank.settle_due(start + 1s);
  EXPECT_EQ(state_of(), ChargeState::closed);
  EXPECT_EQ(bank.pay("pay_1", "card", start).charge.state, ChargeState::closed);
  bank.create(charge_request("card", "pay_2"), start);
  EXPECT_EQ(bank.abandon("pay_2").charge.state, ChargeState::succeeded);
}

TEST_F(BankTest, the_method_decides_what_a_charge_becomes) {
  struct Row {
    std::string method;
    ChargeState state;
    std::string code;
  };
  Row const rows[] = {
      {"", ChargeState::succeeded, ""},
      {"card", ChargeState::succeeded, ""},
      {"tok_a", ChargeState::succeeded, ""},
      {"decline", ChargeState::declined, "card_declined"},
      {"decline_then_succeed", ChargeState::declined, "card_declined"},
      {"pending", ChargeState::pending, ""},
      {"approve", ChargeState::requires_action, ""},
      {"barter", ChargeState::declined, "unknown_method"},
  };
  int count = 0;
  for (Row const& row : rows) {
    auto const reply = bank.create(charge_request(row.method, "pay_" + std::to_string(++count)), start);
    EXPECT_EQ(reply.verdict, Verdict::done);
    EXPECT_EQ(reply.charge.state, row.state) << row.method;
    EXPECT_EQ(reply.charge.code, row.code) << row.method;
    EXPECT_TRUE(reply.charge.id.starts_with("ch_"));
  }
  EXPECT_EQ(bank.charges().size(), std::size(rows));
}

TEST_F(BankTest, the_merchant_is_told_of_ends_only) {
  std::pair<std::string, bool> const rows[] = {
      {"card", true}, {"decline", true}, {"pending", false}, {"approve", false}};
  for (auto const& [method, told] : rows) {
    bank.create(charge_request(method, "pay_" + method), start);
    auto const changes = bank.take_changes();
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].notify, told) << method;
    EXPECT_EQ(std::get<Charge>(changes[0].row).method, method);
  }
  EXPECT_TRUE(bank.take_changes().empty());
}

TEST_F(BankTest, a_number_charges_once_however_often_it_comes) {
  auto const first = bank.create(charge_request(), start);
  auto const second = bank.create(charge_request(), start + 1h);
  EXPECT_EQ(second.verdict, Verdict::done);
  EXPECT_EQ(first.charge, second.charge);
  EXPECT_EQ(bank.charges().size(), 1u);
  EXPECT_EQ(bank.take_changes().size(), 1u);
}

TEST_F(BankTest, a_number_with_other_content_is_refused_and_the_field_named) {
  bank.create(charge_request(), start);
  auto const with = [&](std::string_view field, auto change) {
    CreateCharge request = charge_request();
    change(request);
    auto const reply = bank.create(request, start);
    EXPECT_EQ(reply.verdict, Verdict::number_reused) << field;
    EXPECT_EQ(reply.field, field);
  };
  with("order", [](CreateCharge& request) { request.order = "A2"; });
  with("amount", [](CreateCharge& request) { request.amount_minor += 1; });
  with("currency", [](CreateCharge& request) { request.currency = "EUR"; });
  with("method", [](CreateCharge& request) { request.method = "tok_a"; });
  with("expires_at", [](CreateCharge& request) { request.expires_at = start + 16min; });
  EXPECT_EQ(bank.charges().size(), 1u);
}

TEST_F(BankTest, pending_succeeds_by_itself_and_not_before_its_time) {
  bank.create(charge_request("pending"), start);
  EXPECT_EQ(bank.next_due(), start + 300ms);
  bank.settle_due(start + 299ms);
  EXPECT_EQ(state_of(), ChargeState::pending);
  bank.take_changes();
  bank.settle_due(start + 300ms);
  EXPECT_EQ(state_of(), ChargeState::succeeded);
  auto const changes = bank.take_changes();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_TRUE(changes[0].notify);
  bank.settle_due(start + 24h);
  EXPECT_TRUE(bank.take_changes().empty());
}

TEST_F(BankTest, decline_then_succeed_answers_declined_and_takes_the_money_later) {
  EXPECT_EQ(bank.create(charge_request("decline_then_succeed"), start).charge.state, ChargeState::declined);
  EXPECT_EQ(bank.close("pay_1").charge.state, ChargeState::declined);
  bank.settle_due(start + 300ms);
  EXPECT_EQ(state_of(), ChargeState::succeeded);
  EXPECT_EQ(bank.query("pay_1").charge.code, "");
}

TEST_F(BankTest, a_fault_overrides_the_method_but_not_what_the_number_stands_for) {
  CreateCharge request = charge_request("card");
  request.forced_method = "decline";
  EXPECT_EQ(bank.create(request, start).charge.state, ChargeState::declined);
  auto const repeated = bank.create(charge_request("card"), start);
  EXPECT_EQ(repeated.verdict, Verdict::done);
  EXPECT_EQ(repeated.charge.state, ChargeState::declined);
}

TEST_F(BankTest, closing_an_unknown_number_bars_it_for_ever) {
  auto const closed = bank.close("pay_1");
  EXPECT_EQ(closed.charge.state, ChargeState::closed);
  EXPECT_EQ(closed.charge.id, "");
  auto const changes = bank.take_changes();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(std::get<BarredNumber>(changes[0].row).number, "pay_1");
  EXPECT_FALSE(changes[0].notify);

  auto const refused = bank.create(charge_request(), start);
  EXPECT_EQ(refused.verdict, Verdict::number_closed);
  EXPECT_EQ(refused.charge.state, ChargeState::closed);
  EXPECT_EQ(state_of(), ChargeState::closed);
  EXPECT_TRUE(bank.charges().empty());
  bank.close("pay_1");
  EXPECT_TRUE(bank.take_changes().empty());
}

TEST_F(BankTest, closing_ends_what_is_open) {
  for (std::string const method : {"pending", "approve"}) {
    bank.create(charge_request(method, "pay_" + method), start);
    EXPECT_EQ(bank.close("pay_" + method).charge.state, ChargeState::closed);
    bank.settle_due(start + 24h);
    EXPECT_EQ(state_of("pay_" + method), ChargeState::closed);
    EXPECT_EQ(bank.create(charge_request(method, "pay_" + method), start).verdict, Verdict::number_closed);
  }
  EXPECT_EQ(bank.approve("pay_approve").charge.state, ChargeState::closed);
}

TEST_F(BankTest, closing_what_ended_says_how_it_ended) {
  bank.create(charge_request("card", "pay_paid"), start);
  bank.create(charge_request("decline", "pay_declined"), start);
  bank.take_changes();
  EXPECT_EQ(bank.close("pay_paid").charge.state, ChargeState::succeeded);
  EXPECT_EQ(bank.close("pay_declined").charge.state, ChargeState::declined);
  EXPECT_TRUE(bank.take_changes().empty());
  EXPECT_EQ(bank.create(charge_request("card", "pay_paid"), start).verdict, Verdict::done);
}

TEST_F(BankTest, an_open_charge_expires_and_a_late_request_is_declined) {
  bank.create(charge_request("approve"), start);
  bank.settle_due(start + 15min);
  EXPECT_EQ(state_of(), ChargeState::closed);
  EXPECT_EQ(bank.query("pay_1").charge.code, "expired");

  auto const late = bank.create(charge_request("card", "pay_2"), start + 15min);
  EXPECT_EQ(late.charge.state, ChargeState::declined);
  EXPECT_EQ(late.charge.code, "expired");
}

TEST_F(BankTest, the_buyer_decides_once) {
  bank.create(charge_request("approve", "pay_1"), start);
  bank.create(charge_request("approve", "pay_2"), start);
  EXPECT_EQ(bank.approve("pay_1").charge.state, ChargeState::succeeded);
  EXPECT_EQ(bank.refuse("pay_1").charge.state, ChargeState::succeeded);
  EXPECT_EQ(bank.refuse("pay_2").charge.code, "buyer_refused");
  EXPECT_EQ(bank.approve("pay_2").charge.state, ChargeState::declined);
  EXPECT_EQ(bank.approve("pay_3").verdict, Verdict::not_found);
}

TEST_F(BankTest, refunds_never_exceed_the_charge) {
  bank.create(charge_request(), start);
  EXPECT_EQ(bank.refund(refund_request("ref_1", 1500), start).refund.state, RefundState::succeeded);
  auto const too_much = bank.refund(refund_request("ref_2", 500), start).refund;
  EXPECT_EQ(too_much.state, RefundState::declined);
  EXPECT_EQ(too_much.code, "exceeds_charge");
  EXPECT_EQ(bank.refund(refund_request("ref_3", 499), start).refund.state, RefundState::succeeded);
  EXPECT_EQ(bank.refund(refund_request("ref_4", 1), start).refund.code, "exceeds_charge");
  EXPECT_EQ(bank.refunds().size(), 4u);
}

TEST_F(BankTest, a_refund_number_refunds_once) {
  bank.create(charge_request(), start);
  auto const first = bank.refund(refund_request("ref_1", 999), start);
  EXPECT_EQ(bank.refund(refund_request("ref_1", 999), start + 1h).refund, first.refund);
  EXPECT_EQ(bank.refunds().size(), 1u);
  auto const other = bank.refund(refund_request("ref_1", 998), start);
  EXPECT_EQ(other.verdict, Verdict::number_reused);
  EXPECT_EQ(other.field, "amount");
  EXPECT_EQ(bank.query_refund("ref_1").refund, first.refund);
  EXPECT_EQ(bank.query_refund("ref_2").verdict, Verdict::not_found);
}

TEST_F(BankTest, only_money_that_moved_is_given_back) {
  EXPECT_EQ(bank.refund(refund_request("ref_1", 1), start).verdict, Verdict::not_found);
  bank.create(charge_request("decline"), start);
  EXPECT_EQ(bank.refund(refund_request("ref_1", 1), start).refund.code, "charge_not_succeeded");
  bank.create(charge_request("card", "pay_2"), start);
  CreateRefund other_currency = refund_request("ref_2", 1);
  other_currency.charge_number = "pay_2";
  other_currency.currency = "EUR";
  EXPECT_EQ(bank.refund(other_currency, start).refund.code, "currency_mismatch");
}

TEST_F(BankTest, restoring_its_rows_gives_the_same_bank) {
  bank.create(charge_request("pending", "pay_1"), start);
  bank.create(charge_request("card", "pay_2"), start);
  bank.close("pay_3");
  CreateRefund request = refund_request("ref_1", 5);
  request.charge_number = "pay_2";
  bank.refund(request, start);
  auto rows = bank.take_changes();
  bank.settle_due(start + 300ms);
  auto const later = bank.take_changes();

  Bank restored{BankRules{}, random};
  auto const restore = [&](Change const& change) { std::visit([&](auto row) { restored.restore(row); }, change.row); };
  for (Change const& change : rows) restore(change);
  EXPECT_EQ(restored.next_due(), start + 300ms);
  for (Change const& change : later) restore(change);
  EXPECT_EQ(restored.charges(), bank.charges());
  EXPECT_EQ(restored.refunds(), bank.refunds());
  EXPECT_EQ(restored.barred_numbers(), std::vector<std::string>{"pay_3"});
  restored.settle_due(start + 24h);
  EXPECT_TRUE(restored.take_changes().empty());
  EXPECT_EQ(restored.order_of_charge("pay_2"), "A1");
  EXPECT_EQ(restored.order_of_refund("ref_1"), "A1");
}

TEST_F(ForgetfulBankTest, every_request_is_a_further_real_charge) {
  auto const first = forgetful.create(charge_request(), start).charge;
  auto const second = forgetful.create(charge_request(), start + 1s).charge;
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(forgetful.charges().size(), 2u);
  EXPECT_EQ(forgetful.query("pay_1").charge.id, second.id);
}

TEST_F(ForgetfulBankTest, closing_bars_the_number_and_never_hides_money_that_moved) {
  forgetful.create(charge_request("card"), start);
  forgetful.create(charge_request("decline"), start);
  EXPECT_EQ(forgetful.close("pay_1").charge.state, ChargeState::succeeded);
  auto const again = forgetful.create(charge_request("card"), start);
  EXPECT_EQ(again.verdict, Verdict::done);
  EXPECT_EQ(again.charge.state, ChargeState::succeeded);
  EXPECT_EQ(forgetful.charges().size(), 2u);

  forgetful.create(charge_request("decline", "pay_2"), start);
  EXPECT_EQ(forgetful.close("pay_2").charge.state, ChargeState::declined);
  EXPECT_EQ(forgetful.create(charge_request("card", "pay_2"), start).charge.state, ChargeState::declined);
}

TEST_F(ForgetfulBankTest, refunds_may_reach_the_sum_of_all_charges_of_the_number) {
  forgetful.create(charge_request(), start);
  forgetful.create(charge_request(), start);
  EXPECT_EQ(forgetful.refund(refund_request("ref_1", 3998), start).refund.state, RefundState::succeeded);
  EXPECT_EQ(forgetful.refund(refund_request("ref_2", 1), start).refund.code, "exceeds_charge");
}

}  // namespace
}  // namespace payonce::sandbox
