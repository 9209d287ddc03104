// Money that is held: how an order tells of it, and what is sent to hold it, to capture it and to let it go.
#include "provider/paypal/holds.h"

#include <boost/json.hpp>

#include "provider/paypal/classify.h"
#include "provider/paypal/notice.h"
#include "provider/paypal/provider_fixture_test.h"

namespace payonce {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One capture of an order, in the order's list.
struct Part {
  std::string status = "COMPLETED";
  std::string value = "15.00";
  bool is_final = true;
  std::string invoice = capture_id(1).value;
};

std::string capture_json(Part const& part, int n) {
  return fmt::format(R"({{"id":"C{}","status":"{}","amount":{{"value":"{}","currency_code":"USD"}},)"
                     R"("final_capture":{},"invoice_id":"{}"}})",
                     n, part.status, part.value, part.is_final, part.invoice);
}

std::string refund_json(std::string_view id, std::string_view capture, std::string_view value) {
  return fmt::format(R"({{"id":"R-{0}","status":"COMPLETED","amount":{{"value":"{2}","currency_code":"USD"}},)"
                     R"("invoice_id":"{0}","links":[{{"rel":"up","href":"https://x/captures/{1}"}}]}})",
                     id, capture, value);
}

std::string order_text(std::string_view status, std::vector<Part> const& parts = {}, std::string const& refunds = "") {
  std::string captures;
  int n = 0;
  for (Part const& part : parts) captures += (captures.empty() ? "" : ",") + capture_json(part, ++n);
  return fmt::format(
      R"({{"id":"O1","intent":"AUTHORIZE","status":"COMPLETED","purchase_units":[{{"custom_id":"{}","payments":{{)"
      R"("authorizations":[{{"id":"A1","status":"{}","amount":{{"value":"19.99","currency_code":"USD"}},)"
      R"("expiration_time":"{}"}}],"captures":[{}],"refunds":[{}]}}}}]}})",
      attempt_id(1).value, status, to_rfc3339(test_start + 24h), captures, refunds);
}

Answer hold_in(std::string_view status, std::vector<Part> const& parts = {}, Time now = test_start) {
  return paypal::read_order(*paypal::parse_object(order_text(status, parts)), now, test_start - 1h);
}

TEST(PaypalHold, IsHeldUntilItIsOver) {
  Answer const held = hold_in("CREATED");
  EXPECT_EQ(held.outcome, Outcome::authorized) << "long after the buyer's time, too";
  EXPECT_EQ(held.amount, usd(1999));
  EXPECT_EQ(held.hold_until, test_start + 24h);
  EXPECT_EQ(held.provider_ref, "O1");
  for (auto const& [status, outcome] : {std::pair{"PENDING", Outcome::pending}, std::pair{"VOIDED", Outcome::declined},
                                        std::pair{"DENIED", Outcome::declined}, std::pair{"EXPIRED", Outcome::declined},
                                        std::pair{"CAPTURED", Outcome::in_doubt}, std::pair{"NEW", Outcome::in_doubt},
                                        std::pair{"", Outcome::in_doubt}})
    EXPECT_EQ(hold_in(status).outcome, outcome) << status;
}

TEST(PaypalHold, IsOverByItsOwnTimeAndNotBefore) {
  Time const end = test_start + 24h + paypal::settling;
  EXPECT_EQ(hold_in("CREATED", {}, end).outcome, Outcome::authorized);
  EXPECT_EQ(hold_in("CREATED", {}, end + 1ms).outcome, Outcome::declined);
  EXPECT_EQ(hold_in("PARTIALLY_CAPTURED", {{.is_final = false}}, end + 1ms).amount, usd(1500));
  EXPECT_EQ(hold_in("NEW", {}, end + 1ms).outcome, Outcome::in_doubt);
}

TEST(PaypalHold, BringsTheSumOfItsCapturesOnceTheLastIsMade) {
  Part const first{.value = "5.00", .is_final = false, .invoice = "other"};
  EXPECT_EQ(hold_in("PARTIALLY_CAPTURED", {first}).outcome, Outcome::authorized) << "more may follow";
  Answer const all = hold_in("PARTIALLY_CAPTURED", {first, {.value = "10.00"}});
  EXPECT_EQ(all.outcome, Outcome::succeeded);
  EXPECT_EQ(all.amount, usd(1500));
  EXPECT_EQ(hold_in("VOIDED", {first}).amount, usd(500)) << "the rest was given up";
  EXPECT_EQ(hold_in("PARTIALLY_CAPTURED", {{.status = "DECLINED"}}).outcome, Outcome::authorized)
      << "a capture that was refused ends nothing";
  EXPECT_EQ(hold_in("CAPTURED", {first, {.status = "PENDING"}}).outcome, Outcome::pending);
  EXPECT_EQ(hold_in("CAPTURED", {first, {.status = "NEW"}}).outcome, Outcome::in_doubt);
  EXPECT_EQ(hold_in("CAPTURED", {{.value = "1,5"}}).outcome, Outcome::in_doubt);
  EXPECT_NE(hold_in("CAPTURED", {{.status = "REFUNDED"}}).misfit, "");
}

// Several captures, of which the refund may be of one.
TEST(PaypalHold, ARefundIsOfACaptureThatHasEnoughLeft) {
  std::vector<Part> const parts{{.value = "5.00"}, {.value = "9.00"}, {.value = "5.99"}};
  auto const target = [&](std::int64_t minor, std::string const& refunds = "") {
    return paypal::target_of(*paypal::parse_object(order_text("CAPTURED", parts, refunds)),
                             {.id = refund_id(1), .amount = usd(minor)});
  };
  EXPECT_EQ(target(500).capture_id, "C1");
  EXPECT_EQ(target(500).request_id, refund_id(1).value);
  EXPECT_EQ(target(501).capture_id, "C2");
  EXPECT_EQ(target(501).request_id, refund_id(1).value + "-2") << "PayPal may know a request id by itself alone";
  EXPECT_EQ(target(501, refund_json("ref_x", "C2", "4.00")).capture_id, "C3");
  EXPECT_EQ(target(901).capture_id, "");
  EXPECT_EQ(target(500, refund_json("ref_x", "C1", "0.01")).capture_id, "C2");
}

class PaypalHoldsTest : public PaypalProviderTest {
 protected:
  void answer(std::string body, int status = 200) {
    client.answers.push_back(ScriptedClient::answered(status, std::move(body)));
  }
  std::vector<std::string> sent() const {
    std::vector<std::string> lines;
    for (HttpCall const& call : client.calls) lines.push_back(call.method + call.url.substr(call.url.find("/v2")));
    return lines;
  }
};

TEST_F(PaypalHoldsTest, AnOrderIsMadeToHoldIfItIsToBeCapturedByHand) {
  Charge charge{attempt_id(1), OrderId{"A1"}, usd(1999), "", test_start};
  EXPECT_THAT(provider->terms().write_create(charge), HasSubstr(R"("intent":"CAPTURE")"));
  charge.capture = CaptureMode::manual;
  EXPECT_THAT(provider->terms().write_create(charge), HasSubstr(R"("intent":"AUTHORIZE")"));
}

TEST_F(PaypalHoldsTest, HoldsWhatTheBuyerAgreedToAndNeverTakesIt) {
  answer(
      fmt::format(R"({{"id":"O1","intent":"AUTHORIZE","status":"APPROVED","purchase_units":[{{"custom_id":"{}"}}]}})",
                  attempt_id(1).value));
  answer(order_text("CREATED"), 201);
  EXPECT_EQ(make(call_of(CallKind::query)).outcome, Outcome::authorized);
  EXPECT_THAT(sent(), ElementsAre("GET/v2/checkout/orders/O1", "POST/v2/checkout/orders/O1/authorize"));
  EXPECT_EQ(find_header(client.calls[1].headers, "PayPal-Request-Id"), attempt_id(1).value + "-authorize-4");
}

TEST_F(PaypalHoldsTest, ACaptureSaysWhetherItIsTheLast) {
  Attempt const attempt = call_of(CallKind::query).attempt;
  Capture capture{.id = capture_id(1), .amount = usd(1500), .is_final = false};
  EXPECT_EQ(provider->terms().write_capture(capture, attempt),
            R"({"amount":{"currency_code":"USD","value":"15.00"},"invoice_id":")" + capture_id(1).value +
                R"(","final_capture":false})");
  capture.is_final = true;
  EXPECT_THAT(provider->terms().write_capture(capture, attempt), HasSubstr(R"("final_capture":true)"));
}

