// What PayPal's own client does not show: faults, holds, memory across a restart, and who is believed.
#include <boost/json.hpp>

#include "sandbox/dialect_fixture_test.h"

namespace payonce::sandbox {
namespace {

constexpr std::string_view issue = "/details/0/issue";

class PaypalDialectTest : public DialectTest {
 protected:
  PaypalDialectTest() {
    options.paypal_notify_url = merchant_url("/paypal");
    options.buyers_pay = true;
  }
  HttpAnswer token(std::string const& secret) {
    std::string const credentials = base64_encode(setting("paypal", "client_id") + ":" + secret);
    return call("POST", "/v1/oauth2/token", "grant_type=client_credentials",
                {{"Authorization", "Basic " + credentials}});
  }
  HttpAnswer post(std::string const& path, std::string body, std::string const& request_id = {}) {
    if (token_.empty()) token_ = text_at(token(setting("paypal", "client_secret")), "/access_token");
    HttpHeaders headers{{"Authorization", "Bearer " + token_}};
    if (!request_id.empty()) headers.push_back({"PayPal-Request-Id", request_id});
    return call("POST", path, std::move(body), std::move(headers));
  }
  HttpAnswer get(std::string const& path) { return call("GET", path, {}, {{"Authorization", "Bearer " + token_}}); }
  HttpAnswer create(std::string const& number, std::string_view intent) {
    return post("/v2/checkout/orders",
                fmt::format(R"({{"intent":"{}","purchase_units":[{{"reference_id":"A1","custom_id":"{}",)"
                            R"("invoice_id":"{}","amount":{{"currency_code":"USD","value":"19.99"}}}}]}})",
                            intent, number, number),
                number);
  }
  HttpAnswer complete(std::string const& order, std::string_view verb, std::string const& request_id) {
    return post(fmt::format("/v2/checkout/orders/{}/{}", order, verb), {}, request_id);
  }
  // The authorization of a new order.
  std::string hold(std::string const& number = "pay_1") {
    order = text_at(create(number, "AUTHORIZE"), "/id");
    return text_at(complete(order, "authorize", number + "-a"), "/purchase_units/0/payments/authorizations/0/id");
  }
  HttpAnswer capture(std::string const& hold, std::string const& number, std::string_view value, bool is_final) {
    return post("/v2/payments/authorizations/" + hold + "/capture",
                fmt::format(R"({{"invoice_id":"{}","final_capture":{},)"
                            R"("amount":{{"currency_code":"USD","value":"{}"}}}})",
                            number, is_final, value),
                number);
  }
  HttpAnswer give_up(std::string const& hold, std::string const& request_id) {
    return post("/v2/payments/authorizations/" + hold + "/void", {}, request_id);
  }
  HttpAnswer give_back(std::string const& capture, std::string const& number, std::string_view value) {
    return post("/v2/payments/captures/" + capture + "/refund",
                fmt::format(R"({{"invoice_id":"{}","amount":{{"currency_code":"USD","value":"{}"}}}})", number, value),
                number);
  }
  std::string hold_status() { return text_at(get("/v2/checkout/orders/" + order), authorization_status); }
  std::int64_t captured() { return ledger().at("charges").at(0).at("captured").as_int64(); }

  static constexpr std::string_view authorization_status = "/purchase_units/0/payments/authorizations/0/status";
  std::string order;

