// Orders: what they cost, who names the price, and how they end.
#include "http/api_fixture.h"

namespace payonce::test {

namespace {

std::string const offline_body = R"({"amount":1999,"currency":"USD","reason":"bank transfer","document":"TX-7"})";

}  // namespace

TEST_F(HttpApi, AnOrderIsRegisteredOnceAndConfirmedAfterwards) {
  Answered const first = register_order("A1");
  EXPECT_EQ(first.status, 201);
  Answered const second = register_order("A1");
  EXPECT_EQ(second.status, 200);
  EXPECT_EQ(second.body, first.body);
  Answered const changed = register_order("A1", 2500);
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(changed.object().at("amount").as_int64(), 2500);
}

TEST_F(HttpApi, TheAmountOfAnOrderStandsWhileAPaymentLivesAndAfterIt) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  Answered const while_live = register_order("A1", 2500);
  EXPECT_EQ(while_live.status, 409);
  EXPECT_EQ(while_live.code(), "order_conflict");
  EXPECT_EQ(while_live.object().at("payment").at("id").as_string(), id);
  bank("POST", "/notices", {{"number", id}, {"type", "charge.succeeded"}});
  Answered const after = register_order("A1", 2500);
  EXPECT_EQ(after.status, 409);
  EXPECT_EQ(after.code(), "order_conflict");
  EXPECT_EQ(register_order("A1").status, 200);
}

TEST_F(HttpApi, C46_AZeroDecimalCurrencyIsSentAsItIs) {
  EXPECT_EQ(register_order("PA-JP", 80, "JPY").status, 201);
  EXPECT_EQ(pay("PA-JP", "k-1").object().at("amount").as_int64(), 80);
  EXPECT_EQ(ledger().at("charges").at(0).at("amount").as_int64(), 80);
  for (auto const* const amount : {R"("80.00")", R"("80.5")", "80.5", "80.0"})
    EXPECT_EQ(call("PUT", "/v1/orders/PA-JP2", std::string{R"({"currency":"JPY","amount":)"} + amount + "}").status,
              400)
        << amount;
}

TEST_F(HttpApi, C47_AThreeDecimalCurrencyIsSentAsItIs) {
  register_order("PA-KW", 18600, "KWD");
  EXPECT_EQ(pay("PA-KW", "k-1").text("state"), "SUCCEEDED");
  EXPECT_EQ(ledger().at("charges").at(0).at("amount").as_int64(), 18600);
  EXPECT_EQ(call("PUT", "/v1/orders/PA-KW2", R"({"amount":"18.6","currency":"KWD"})").status, 400);
}

TEST_F(HttpApi, C51_OnlyAWholeNumberInRangeIsAnAmount) {
  for (auto const* const amount : {"9007199254740992", "9007199254740993", "1999.0", "1.999e3", "1999.5", "-1", "0",
                                   R"("1999")", "true", "null", "{}", "[1999]", "18446744073709551616", "1e400"}) {
    Answered const answer = call("PUT", "/v1/orders/A1", std::string{R"({"currency":"USD","amount":)"} + amount + "}");
    EXPECT_EQ(answer.status, 400) << amount << answer.body;
  }
  std::string const digits(400, '9');
  EXPECT_EQ(call("PUT", "/v1/orders/A1", R"({"currency":"USD","amount":)" + digits + "}").status, 400);
  Answered const absent = call("PUT", "/v1/orders/A1", R"({"currency":"USD"})");
  EXPECT_EQ(absent.text("field"), "amount");
  EXPECT_EQ(absent.text("detail"), "amount is missing");
  EXPECT_EQ(call("GET", "/v1/orders/A1").status, 404);
  EXPECT_EQ(register_order("A1", 9007199254740991).status, 201);
}

TEST_F(HttpApi, ACurrencyIsAKnownCodeInUpperCase) {
  for (auto const* const currency : {"usd", "US", "USDT", "XXQ", ""})
    EXPECT_EQ(register_order("A1", 1, currency).text("field"), "currency") << currency;
}