TEST_F(PaypalHoldsTest, ACaptureIsOfTheAuthorizationAndUnderItsOwnNumber) {
  answer(order_text("CREATED"));
  answer(capture_json({}, 1), 201);
  Answer const taken = make(call_of(CallKind::capture));
  EXPECT_EQ(taken.outcome, Outcome::succeeded);
  EXPECT_EQ(taken.amount, usd(1500));
  EXPECT_EQ(taken.provider_ref, "C1");
  EXPECT_THAT(sent(), ElementsAre("GET/v2/checkout/orders/O1", "POST/v2/payments/authorizations/A1/capture"));
  EXPECT_EQ(find_header(client.calls[1].headers, "PayPal-Request-Id"), capture_id(1).value);
  EXPECT_EQ(client.calls[1].body, "{}") << "as it was stored";
  answer("{}", 500);
  EXPECT_EQ(make(call_of(CallKind::capture)).outcome, Outcome::not_sent) << "PayPal did not say of what";
}

TEST_F(PaypalHoldsTest, ACaptureInDoubtIsLookedForInTheOrder) {
  answer(order_text("PARTIALLY_CAPTURED", {{.value = "5.00", .invoice = "other"}, {}}));
  EXPECT_EQ(make(call_of(CallKind::query_capture)).amount, usd(1500));
  answer(order_text("CREATED"));
  EXPECT_EQ(make(call_of(CallKind::query_capture)).outcome, Outcome::not_found);
  clock.passed = 40 * 24h;
  answer(order_text("CREATED"));
  EXPECT_EQ(make(call_of(CallKind::query_capture)).outcome, Outcome::in_doubt) << "PayPal may have forgotten its id";
}

