// Holds and captures over HTTP, from the request to the bank's ledger.
#include <fmt/format.h>

#include "http/api_fixture.h"

namespace payonce::test {

namespace {

class HttpCaptures : public HttpApi {
 protected:
  // An order of 19.99 USD that is captured by hand, and its payment's id.
  std::string held(std::string const& order_id, std::string const& method = {}) {
    EXPECT_EQ(call("PUT", "/v1/orders/" + order_id, R"({"amount":1999,"currency":"USD","capture":"manual"})").status,
              201);
    Answered const answer = pay(order_id, "k-" + order_id, method);
    EXPECT_EQ(answer.status, 201) << answer.body;
    EXPECT_EQ(answer.text("state"), "AUTHORIZED");
    return answer.text("id");
  }
  PendingPtr begin_capture(std::string const& payment_id, std::string const& key, std::int64_t amount,
                           bool is_final = true, std::string const& prefer = "wait=10") {
    return send("POST", "/v1/payments/" + payment_id + "/captures",
                json::serialize(json::object{{"amount", amount}, {"final", is_final}}),
                {{"Idempotency-Key", key}, {"Prefer", prefer}});
  }
  Answered capture(std::string const& payment_id, std::string const& key, std::int64_t amount, bool is_final = true,
                   std::string const& prefer = "wait=10") {
    return await(begin_capture(payment_id, key, amount, is_final, prefer));
  }
  Answered await_capture(std::string const& id, std::string const& state) {
    Answered answer;
    until([&] { return (answer = call("GET", "/v1/captures/" + id)).text("state") == state; });
    return answer;
  }
  // What the bank took of the order's buyer.
  std::int64_t taken(std::string const& order_id) {
    std::int64_t sum = 0;
    json::object const all = ledger();
    for (auto const& row : all.at("charges").as_array())
      sum += row.at("order").as_string() == order_id ? row.at("captured").as_int64() : 0;
    return sum;
  }
};

}  // namespace

TEST_F(HttpCaptures, AHoldIsNoMoneyUntilItIsCaptured) {
  std::string const id = held("A1");
  EXPECT_EQ(order("A1").at("state").as_string(), "OPEN");
  EXPECT_EQ(order("A1").at("held").as_int64(), 1999);
  EXPECT_EQ(taken("A1"), 0);
  Answered const captured = capture(id, "c-1", 1999);
  EXPECT_EQ(captured.status, 201) << captured.body;
  EXPECT_EQ(captured.text("state"), "C_SUCCEEDED");
  EXPECT_EQ(captured.text("payment_id"), id);
  EXPECT_EQ(payment(id).text("state"), "SUCCEEDED");
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
  EXPECT_EQ(taken("A1"), 1999);
  EXPECT_EQ(call("GET", "/v1/captures/" + captured.text("id")).body, captured.body);
}

TEST_F(HttpCaptures, LessThanIsHeldPaysTheOrderAtWhatCame) {
  std::string const id = held("A1");
  EXPECT_EQ(capture(id, "c-1", 2000).code(), "capture_exceeds_held");
  EXPECT_EQ(capture(id, "c-1", 1500).status, 201) << "the refusal burnt no key";
  json::object const paid = order("A1");
  EXPECT_EQ(paid.at("state").as_string(), "PAID");
  EXPECT_EQ(paid.at("paid").as_int64(), 1500);
  EXPECT_EQ(payment(id).object().at("captured").as_int64(), 1500);
  EXPECT_EQ(taken("A1"), 1500);
  EXPECT_EQ(capture(id, "c-2", 1).code(), "payment_not_capturable");
  Answered const refund =
      call("POST", "/v1/payments/" + id + "/refunds", R"({"amount":1501,"reason":"x"})", {{"Idempotency-Key", "r-1"}});
  EXPECT_EQ(refund.code(), "refund_exceeds_captured");
}

TEST_F(HttpCaptures, InPartsAndTheRestIsGivenUp) {
  std::string const id = held("A1");
  EXPECT_EQ(capture(id, "c-1", 500, false).status, 201);
  EXPECT_EQ(payment(id).text("state"), "AUTHORIZED");
  EXPECT_EQ(order("A1").at("paid").as_int64(), 500);
  EXPECT_EQ(capture(id, "c-2", 700, false).status, 201);
  Answered const void_rest = call("POST", "/v1/payments/" + id + "/cancel", "", {{"Prefer", "wait=10"}});
  EXPECT_EQ(void_rest.status, 200) << void_rest.body;
  EXPECT_EQ(void_rest.text("state"), "SUCCEEDED");
  EXPECT_EQ(order("A1").at("paid").as_int64(), 1200);
  EXPECT_EQ(taken("A1"), 1200);
  EXPECT_EQ(list_of("A1", "captures").size(), 2U);
}

TEST_F(HttpCaptures, TheSameKeyGetsTheSameAnswerWordForWord) {
  std::string const id = held("A1");
  Answered const first = capture(id, "c-1", 1500);
  restart_service();
  Answered const again = capture(id, "c-1", 1500);
  EXPECT_EQ(again.status, 200);
  EXPECT_TRUE(again.is_replay());
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(capture(id, "c-1", 1501).code(), "idempotency_key_reused");
  EXPECT_EQ(capture(id, "k-A1", 1500).code(), "idempotency_key_reused") << "one scope of keys";
  EXPECT_EQ(bank_calls("A1", "capture"), 1);
}

TEST_F(HttpCaptures, ALostAnswerIsAskedAboutAndMovesTheMoneyOnce) {
  std::string const id = held("A1");
  for (char const* const lost : {"drop_before", "drop_after"}) {
    fault("capture", lost);
    Answered const unknown = capture(id, std::string{"c-"} + lost, 500, false, "wait=0");
    EXPECT_EQ(unknown.status, 202) << unknown.body;
    EXPECT_EQ(await_capture(unknown.text("id"), "C_SUCCEEDED").text("retry"), "none");
  }
  EXPECT_EQ(taken("A1"), 1000);
  EXPECT_EQ(order("A1").at("paid").as_int64(), 1000);
}

TEST_F(HttpCaptures, OfManyAtOnceOneIsTaken) {
  std::string const id = held("A1");
  std::vector<PendingPtr> requests;
  for (int i = 0; i < 8; ++i) requests.push_back(begin_capture(id, fmt::format("c-{}", i), 1500));
  int begun = 0;
  for (PendingPtr const& request : requests) {
    Answered const answer = await(request);
    begun += answer.status == 201;
    EXPECT_TRUE(answer.status == 201 || answer.code() == "capture_in_progress" ||
                answer.code() == "payment_not_capturable")
        << answer.body;
  }
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(taken("A1"), 1500);
}

TEST_F(HttpCaptures, CaptureAndVoidAtOnceEndInOneTruth) {
  for (std::string const order_id : {"A1", "A2", "A3", "A4"}) {
    std::string const id = held(order_id);
    PendingPtr const capturing = begin_capture(id, "c-" + order_id, 1999);
    Answered const canceled = call("POST", "/v1/payments/" + id + "/cancel", "", {{"Prefer", "wait=10"}});
    Answered const captured = await(capturing);
    std::string const state = payment(id).text("state");
    EXPECT_EQ(state == "SUCCEEDED", captured.status == 201) << captured.body << canceled.body;
    EXPECT_EQ(taken(order_id), state == "SUCCEEDED" ? 1999 : 0);
  }
}

TEST_F(HttpCaptures, AHoldThatEndedCanNotBeCapturedAndTheOrderCanBePaidAgain) {
  std::string const id = held("A1", "short_hold");
  pass(300ms);
  Answered const late = capture(id, "c-1", 1999);
  EXPECT_TRUE(late.text("state") == "C_FAILED" || late.code() == "payment_not_capturable") << late.body;
  await_state(id, "FAILED");
  EXPECT_EQ(pay("A1", "k-again").text("state"), "AUTHORIZED");
  EXPECT_EQ(taken("A1"), 0);
}

TEST_F(HttpCaptures, ARefusedCaptureLeavesTheHoldAndCallsAPerson) {
  std::string const id = held("A1");
  fault("capture", "decline");
  EXPECT_EQ(capture(id, "c-1", 1999).text("state"), "C_FAILED");
  EXPECT_FALSE(payment(id).text("needs_review").empty());
  EXPECT_EQ(capture(id, "c-2", 1999).text("state"), "C_SUCCEEDED");
  EXPECT_TRUE(payment(id).text("needs_review").empty());
}

TEST_F(HttpCaptures, AMalformedRequestNamesItsField) {
  std::string const id = held("A1");
  auto const field = [&](std::string const& body) {
    return call("POST", "/v1/payments/" + id + "/captures", body, {{"Idempotency-Key", "c-1"}}).text("field");
  };
  EXPECT_EQ(field(R"({})"), "amount");
  EXPECT_EQ(field(R"({"amount":0})"), "amount");
  EXPECT_EQ(field(R"({"amount":1,"final":"yes"})"), "final");
  EXPECT_EQ(field(R"({"amount":1,"currency":"EUR"})"), "currency");
  EXPECT_EQ(call("POST", "/v1/payments/" + id + "/captures", R"({"amount":1})").code(), "idempotency_key_missing");
  EXPECT_EQ(
      call_as(other_key, "POST", "/v1/payments/" + id + "/captures", R"({"amount":1})", {{"Idempotency-Key", "c-1"}})
          .status,
      404);
  EXPECT_EQ(call("GET", "/v1/captures/cap_unknown").status, 404);
  EXPECT_EQ(call("PUT", "/v1/orders/A2", R"({"amount":1,"currency":"USD","capture":"later"})").text("field"),
            "capture");
}

}  // namespace payonce::test