TEST_F(HttpApi, C54_TheCallerNamesNoPrice) {
  register_order("PA-1001", 8800, "CNY");
  HttpHeaders const key{{"Idempotency-Key", "k-1"}};
  Answered const less = call("POST", "/v1/payments", R"({"order_id":"PA-1001","amount":1})", key);
  EXPECT_EQ(less.status, 422);
  EXPECT_EQ(less.code(), "amount_mismatch");
  EXPECT_EQ(less.text("field"), "amount");
  Answered const other = call("POST", "/v1/payments", R"({"order_id":"PA-1001","amount":8800,"currency":"JPY"})", key);
  EXPECT_EQ(other.code(), "amount_mismatch");
  EXPECT_EQ(other.text("field"), "currency");
  EXPECT_EQ(bank_calls("PA-1001"), 0);
  Answered const good = call("POST", "/v1/payments", R"({"order_id":"PA-1001","amount":8800,"currency":"CNY"})", key);
  EXPECT_EQ(good.status, 201);
}

TEST_F(HttpApi, APaymentMayBringItsOrderAlong) {
  std::string const body = R"({"order_id":"A1","amount":1999,"currency":"USD","register_order":true})";
  HttpHeaders const key{{"Idempotency-Key", "k-1"}};
  Answered const paid = call("POST", "/v1/payments", body, key);
  EXPECT_EQ(paid.status, 201);
  EXPECT_EQ(paid.text("state"), "SUCCEEDED");
  EXPECT_TRUE(call("POST", "/v1/payments", body, key).is_replay());
  EXPECT_EQ(call("GET", "/v1/orders/A1").text("state"), "PAID");
  EXPECT_EQ(ledger().at("charges").as_array().size(), 1U);

  auto const refused = [&](std::string const& fields) {
    return call("POST", "/v1/payments", "{" + fields + "}", {{"Idempotency-Key", "k-2"}});
  };
  EXPECT_EQ(refused(R"("order_id":"A2","currency":"USD","register_order":true)").text("field"), "amount");
  EXPECT_EQ(refused(R"("order_id":"A2","amount":1999,"register_order":true)").text("field"), "currency");
  EXPECT_EQ(refused(R"("order_id":"A 2","amount":1999,"currency":"USD","register_order":true)").text("field"),
            "order_id");
  EXPECT_EQ(refused(R"("order_id":"A2","amount":1999,"currency":"USD","register_order":"yes")").text("field"),
            "register_order");
  EXPECT_EQ(refused(R"("order_id":"A2","amount":1999,"currency":"USD","register_order":false)").status, 404);
  EXPECT_EQ(call("GET", "/v1/orders/A2").status, 404);
}

TEST_F(HttpApi, AnOrderIdIsAnyTextWithoutBlanks) {
  Answered const answer = call("PUT", "/v1/orders/%E8%AE%A2%E5%8D%95%2F1", R"({"amount":1,"currency":"CNY"})");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.text("id"), "订单/1");
  EXPECT_EQ(call("GET", "/v1/orders/%E8%AE%A2%E5%8D%95%2F1").status, 200);
  for (auto const* const id : {"a%20b", "a%0Ab", "a%7Fb", "%FF", "a%C3", "%ED%A0%80", ""})
    EXPECT_EQ(call("PUT", std::string{"/v1/orders/"} + id, R"({"amount":1,"currency":"CNY"})").status, 400) << id;
  EXPECT_EQ(call("PUT", "/v1/orders/a%00b", R"({"amount":1,"currency":"CNY"})").status, 400);
  EXPECT_EQ(call("GET", "/v1/orders/a%ffb").status, 400);
  EXPECT_EQ(call("GET", "/v1/payments/%ff").status, 400);
  EXPECT_EQ(call("PUT", "/v1/orders/" + std::string(65, 'a'), R"({"amount":1,"currency":"CNY"})").status, 400);
  EXPECT_EQ(call("PUT", "/v1/orders/" + std::string(64, 'a'), R"({"amount":1,"currency":"CNY"})").status, 201);
}