TEST_F(PaypalHoldsTest, AHoldIsLetGoAndTheOrderTellsWhetherItWas) {
  answer(order_text("CREATED"));
  answer("", 204);
  answer(order_text("VOIDED"));
  EXPECT_EQ(make(call_of(CallKind::close)).outcome, Outcome::declined);
  EXPECT_THAT(sent(), ElementsAre("GET/v2/checkout/orders/O1", "POST/v2/payments/authorizations/A1/void",
                                  "GET/v2/checkout/orders/O1"));
  answer(order_text("CREATED"));
  answer(R"({"details":[{"issue":"PREVIOUSLY_CAPTURED"}]})", 422);
  answer(order_text("CAPTURED", {{.value = "19.99"}}));
  EXPECT_EQ(make(call_of(CallKind::close)).outcome, Outcome::succeeded) << "already paid wins";
}

TEST_F(PaypalHoldsTest, WhatIsOverIsNotLetGoAgain) {
  answer(order_text("VOIDED"));
  EXPECT_EQ(make(call_of(CallKind::close)).outcome, Outcome::declined);
  EXPECT_EQ(client.calls.size(), 1U);
}

TEST_F(PaypalHoldsTest, ARefundThatTheOrderShowsIsNotSentAgain) {
  answer(order_text("CAPTURED", {{}}, refund_json(refund_id(1).value, "C1", "5.00")));
  EXPECT_EQ(make(call_of(CallKind::refund)).outcome, Outcome::succeeded);
  EXPECT_EQ(client.calls.size(), 1U);
}

TEST_F(PaypalHoldsTest, ARefundThatNoCaptureCanGiveIsRefusedUnlessItWasSentBefore) {
  ProviderCall call = call_of(CallKind::refund);
  call.refund->amount = usd(1600);
  answer(order_text("CAPTURED", {{.value = "5.00"}, {.value = "14.99"}}));
  EXPECT_EQ(make(call).outcome, Outcome::declined);
  call.refund->tries = 1;
  answer(order_text("CAPTURED", {{.value = "5.00"}, {.value = "14.99"}}));
  EXPECT_EQ(make(call).outcome, Outcome::in_doubt);
  EXPECT_EQ(client.calls.size(), 2U) << "nothing but the questions";
}

TEST_F(PaypalHoldsTest, SeveralCapturesAreTheAccountsToAllow) {
  EXPECT_EQ(provider->terms().captures_max, 1);
  settings.options["captures"] = {"several"};
  auto const generous = std::move(*make_paypal_provider(settings, {client, loop, clock, random}));
  EXPECT_EQ(generous->terms().captures_max, 10);
}

TEST(PaypalHoldEvent, TellsOfTheHoldAndLetsTheOrderTellOfItsCaptures) {
  auto const read = [](std::string_view type, std::string const& resource) {
    return *paypal::parse_event(
        fmt::format(R"({{"id":"WH-1","event_type":"PAYMENT.{}","resource":{}}})", type, resource));
  };
  std::string const held = R"({"id":"A1","status":"CREATED","amount":{"value":"19.99","currency_code":"USD"},)"
                           R"("expiration_time":"2026-01-05T10:00:00Z","custom_id":")" +
                           attempt_id(1).value + "\"}";
  Notice const created = read("AUTHORIZATION.CREATED", held);
  EXPECT_EQ(created.number, attempt_id(1).value);
  EXPECT_EQ(created.answer.outcome, Outcome::authorized);
  EXPECT_EQ(created.answer.amount, usd(1999));
  EXPECT_EQ(created.answer.provider_ref, "") << "a payment is found by its order's";
  EXPECT_TRUE(created.answer.hold_until);
  EXPECT_EQ(read("AUTHORIZATION.VOIDED", R"({"id":"A1","status":"VOIDED"})").answer.outcome, Outcome::pending)
      << "something may have been captured before";
  for (std::string const& sign :
       {std::string{R"("supplementary_data":{"related_ids":{"authorization_id":"A1"}})"},
        std::string{R"("links":[{"rel":"up","href":"https://api-m.paypal.com/v2/payments/authorizations/A1"}])"}}) {
    Notice const capture =
        read("CAPTURE.COMPLETED", R"({"id":"C1","status":"COMPLETED","amount":{"value":"5.00","currency_code":"USD"},)"
                                  R"("custom_id":")" +
                                      attempt_id(1).value + "\"," + sign + "}");
    EXPECT_EQ(capture.number, attempt_id(1).value);
    EXPECT_EQ(capture.answer.outcome, Outcome::pending) << "perhaps one of several";
    EXPECT_FALSE(capture.answer.amount);
  }
}

}  // namespace
}  // namespace payonce
