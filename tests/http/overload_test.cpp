// A slow provider and a slow receiver of effects, as callers see them: early answers, bounded work, nothing lost.
#include "http/api_fixture.h"

namespace payonce::test {

TEST_F(HttpApi, ASlowProviderIsGivenNoMoreThanItKeepsUpWith) {
  settings.providers[0].calls_max = 3;
  settings.providers[0].call_timeout = 20s;
  restart_service();
  fault("create", "late", 3'000, 3);
  for (std::string const n : {"1", "2", "3"}) {
    register_order("A" + n);
    EXPECT_EQ(pay("A" + n, "k-" + n, {}, "wait=0").status, 202);
  }
  register_order("A4");
  Answered const shed = pay("A4", "k-4", {}, "wait=0");
  EXPECT_EQ(shed.status, 503) << shed.body;
  EXPECT_EQ(shed.code(), "overloaded");
  EXPECT_EQ(shed.header("Retry-After"), "1");
  EXPECT_TRUE(list_of("A4", "payments").empty()) << "before any attempt exists";
  EXPECT_EQ(bank_calls("A4"), 0);

  Answered const replay = pay("A1", "k-1", {}, "wait=0");
  EXPECT_TRUE(replay.is_replay()) << "who has a payment gets its answer";
  register_order("A5");
  Answered const other = call("POST", "/v1/payments", R"({"order_id":"A5","provider":"instant"})",
                              {{"Idempotency-Key", "k-5"}, {"Prefer", "wait=10"}});
  EXPECT_EQ(other.text("state"), "SUCCEEDED") << "another provider has nothing to do with it: " << other.body;

  EXPECT_EQ(await_state(replay.text("id"), "SUCCEEDED").status, 200);
  EXPECT_EQ(pay("A4", "k-4").text("state"), "SUCCEEDED") << "the same key, once there is room";
}

TEST_F(HttpApi, AReceiverThatNeverAnswersHoldsFewDeliveriesAndNoOtherEffect) {
  std::vector<Respond> held;
  std::size_t taken = 0;
  bool holds = true;
  auto slow = std::move(*HttpServer::listen(loop, {}, [&](HttpRequest const&, Respond respond) {
    if (holds) return held.push_back(std::move(respond));
    ++taken;
    respond({.status = 200});
  }));
  settings.merchants[0].effects[0].url = "http://127.0.0.1:" + std::to_string(slow->port()) + "/ship";
  restart_service();
  constexpr int payments = 200;
  for (int n = 1; n <= payments; ++n) {
    std::string const order = "A" + std::to_string(n);
    Answered const paid = call(
        "POST", "/v1/payments",
        R"({"order_id":")" + order + R"(","amount":1999,"currency":"USD","register_order":true,"provider":"instant"})",
        {{"Idempotency-Key", order}, {"Prefer", "wait=10"}});
    ASSERT_EQ(paid.text("state"), "SUCCEEDED") << paid.body;
  }
  until([&] { return deliveries_of("/points") == payments; });
  EXPECT_GT(held.size(), 0U);
  EXPECT_LE(held.size(), 128U);
  holds = false;
  for (Respond& respond : held) respond({.status = 200});
  until([&] { return held.size() + taken >= payments; });
  service.reset();
}

}  // namespace payonce::test