 private:
  std::string token_;
};

TEST_F(PaypalDialectTest, nobody_without_its_token_is_served) {
  start();
  EXPECT_EQ(token("other").status, 401);
  std::string const genuine = text_at(token(setting("paypal", "client_secret")), "/access_token");
  std::string tampered = genuine;
  tampered.front() = tampered.front() == '9' ? '8' : '9';
  for (std::string const& value : {std::string{}, std::string{"Bearer "}, "Bearer " + tampered, "Basic " + genuine})
    EXPECT_EQ(call("GET", "/v2/checkout/orders/O1", {}, {{"Authorization", value}}).status, 401) << value;
  EXPECT_EQ(call("GET", "/v2/checkout/orders/O1", {}, {{"Authorization", "Bearer " + genuine}}).status, 404);
}

TEST_F(PaypalDialectTest, order_is_captured_once_whatever_is_lost_and_repeated) {
  start();
  std::string const id = text_at(create("pay_1", "CAPTURE"), "/id");
  EXPECT_EQ(text_at(create("pay_1", "CAPTURE"), "/id"), id);
  fault("create", "drop_after");
  EXPECT_EQ(complete(id, "capture", "c-1").delivery, Delivery::in_doubt);
  start();
  EXPECT_EQ(complete(id, "capture", "c-1").status, 200) << "it is remembered across a restart";
  EXPECT_EQ(text_at(complete(id, "capture", "c-2"), issue), "ORDER_ALREADY_CAPTURED");
  EXPECT_EQ(text_at(complete(id, "authorize", "c-3"), issue), "ACTION_DOES_NOT_MATCH_INTENT");
  EXPECT_EQ(charges(), 1u);
}

TEST_F(PaypalDialectTest, what_was_refused_can_be_captured_later) {
  start();
  std::string const id = text_at(create("pay_1", "CAPTURE"), "/id");
  fault("create", "decline");
  EXPECT_EQ(text_at(complete(id, "capture", "c-1"), issue), "TRANSACTION_REFUSED");
  EXPECT_EQ(complete(id, "capture", "c-2").status, 201);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(PaypalDialectTest, held_money_moves_by_captures_and_never_beyond_the_hold) {
  start();
  std::string const held = hold();
  EXPECT_EQ(hold_status(), "CREATED");
  EXPECT_EQ(captured(), 0);
  HttpAnswer const first = capture(held, "cap_1", "5.00", false);
  EXPECT_EQ(first.status, 201);
  HttpAnswer const again = capture(held, "cap_1", "5.00", false);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(text_at(again, "/id"), text_at(first, "/id"));
  EXPECT_EQ(captured(), 500);
  EXPECT_EQ(hold_status(), "PARTIALLY_CAPTURED");
  EXPECT_EQ(text_at(capture(held, "cap_2", "15.00", true), issue), "MAX_CAPTURE_AMOUNT_EXCEEDED");
  EXPECT_EQ(capture(held, "cap_3", "10.00", true).status, 201);
  EXPECT_EQ(text_at(capture(held, "cap_4", "1.00", true), issue), "AUTHORIZATION_ALREADY_CAPTURED");
  EXPECT_EQ(captured(), 1500) << "the last one lets the rest go";
  EXPECT_EQ(text_at(get("/v2/payments/captures/" + text_at(first, "/id")), "/invoice_id"), "cap_1");
}

TEST_F(PaypalDialectTest, refund_is_of_one_capture_and_never_beyond_it) {
  start();
  std::string const held = hold();
  std::string const first = text_at(capture(held, "cap_1", "5.00", false), "/id");
  std::string const second = text_at(capture(held, "cap_2", "10.00", true), "/id");
  EXPECT_EQ(text_at(give_back(first, "ref_1", "6.00"), issue), "REFUND_AMOUNT_EXCEEDED");
  EXPECT_EQ(give_back(first, "ref_1", "5.00").status, 201);
  EXPECT_EQ(give_back(first, "ref_1", "5.00").status, 200);
  EXPECT_EQ(text_at(give_back(first, "ref_2", "1.00"), issue), "CAPTURE_FULLY_REFUNDED");
  EXPECT_EQ(give_back(second, "ref_3", "1.00").status, 201);
  HttpAnswer const told = get("/v2/checkout/orders/" + order);
  EXPECT_EQ(text_at(told, "/purchase_units/0/payments/captures/0/status"), "REFUNDED");
  EXPECT_EQ(text_at(told, "/purchase_units/0/payments/captures/1/status"), "PARTIALLY_REFUNDED");
  EXPECT_EQ(text_at(told, "/purchase_units/0/payments/refunds/1/invoice_id"), "ref_3");
}

TEST_F(PaypalDialectTest, hold_ends_by_a_void_and_keeps_what_was_captured) {
  start();
  std::string const held = hold();
  capture(held, "cap_1", "5.00", false);
  EXPECT_EQ(give_up(held, "v-1").status, 204);
  EXPECT_EQ(give_up(held, "v-1").status, 204);
  EXPECT_EQ(text_at(give_up(held, "v-2"), issue), "PREVIOUSLY_VOIDED");
  EXPECT_EQ(text_at(capture(held, "cap_2", "1.00", true), issue), "AUTHORIZATION_VOIDED");
  EXPECT_EQ(hold_status(), "VOIDED");
  EXPECT_EQ(captured(), 500);
  std::string const other = hold("pay_2");
  capture(other, "cap_3", "19.99", false);
  EXPECT_EQ(text_at(give_up(other, "v-3"), issue), "PREVIOUSLY_CAPTURED");
  EXPECT_EQ(hold_status(), "CAPTURED");
}

TEST_F(PaypalDialectTest, hold_that_ended_by_itself_can_not_be_captured) {
  start();
  fault("create", "short_hold");
  std::string const held = hold();
  await_notices(3);
  EXPECT_EQ(text_at(capture(held, "cap_1", "5.00", true), issue), "AUTHORIZATION_EXPIRED");
  EXPECT_EQ(hold_status(), "VOIDED");
  EXPECT_EQ(captured(), 0);
}

TEST_F(PaypalDialectTest, capture_that_is_refused_or_lost_leaves_nothing_twice) {
  start();
  std::string const held = hold();
  fault("capture", "decline");
  EXPECT_EQ(text_at(capture(held, "cap_1", "5.00", true), issue), "TRANSACTION_REFUSED");
  fault("capture", "answer_500_after");
  EXPECT_EQ(capture(held, "cap_2", "5.00", true).status, 500);
  EXPECT_EQ(capture(held, "cap_2", "5.00", true).status, 200);
  EXPECT_EQ(captured(), 500);
}

TEST_F(PaypalDialectTest, events_tell_of_the_hold_and_of_each_capture) {
  start();
  std::string const held = hold();
  capture(held, "cap_1", "5.00", false);
  capture(held, "cap_2", "14.99", false);
  await_notices(4);
  std::map<std::string, int> types;
  for (std::size_t i = 0; i < 4; ++i) ++types[std::string{notice(i).at("event_type").as_string()}];
  EXPECT_EQ(types, (std::map<std::string, int>{{"CHECKOUT.ORDER.APPROVED", 1},
                                               {"PAYMENT.AUTHORIZATION.CREATED", 1},
                                               {"PAYMENT.CAPTURE.COMPLETED", 2}}));
}

TEST_F(PaypalDialectTest, who_asks_about_an_event_is_told_whether_it_is_genuine) {
  start();
  create("pay_1", "CAPTURE");
  await_notices(1);
  auto const verdict = [&](std::string const& body) {
    auto const header = [&](std::string_view name) { return std::string{notices[0].header(name).value_or("")}; };
    json::object question{{"auth_algo", header("PAYPAL-AUTH-ALGO")},
                          {"cert_url", header("PAYPAL-CERT-URL")},
                          {"transmission_id", header("PAYPAL-TRANSMISSION-ID")},
                          {"transmission_sig", header("PAYPAL-TRANSMISSION-SIG")},
                          {"transmission_time", header("PAYPAL-TRANSMISSION-TIME")},
                          {"webhook_id", setting("paypal", "webhook_id")},
                          {"webhook_event", json::parse(body)}};
    return text_at(post("/v1/notifications/verify-webhook-signature", json::serialize(question)),
                   "/verification_status");
  };
  std::string tampered = notices[0].body;
  tampered.replace(tampered.find("19.99"), 5, "19.98");
  EXPECT_EQ(verdict(notices[0].body), "SUCCESS");
  EXPECT_EQ(verdict(tampered), "FAILURE");
}

}  // namespace
}  // namespace payonce::sandbox
