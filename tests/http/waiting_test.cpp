// Waiting for an outcome, giving a payment up, what a person decides, and a service that stops meanwhile.
#include "http/api_fixture.h"

namespace payonce::test {

TEST_F(HttpApi, ALongPollWakesOnChange) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  auto const started = clock.monotonic();
  auto const waiting = send("GET", "/v1/payments/" + id + "?wait=30");
  pass(50ms);
  EXPECT_FALSE(waiting->done);
  bank("POST", "/notices", {{"number", id}, {"type", "charge.succeeded"}});
  EXPECT_EQ(await(waiting).text("state"), "SUCCEEDED");
  EXPECT_LT(clock.monotonic() - started, 10s);
}

TEST_F(HttpApi, ALongPollEndsAtItsTimeAndIsNotNeededAfterTheEnd) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  auto const started = clock.monotonic();
  EXPECT_EQ(call("GET", "/v1/payments/" + id + "?wait=1").text("state"), "REQUIRES_ACTION");
  EXPECT_GE(clock.monotonic() - started, 1s);
  bank("POST", "/notices", {{"number", id}, {"type", "charge.succeeded"}});
  EXPECT_EQ(call("GET", "/v1/payments/" + id + "?wait=60").text("state"), "SUCCEEDED");
  EXPECT_LT(clock.monotonic() - started, 30s);
  for (auto const* const wait : {"61", "-1", "1.5", "", "x", "99999999999"})
    EXPECT_EQ(call("GET", "/v1/payments/" + id + "?wait=" + wait).text("field"), "wait") << wait;
}

TEST_F(HttpApi, ALongPollSeesWhatAnotherNodeDid) {
  auto other = Service::start(loop, settings, "");
  ASSERT_TRUE(other) << other.error().detail;
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  auto const waiting = send("GET", "/v1/payments/" + id + "?wait=1");
  pass(50ms);
  sandbox->service().set_notify_url("http://127.0.0.1:" + std::to_string((*other)->port()) + "/v1/notices/sandbox");
  EXPECT_EQ(notify({{"number", id}, {"type", "charge.succeeded"}}), std::vector{200});
  EXPECT_FALSE(waiting->done);
  EXPECT_EQ(await(waiting).text("state"), "SUCCEEDED");
  bool stopped = false;
  (*other)->stop([&] { stopped = true; });
  until([&] { return stopped; });
}

TEST_F(HttpApi, ACallerThatGoesAwayChangesNothing) {
  register_order("A1");
  fault("create", "late", 200);
  HttpCall impatient;
  impatient.method = "POST";
  impatient.url = "http://127.0.0.1:" + std::to_string(service->port()) + "/v1/payments";
  impatient.headers = {{"Authorization", "Bearer " + shop_key}, {"Idempotency-Key", "k-1"}};
  impatient.body = R"({"order_id":"A1"})";
  impatient.total_timeout = 50ms;
  bool gone = false;
  client.send(std::move(impatient), [&](HttpAnswer const& answer) {
    EXPECT_EQ(answer.delivery, Delivery::in_doubt);
    gone = true;
  });
  until([&] { return gone; });
  EXPECT_EQ(pay("A1", "k-1").text("state"), "SUCCEEDED");
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, CancelingEndsWithTheBanksProof) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  Answered const canceled = call("POST", "/v1/payments/" + id + "/cancel");
  EXPECT_EQ(canceled.status, 200);
  EXPECT_EQ(canceled.text("state"), "CANCELED");
  EXPECT_EQ(canceled.text("retry"), "new_key");
  EXPECT_EQ(bank_calls("A1", "close"), 1);
  Answered const again = call("POST", "/v1/payments/" + id + "/cancel");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, canceled.body);
  EXPECT_EQ(pay("A1", "k-1", "approve").body, canceled.body) << "the old key shows the end";
  EXPECT_EQ(pay("A1", "k-2").text("state"), "SUCCEEDED");
}

TEST_F(HttpApi, AlreadyPaidWinsOverCancel) {
  register_order("A1");
  fault("create", "drop_after");
  fault("query", "answer_503_before", 0, 1000);
  fault("notice", "never");
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  await_state(id, "UNKNOWN");
  Answered const answer = call("POST", "/v1/payments/" + id + "/cancel");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.text("state"), "SUCCEEDED");
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
  EXPECT_EQ(call("POST", "/v1/payments/" + id + "/cancel").code(), "payment_not_cancelable");
}

TEST_F(HttpApi, WithoutProofCancelIsAWish) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  fault("close", "answer_503_before", 0, 1000);
  Answered const answer = call("POST", "/v1/payments/" + id + "/cancel", "", {{"Prefer", "wait=0"}});
  EXPECT_EQ(answer.status, 202);
  EXPECT_EQ(pay("A1", "k-2").status, 409);
  bank("DELETE", "/faults");
  await_state(id, "CANCELED");
}

TEST_F(HttpApi, APersonSettlesWhatNobodyElseCan) {
  register_order("A1");
  fault("create", "drop_after");
  fault("query", "answer_503_before", 0, 1000);
  fault("notice", "never");
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  await_state(id, "UNKNOWN");
  std::string const target = "/v1/payments/" + id + "/resolve";
  Answered const pending = call("POST", target, R"({"outcome":"pending","document":"d","reason":"r"})");
  EXPECT_EQ(pending.status, 422);
  EXPECT_EQ(pending.code(), "evidence_refused");
  EXPECT_EQ(call("POST", target, R"({"outcome":"maybe","document":"d","reason":"r"})").text("field"), "outcome");
  EXPECT_EQ(call("POST", target, R"({"outcome":"succeeded","document":"d"})").text("field"), "reason");
  Answered const resolved = call("POST", target, R"({"outcome":"succeeded","document":"line 17","reason":"by phone"})");
  EXPECT_EQ(resolved.status, 200);
  EXPECT_EQ(resolved.text("state"), "SUCCEEDED");
  EXPECT_EQ(resolved.text("evidence"), "operator");
  bool is_signed = false;
  for (auto const& event : call("GET", "/v1/events").list("events")) {
    auto const* actor = event.as_object().if_contains("actor");
    is_signed = is_signed || (actor && actor->as_string() == "till");
  }
  EXPECT_TRUE(is_signed) << "the timeline says who";
}

TEST_F(HttpApi, StoppingAnswersWhatIsInFlight) {
  register_order("A1");
  fault("create", "late", 250);
  auto const paying = begin_pay("A1", "k-1", "", "wait=30");
  until([&] { return bank_calls("A1") == 1; });
  stop_service();
  // The answer has left the service; the client may still be reading it.
  Answered const answer = await(paying);
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.text("state"), "SUCCEEDED");
  start_service();
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
}

TEST_F(HttpApi, StoppingDoesNotMakeALongPollWaitForNothing) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "approve").text("id");
  auto const waiting = send("GET", "/v1/payments/" + id + "?wait=60");
  pass(100ms);
  auto const started = clock.monotonic();
  stop_service();
  EXPECT_EQ(await(waiting).status, 200);
  EXPECT_LT(clock.monotonic() - started, 3s);
  start_service();
}

}  // namespace payonce::test