TEST_F(HttpApi, MetadataComesBackAsItWas) {
  std::string const body = R"({"amount":1,"currency":"USD","metadata":{"cart":"7","note":"\u0001 支付"}})";
  EXPECT_EQ(call("PUT", "/v1/orders/A1", body).status, 201);
  EXPECT_EQ(order("A1").at("metadata").at("note").as_string(), "\x01 支付");
  for (auto const* const metadata : {R"({"a":1})", R"("text")", R"({"a":{"b":"c"}})"})
    EXPECT_EQ(call("PUT", "/v1/orders/A2", std::string{R"({"amount":1,"currency":"USD","metadata":)"} + metadata + "}")
                  .text("field"),
              "metadata");
}

TEST_F(HttpApi, ClosingAnOrderClosesItsPaymentAtTheBankFirst) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  Answered const closed = call("POST", "/v1/orders/A1/close");
  EXPECT_EQ(closed.status, 200);
  EXPECT_EQ(closed.text("state"), "CLOSED");
  EXPECT_EQ(payment(id).text("state"), "CANCELED");
  EXPECT_EQ(bank_calls("A1", "close"), 1);
  EXPECT_EQ(call("POST", "/v1/orders/A1/close").status, 200) << "a repeat changes nothing";
  Answered const late = pay("A1", "k-2");
  EXPECT_EQ(late.status, 409);
  EXPECT_EQ(late.code(), "order_closed");
}

TEST_F(HttpApi, APaidOrderCanNotBeClosed) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  Answered const answer = call("POST", "/v1/orders/A1/close");
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.code(), "order_already_paid");
  EXPECT_EQ(answer.object().at("payment").at("id").as_string(), id);
  EXPECT_EQ(call("POST", "/v1/orders/nowhere/close").status, 404);
}

TEST_F(HttpApi, AnOrderWhoseBankGivesNoProofStaysOpen) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  fault("close", "answer_503_before", 0, 1000);
  Answered const answer = call("POST", "/v1/orders/A1/close", "", {{"Prefer", "wait=1"}});
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.code(), "order_has_live_payment");
  EXPECT_EQ(answer.object().at("payment").at("id").as_string(), id);
  EXPECT_EQ(order("A1").at("state").as_string(), "OPEN");
}

TEST_F(HttpApi, AnOfflinePaymentPaysTheOrderOnce) {
  register_order("A1");
  HttpHeaders const key{{"Idempotency-Key", "desk-1"}};
  Answered const first = call("POST", "/v1/orders/A1/offline-payments", offline_body, key);
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(first.text("provider"), "offline");
  EXPECT_EQ(first.text("evidence"), "operator");
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
  Answered const second = call("POST", "/v1/orders/A1/offline-payments", offline_body, key);
  EXPECT_EQ(second.status, 200);
  EXPECT_TRUE(second.is_replay());
  EXPECT_EQ(second.body, first.body);
  until([&] { return deliveries_of("/ship") == 1; });
  EXPECT_EQ(pay("A1", "k-1").code(), "order_already_paid");
  Answered const no_reason =
      call("POST", "/v1/orders/A1/offline-payments", R"({"amount":1999,"currency":"USD","document":"TX-7"})",
           {{"Idempotency-Key", "d-2"}});
  EXPECT_EQ(no_reason.text("field"), "reason");
}

TEST_F(HttpApi, AnOfflinePaymentDoesNotPassALivePayment) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  Answered const answer = call("POST", "/v1/orders/A1/offline-payments", offline_body, {{"Idempotency-Key", "desk-1"}});
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(answer.object().at("payment").at("id").as_string(), id);
}

}  // namespace payonce::test
