// Refunds over HTTP, from the request to the bank's ledger.
#include <fmt/format.h>

#include "http/api_fixture.h"

namespace payonce::test {

namespace {

class HttpRefunds : public HttpApi {
 protected:
  // A paid order of 19.99 USD; the payment's id.
  std::string paid(std::string const& order_id, std::string const& key) {
    register_order(order_id);
    return pay(order_id, key).text("id");
  }
  PendingPtr begin_refund(std::string const& payment_id, std::string const& key, std::int64_t amount,
                          std::string const& reason = "damaged", std::string const& prefer = "wait=10") {
    return send("POST", "/v1/payments/" + payment_id + "/refunds",
                json::serialize(json::object{{"amount", amount}, {"reason", reason}}),
                {{"Idempotency-Key", key}, {"Prefer", prefer}});
  }
  Answered refund(std::string const& payment_id, std::string const& key, std::int64_t amount,
                  std::string const& reason = "damaged", std::string const& prefer = "wait=10") {
    return await(begin_refund(payment_id, key, amount, reason, prefer));
  }
  Answered await_refund(std::string const& id, std::string const& state) {
    Answered answer;
    until([&] { return (answer = call("GET", "/v1/refunds/" + id)).text("state") == state; });
    return answer;
  }
  // Refunds that the bank did.
  std::int64_t given_back(std::string const& order_id) {
    std::int64_t count = 0;
    json::object const all = ledger();
    for (auto const& row : all.at("refunds").as_array())
      count += row.at("status").as_string() == "succeeded" && row.at("order").as_string() == order_id;
    return count;
  }
};

}  // namespace

TEST_F(HttpRefunds, InPartsUntilNothingIsLeft) {
  std::string const id = paid("A1", "k-1");
  Answered const first = refund(id, "r-1", 500);
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(first.text("state"), "R_SUCCEEDED");
  EXPECT_EQ(first.text("payment_id"), id);
  EXPECT_EQ(first.text("retry"), "none");
  Answered const too_much = refund(id, "r-2", 1500);
  EXPECT_EQ(too_much.status, 422);
  EXPECT_EQ(too_much.code(), "refund_exceeds_captured");
  EXPECT_EQ(too_much.text("field"), "amount");
  EXPECT_NE(too_much.text("detail").find("1499"), std::string::npos) << "what is left";
  EXPECT_EQ(refund(id, "r-2", 1499).status, 201) << "the refusal burnt no key";
  EXPECT_EQ(refund(id, "r-3", 1).code(), "refund_exceeds_captured");
  EXPECT_EQ(given_back("A1"), 2);
  EXPECT_EQ(list_of("A1", "refunds").size(), 2U);
  EXPECT_EQ(call("GET", "/v1/refunds/" + first.text("id")).body, first.body);
}

TEST_F(HttpRefunds, TheSameKeyGetsTheSameAnswerWordForWord) {
  std::string const id = paid("A1", "k-1");
  Answered const first = refund(id, "r-1", 500);
  restart_service();
  Answered const again = refund(id, "r-1", 500, "told otherwise");
  EXPECT_EQ(again.status, 200);
  EXPECT_TRUE(again.is_replay());
  EXPECT_EQ(again.body, first.body);
  Answered const other = refund(id, "r-1", 501);
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(other.code(), "idempotency_key_reused");
  EXPECT_EQ(other.text("field"), "amount");
  EXPECT_EQ(bank_calls("A1", "refund"), 1);
}

TEST_F(HttpRefunds, C15_PaymentsAndRefundsShareOneScopeOfKeys) {
  std::string const id = paid("A1", "k-1");
  EXPECT_EQ(refund(id, "k-1", 500).code(), "idempotency_key_reused");
  EXPECT_EQ(refund(id, "r-1", 500).status, 201);
  register_order("A2");
  EXPECT_EQ(pay("A2", "r-1").code(), "idempotency_key_reused");
  EXPECT_EQ(call_as(other_key, "PUT", "/v1/orders/B1", R"({"amount":1999,"currency":"USD"})").status, 201);
  EXPECT_EQ(call_as(other_key, "POST", "/v1/payments", R"({"order_id":"B1"})", {{"Idempotency-Key", "r-1"}}).status,
            201)
      << "another merchant's keys are its own";
}

TEST_F(HttpRefunds, C56_ALostAnswerIsUnknownAndFoundOutUnderTheSameNumber) {
  std::string const id = paid("A1", "k-1");
  fault("refund", "answer_500_after");
  fault("query_refund", "answer_503_before", 0, 1000);
  fault("notice", "never", -1, 20);
  Answered const first = refund(id, "r-1", 500, "damaged", "wait=0");
  EXPECT_EQ(first.status, 202);
  EXPECT_EQ(first.header("Retry-After"), "1");
  EXPECT_EQ(first.text("retry"), "same_key");
  EXPECT_EQ(first.object().at("message").at("zh").as_string(), "退款处理中，请勿重复申请。");
  std::string const refund_id = first.text("id");
  await_refund(refund_id, "R_UNKNOWN");
  EXPECT_EQ(refund(id, "r-2", 500).code(), "refund_in_progress") << "the same refund under another key";
  EXPECT_EQ(refund(id, "r-1", 500, "damaged", "wait=0, handling=strict").code(), "request_in_progress");
  bank("DELETE", "/faults");
  Answered const told = call("GET", "/v1/refunds/" + refund_id + "?wait=30");
  EXPECT_EQ(told.text("state"), "R_SUCCEEDED") << "the long poll wakes on change";
  EXPECT_EQ(given_back("A1"), 1);
}

TEST_F(HttpRefunds, ARequestThatNeverArrivedIsSentAgainUnderTheSameNumber) {
  std::string const id = paid("A1", "k-1");
  fault("refund", "drop_before");
  std::string const refund_id = refund(id, "r-1", 500, "damaged", "wait=0").text("id");
  await_refund(refund_id, "R_SUCCEEDED");
  EXPECT_EQ(bank_calls("A1", "refund"), 2);
  EXPECT_EQ(given_back("A1"), 1);
}

TEST_F(HttpRefunds, OfManyAtOnceOnlyWhatFitsGoesBack) {
  std::string const id = paid("A1", "k-1");
  fault("refund", "late", 150, 20);
  std::vector<PendingPtr> all;
  for (int i = 0; i < 10; ++i) all.push_back(begin_refund(id, fmt::format("r-{}", i), 700, fmt::format("line {}", i)));
  int begun = 0;
  for (PendingPtr const& it : all) {
    Answered const answer = await(it);
    begun += answer.status == 201;
    EXPECT_TRUE(answer.status == 201 || answer.code() == "refund_exceeds_captured") << answer.body;
  }
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(given_back("A1"), 2);
}

TEST_F(HttpRefunds, TheBanksNoIsAFailureAndFreesTheAmount) {
  std::string const id = paid("A1", "k-1");
  fault("refund", "decline");
  Answered const failed = refund(id, "r-1", 1999);
  EXPECT_EQ(failed.status, 201);
  EXPECT_EQ(failed.text("state"), "R_FAILED");
  EXPECT_EQ(failed.text("retry"), "new_key");
  EXPECT_FALSE(failed.text("needs_review").empty());
  EXPECT_EQ(call("GET", "/v1/reviews").list("payments").size(), 1U) << "a person is told";
  EXPECT_EQ(refund(id, "r-1", 1999).body, failed.body);
  EXPECT_EQ(refund(id, "r-2", 1999).text("state"), "R_SUCCEEDED");
}

TEST_F(HttpRefunds, OnlyWhatWasPaidThroughAProviderCanGoBack) {
  register_order("A1");
  std::string const waiting = pay("A1", "k-1", "approve").text("id");
  Answered const early = refund(waiting, "r-1", 500);
  EXPECT_EQ(early.status, 409);
  EXPECT_EQ(early.code(), "payment_not_refundable");
  EXPECT_EQ(early.object().at("payment").at("id").as_string(), waiting);
  register_order("A2");
  std::string const cash =
      call("POST", "/v1/orders/A2/offline-payments",
           R"({"amount":1999,"currency":"USD","reason":"cash","document":"7"})", {{"Idempotency-Key", "k-2"}})
          .text("id");
  EXPECT_EQ(refund(cash, "r-1", 500).code(), "payment_not_refundable");
  EXPECT_EQ(refund("pay_00000000000000000000000000", "r-1", 500).status, 404);
}

TEST_F(HttpRefunds, WhatIsMalformedIsRefusedByTheNameOfTheField) {
  std::string const target = "/v1/payments/" + paid("A1", "k-1") + "/refunds";
  auto const field = [&](char const* body) {
    Answered const answer = call("POST", target, body, {{"Idempotency-Key", "r-1"}});
    EXPECT_EQ(answer.status, 400) << body;
    return answer.text("field");
  };
  EXPECT_EQ(field(R"({"reason":"x"})"), "amount") << "C61: also a whole refund names its amount";
  EXPECT_EQ(field(R"({"amount":0,"reason":"x"})"), "amount");
  EXPECT_EQ(field(R"({"amount":-1,"reason":"x"})"), "amount");
  EXPECT_EQ(field(R"({"amount":1.5,"reason":"x"})"), "amount");
  EXPECT_EQ(field(R"({"amount":1})"), "reason");
  EXPECT_EQ(field(R"({"amount":1,"reason":"x","refund_no":"7"})"), "refund_no");
  EXPECT_EQ(call("POST", target, R"({"amount":1,"reason":"x"})").code(), "idempotency_key_missing");
  Answered const other =
      call("POST", target, R"({"amount":1,"reason":"x","currency":"EUR"})", {{"Idempotency-Key", "r-1"}});
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(other.text("field"), "currency");
  EXPECT_EQ(bank_calls("A1", "refund"), 0);
}

TEST_F(HttpRefunds, AnotherMerchantSeesNothingOfThem) {
  std::string const id = paid("A1", "k-1");
  std::string const refund_id = refund(id, "r-1", 500).text("id");
  EXPECT_EQ(call_as(other_key, "GET", "/v1/refunds/" + refund_id).status, 404);
  EXPECT_EQ(call_as(other_key, "POST", "/v1/payments/" + id + "/refunds", R"({"amount":1,"reason":"x"})",
                    {{"Idempotency-Key", "r-1"}})
                .status,
            404);
  EXPECT_EQ(call("GET", "/v1/refunds/ref_00000000000000000000000000").status, 404);
}

TEST_F(HttpRefunds, ItsEndIsToldToTheShopOnceAndSigned) {
  stop_service();
  auto& effects = settings.merchants.at(0).effects;
  effects.push_back(effects.at(0));
  effects.back().name = "refunded";
  effects.back().url.replace(effects.back().url.rfind('/'), std::string::npos, "/refunded");
  effects.back().on = Trigger::refund_succeeded;
  start_service();
  shop_status["/refunded"] = 410;
  std::string const id = paid("A1", "k-1");
  std::string const refund_id = refund(id, "r-1", 500).text("id");
  until([&] { return call("GET", "/v1/deliveries").list("deliveries").size() == 1; });
  EXPECT_EQ(deliveries_of("/refunded"), 1U) << "and not for the payment";
  auto const dead = call("GET", "/v1/deliveries").list("deliveries").at(0).as_object();
  EXPECT_EQ(dead.at("id").as_string(), refund_id + ".refunded");
  EXPECT_EQ(dead.at("refund_id").as_string(), refund_id);
  shop_status.clear();
  EXPECT_EQ(call("POST", "/v1/deliveries/" + refund_id + ".refunded/resend").status, 202);
  until([&] { return deliveries_of("/refunded") == 2; });
  HttpRequest const& delivery = deliveries.back();
  EXPECT_EQ(delivery.header("webhook-id"), refund_id + ".refunded");
  json::value const body = json::parse(delivery.body);
  EXPECT_EQ(body.at("type").as_string(), "refund.succeeded");
  EXPECT_EQ(body.at("data").at("refund_id").as_string(), refund_id);
  EXPECT_EQ(body.at("data").at("payment_id").as_string(), id);
  EXPECT_EQ(body.at("data").at("amount").as_int64(), 500);
  EXPECT_EQ(body.at("data").at("reason").as_string(), "damaged");
  EXPECT_FALSE(body.at("data").at("surplus").as_bool());
}

}  // namespace payonce::test
