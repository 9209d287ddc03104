// What can happen to an order beside its plain payment, over HTTP: another method, parts, its end, another price,
// take-backs; and a database that stands still.
#include "http/api_fixture.h"
#include "store/sqlite/connection.h"

namespace payonce::test {

namespace {

std::string pay_body(json::object body) { return json::serialize(body); }

}  // namespace

TEST_F(HttpApi, AnotherMethodTakesThePlaceOfOneThatWaitsForTheBuyer) {
  register_order("A1");
  std::string const first = pay("A1", "k-1", "approve").text("id");
  EXPECT_EQ(pay("A1", "k-2").code(), "order_has_live_payment");
  Answered const second =
      call("POST", "/v1/payments", pay_body({{"order_id", "A1"}, {"replace", true}}), {{"Idempotency-Key", "k-2"}});
  EXPECT_EQ(second.status, 201);
  EXPECT_EQ(second.text("state"), "SUCCEEDED");
  EXPECT_EQ(payment(first).text("state"), "CANCELED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, ReplaceWithoutProofInTimeIsRefusedAndTheClosingGoesOn) {
  register_order("A1");
  std::string const first = pay("A1", "k-1", "approve").text("id");
  fault("close", "drop_before", -1, 2);
  Answered const refused = call("POST", "/v1/payments", pay_body({{"order_id", "A1"}, {"replace", true}}),
                                {{"Idempotency-Key", "k-2"}, {"Prefer", "wait=0"}});
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.code(), "order_has_live_payment");
  EXPECT_EQ(refused.object().at("payment").at("id").as_string(), first);
  EXPECT_EQ(await_state(first, "CANCELED").text("state"), "CANCELED");
  EXPECT_EQ(pay("A1", "k-2").text("state"), "SUCCEEDED") << "the same key works once the first one has ended";
}

TEST_F(HttpApi, ReplaceFindsWhatWasPaidMeanwhile) {
  register_order("A1");
  std::string const first = pay("A1", "k-1", "approve").text("id");
  fault("notice", "never");
  bank("POST", "/pay/" + first + "/approve");
  Answered const second =
      call("POST", "/v1/payments", pay_body({{"order_id", "A1"}, {"replace", true}}), {{"Idempotency-Key", "k-2"}});
  EXPECT_EQ(second.code(), "order_already_paid") << second.body;
  EXPECT_EQ(payment(first).text("state"), "SUCCEEDED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, ASplitOrderIsPaidInItsParts) {
  Answered const registered = call("PUT", "/v1/orders/A1", R"({"amount":1000,"currency":"USD","policy":"split"})");
  EXPECT_EQ(registered.text("policy"), "split");
  auto const pay_part = [&](std::string const& key, json::object body) {
    body["order_id"] = "A1";
    return call("POST", "/v1/payments", json::serialize(body), {{"Idempotency-Key", key}});
  };
  Answered const deposit = pay_part("k-1", {{"part", "deposit"}, {"amount", 300}});
  EXPECT_EQ(deposit.text("state"), "SUCCEEDED");
  EXPECT_EQ(deposit.text("part"), "deposit");
  EXPECT_EQ(order("A1").at("state").as_string(), "OPEN");
  EXPECT_EQ(pay_part("k-2", {{"part", "deposit"}, {"amount", 300}}).code(), "order_already_paid");
  EXPECT_EQ(pay_part("k-2", {{"part", "rest"}, {"amount", 701}}).code(), "amount_mismatch");
  Answered const other_part = pay_part("k-1", {{"part", "rest"}, {"amount", 300}});
  EXPECT_EQ(other_part.code(), "idempotency_key_reused");
  EXPECT_EQ(other_part.text("field"), "part");
  EXPECT_EQ(pay_part("k-3", {{"part", "rest"}}).object().at("amount").as_int64(), 700);
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
  until([&] { return deliveries_of("/ship") == 1; });
}

TEST_F(HttpApi, AnOrderThatExpiresIsClosedAtTheBankFirst) {
  std::string const soon = to_rfc3339(clock.now() + 300ms);
  call("PUT", "/v1/orders/A1", R"({"amount":1999,"currency":"USD","expires_at":")" + soon + "\"}");
  EXPECT_EQ(order("A1").at("expires_at").as_string(), soon);
  std::string const id = pay("A1", "k-1", "approve").text("id");
  until([&] { return order("A1").at("state").as_string() == "CLOSED"; });
  std::string const end = payment(id).text("state");
  EXPECT_TRUE(end == "CANCELED" || end == "FAILED") << end << ": the bank may have ended it by itself first";
  EXPECT_EQ(pay("A1", "k-2").code(), "order_closed");
  EXPECT_EQ(call("PUT", "/v1/orders/A2", R"({"amount":1,"currency":"USD","expires_at":"tomorrow"})").text("field"),
            "expires_at");
}

TEST_F(HttpApi, AnotherPriceWithReplaceClosesTheOldPaymentFirst) {
  register_order("A1");
  std::string const old = pay("A1", "k-1", "approve").text("id");
  Answered const changed = call("PUT", "/v1/orders/A1", R"({"amount":2500,"currency":"USD","replace":true})");
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(payment(old).text("state"), "CANCELED");
  EXPECT_EQ(pay("A1", "k-2").object().at("amount").as_int64(), 2500);
}

TEST_F(HttpApi, APersonIsToldOfAPriceThatChangedTooLate) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  EXPECT_EQ(call("PUT", "/v1/orders/A1", R"({"amount":2500,"currency":"USD","replace":true})").code(),
            "order_conflict");
  json::array const reviews = call("GET", "/v1/reviews").list("payments");
  ASSERT_EQ(reviews.size(), 1U);
  EXPECT_EQ(reviews[0].at("id").as_string(), id);
}

TEST_F(HttpApi, APersonBooksADisputeThatCameByMail) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  auto const say = [&](std::string const& outcome) {
    return call("POST", "/v1/payments/" + id + "/resolve",
                R"({"outcome":")" + outcome + R"(","document":"letter 4","reason":"chargeback"})");
  };
  EXPECT_EQ(say("dispute_opened").text("state"), "DISPUTED");
  EXPECT_EQ(
      call("POST", "/v1/payments/" + id + "/refunds", R"({"amount":1,"reason":"r"})", {{"Idempotency-Key", "r-1"}})
          .code(),
      "payment_not_refundable");
  EXPECT_EQ(say("dispute_won").text("state"), "SUCCEEDED");
  EXPECT_EQ(say("pending").code(), "evidence_refused");
}

TEST_F(HttpApi, C18_ADatabaseThatStandsStillGets503InTimeAndTheSameKeyGoesOn) {
  stop_service();
  settings.server.answer_patience = 300ms;
  start_service();
  register_order("A1");
  PendingPtr stuck;
  {
    sqlite::Connection other{data_path + ".db", sqlite::Connection::Use::write};
    other.execute("BEGIN IMMEDIATE");
    auto const started = clock.monotonic();
    Answered const refused = pay("A1", "k-1", {}, "wait=0");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.code(), "unavailable");
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_LT(clock.monotonic() - started, 4s);
    other.execute("ROLLBACK");
  }
  until([&] { return pay("A1", "k-1").text("state") == "SUCCEEDED"; });
  EXPECT_EQ(charged("A1"), 1);
  EXPECT_EQ(list_of("A1", "payments").size(), 1U);
}

}  // namespace payonce::test
