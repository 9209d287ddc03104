// The protocol of the sandbox bank over real HTTP, its control plane and its pages.
#include "sandbox/server_fixture_test.h"

namespace payonce::sandbox {
namespace {

TEST_F(SandboxServerTest, a_charge_is_answered_as_the_protocol_says_and_the_same_when_it_is_repeated) {
  start();
  auto const answer = charge("pay_1");
  EXPECT_EQ(answer.status, 200);
  json::object const body = object(answer);
  EXPECT_TRUE(body.at("id").as_string().starts_with("ch_"));
  for (auto const& [name, value] : json::object{{"number", "pay_1"},
                                                {"order", "A1"},
                                                {"status", "succeeded"},
                                                {"amount", 1999},
                                                {"currency", "USD"},
                                                {"code", ""},
                                                {"message", ""},
                                                {"action_url", ""},
                                                {"account", "sandbox-account"}})
    EXPECT_EQ(body.at(name), value) << name;
  EXPECT_EQ(charge("pay_1").body, answer.body);
  EXPECT_EQ(call("GET", "/v1/charges/pay_1").body, answer.body);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxServerTest, refusals_have_their_status_and_code) {
  start();
  auto const declined = charge("pay_2", "decline");
  EXPECT_EQ(declined.status, 402);
  EXPECT_EQ(object(declined).at("status"), "declined");
  EXPECT_EQ(object(declined).at("code"), "card_declined");
  EXPECT_EQ(call("GET", "/v1/charges/pay_2").status, 200);

  charge("pay_1");
  auto const reused = charge("pay_1", "card", 2000);
  EXPECT_EQ(reused.status, 409);
  EXPECT_EQ(object(reused).at("code"), "number_reused");
  EXPECT_EQ(object(reused).at("field"), "amount");

  auto const unknown = call("GET", "/v1/charges/pay_9");
  EXPECT_EQ(unknown.status, 404);
  EXPECT_EQ(object(unknown).at("code"), "charge_not_found");
  EXPECT_EQ(object(call("GET", "/v1/refunds/ref_9")).at("code"), "refund_not_found");
  EXPECT_EQ(object(charge("pay_3", "barter")).at("code"), "unknown_method");
  EXPECT_EQ(call("GET", "/v1/elsewhere").status, 404);
}

TEST_F(SandboxServerTest, malformed_requests_are_refused_and_charge_nothing) {
  start();
  std::string_view const bodies[] = {
      "",
      "[]",
      R"({"order":"A1","amount":1,"currency":"USD"})",
      R"({"number":"pay 1","order":"A1","amount":1,"currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":0,"currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":1.5,"currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":"1","currency":"USD"})",
      R"({"number":"pay_1","order":"A1","amount":1,"currency":"usd"})",
      R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD","expires_at":"tomorrow"})",
  };
  for (auto const body : bodies) {
    auto const answer = call("POST", "/v1/charges", std::string{body});
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(object(answer).at("code"), "invalid_request");
  }
  auto const other_key = call("POST", "/v1/charges", R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD"})",
                              {{"Idempotency-Key", "pay_2"}});
  EXPECT_EQ(other_key.status, 400);
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, a_secret_guards_the_merchants_calls_only) {
  options.api_secret = "sk_test";
  start();
  EXPECT_EQ(charge("pay_1").status, 401);
  EXPECT_EQ(call("GET", "/v1/charges/pay_1", {}, {{"Authorization", "Bearer sk_tesT"}}).status, 401);
  EXPECT_EQ(call("GET", "/v1/charges/pay_1", {}, {{"Authorization", "Bearer sk_test"}}).status, 404);
  EXPECT_EQ(call("GET", "/healthz").status, 200);
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, a_closed_number_is_barred_also_after_a_restart) {
  start();
  auto const closed = call("POST", "/v1/charges/pay_1/close");
  EXPECT_EQ(closed.status, 200);
  EXPECT_EQ(object(closed).at("status"), "closed");
  start();
  auto const refused = charge("pay_1");
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(object(refused).at("status"), "closed");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "closed");
  EXPECT_EQ(ledger().at("barred"), json::array{"pay_1"});
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxServerTest, refunds_are_answered_as_the_protocol_says) {
  start();
  charge("pay_1");
  auto const done = refund("ref_1", 1000);
  EXPECT_EQ(done.status, 200);
  EXPECT_EQ(object(done).at("status"), "succeeded");
  EXPECT_EQ(object(done).at("charge_number"), "pay_1");
  EXPECT_EQ(refund("ref_1", 1000).body, done.body);
  EXPECT_EQ(call("GET", "/v1/refunds/ref_1").body, done.body);
  auto const refused = refund("ref_2", 1000);
  EXPECT_EQ(refused.status, 402);
  EXPECT_EQ(object(refused).at("code"), "exceeds_charge");
  EXPECT_EQ(refund("ref_1", 999).status, 409);
  json::object const sums = ledger().at("by_order").at("A1").as_object();
  EXPECT_EQ(sums.at("charged"), 1);
  EXPECT_EQ(sums.at("charged_minor"), 1999);
  EXPECT_EQ(sums.at("refunded_minor"), 1000);
}

TEST_F(SandboxServerTest, a_forgetful_bank_charges_every_request) {
  options.forgetful = true;
  start();
  charge("pay_1");
  charge("pay_1");
  EXPECT_EQ(charges(), 2u);
  EXPECT_EQ(ledger().at("by_order").at("A1").at("charged"), 2);
}

// The control plane and the pages.

TEST_F(SandboxServerTest, faults_are_listed_cleared_and_refused_when_they_make_no_sense) {
  start();
  fault("create", "late", 7, 2);
  auto const queued = object(call("GET", "/faults")).at("queued").as_array();
  ASSERT_EQ(queued.size(), 1u);
  EXPECT_EQ(queued[0],
            (json::object{{"call", "create"}, {"fault", "late"}, {"order", ""}, {"times", 2}, {"delay_ms", 7}}));
  EXPECT_EQ(call("DELETE", "/faults").status, 200);
  EXPECT_EQ(object(call("GET", "/faults")).at("queued").as_array().size(), 0u);
  for (std::string_view const body : {R"({"call":"create","fault":"twice"})", R"({"call":"create","fault":"explode"})",
                                      R"({"call":"x","fault":"late"})", R"({"call":"create","fault":"late","time":2})",
                                      R"({"call":"create","fault":"late","times":0})"})
    EXPECT_EQ(call("POST", "/faults", std::string{body}).status, 400) << body;
}

TEST_F(SandboxServerTest, a_fault_for_an_order_leaves_the_others_alone) {
  start();
  call("POST", "/faults", R"({"call":"create","fault":"decline","order":"A2"})");
  EXPECT_EQ(charge("pay_1").status, 200);
  auto const other = call("POST", "/v1/charges", R"({"number":"pay_2","order":"A2","amount":1,"currency":"USD"})");
  EXPECT_EQ(other.status, 402);
}

TEST_F(SandboxServerTest, rates_hit_their_calls) {
  start();
  auto const set = call("PUT", "/rates", R"({"seed":7,"create":{"answer_500_after":1},"query":{"late":0.5}})");
  EXPECT_EQ(set.status, 200);
  EXPECT_EQ(object(set).at("rates").at("create").at("answer_500_after"), 1.0);
  EXPECT_EQ(charge("pay_1").status, 500);
  EXPECT_EQ(call("PUT", "/rates", "{}").status, 200);
  EXPECT_EQ(charge("pay_1").status, 200);
  for (std::string_view const body : {R"({"create":{"twice":0.1}})", R"({"create":{"late":1.5}})", R"({"made_up":{}})",
                                      R"({"create":{"late":0.6,"decline":0.6}})"})
    EXPECT_EQ(call("PUT", "/rates", std::string{body}).status, 400) << body;
}

TEST_F(SandboxServerTest, the_ledger_counts_calls_and_can_be_asked_for_one_order) {
  start();
  charge("pay_1");
  charge("pay_1");
  call("GET", "/v1/charges/pay_1");
  call("POST", "/v1/charges", R"({"number":"pay_2","order":"B/2","amount":7,"currency":"JPY"})");
  json::array const calls = ledger().at("calls").as_array();
  ASSERT_EQ(calls.size(), 4u);
  EXPECT_EQ(calls[1].at("call"), "create");
  EXPECT_EQ(calls[1].at("number"), "pay_1");
  EXPECT_EQ(calls[2].at("call"), "query");
  EXPECT_EQ(calls[2].at("order"), "A1");
  auto const one = object(call("GET", "/ledger?order=B%2F2"));
  EXPECT_EQ(one.at("charges").as_array().size(), 1u);
  EXPECT_EQ(one.at("calls").as_array().size(), 1u);
  EXPECT_EQ(one.at("by_order"), (json::object{{"B/2", {{"charged", 1}, {"charged_minor", 7}, {"refunded_minor", 0}}}}));
}

TEST_F(SandboxServerTest, a_person_approves_or_refuses_on_the_page) {
  start_with_notices();
  auto const open = charge("pay_1", "approve");
  EXPECT_EQ(object(open).at("status"), "requires_action");
  EXPECT_EQ(object(open).at("action_url").as_string(), sandbox->url() + "/pay/pay_1");
  auto const page = call("GET", "/pay/pay_1");
  EXPECT_EQ(page.status, 200);
  EXPECT_NE(page.body.find("action=\"/pay/pay_1/approve\""), std::string::npos);
  EXPECT_NE(page.body.find("19.99 USD"), std::string::npos);
  EXPECT_NE(page.body.find("确认支付"), std::string::npos);
  EXPECT_NE(call("GET", "/").body.find("/pay/pay_1"), std::string::npos);

  auto const approved = call("POST", "/pay/pay_1/approve");
  EXPECT_EQ(approved.status, 303);
  EXPECT_EQ(approved.header("Location"), "/pay/pay_1");
  await_notices(1);
  EXPECT_EQ(notice(0).at("status"), "succeeded");
  EXPECT_EQ(call("GET", "/pay/pay_1").body.find("<form"), std::string::npos);
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "succeeded");

  charge("pay_2", "approve");
  call("POST", "/pay/pay_2/refuse");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_2")).at("code"), "buyer_refused");
  EXPECT_EQ(call("GET", "/pay/pay_9").status, 404);
  EXPECT_EQ(call("POST", "/pay/pay_9/approve").status, 404);
}

TEST_F(SandboxServerTest, what_callers_wrote_does_no_harm_on_the_pages) {
  start();
  json::object const body{{"number", "pay_1"}, {"order", "<script>\"&'"}, {"amount", 1}, {"currency", "USD"}};
  call("POST", "/v1/charges", json::serialize(body));
  for (std::string const target : {"/", "/pay/pay_1"}) {
    auto const page = call("GET", target).body;
    EXPECT_EQ(page.find("<script>"), std::string::npos) << target;
    EXPECT_NE(page.find("&lt;script&gt;&quot;&amp;&#39;"), std::string::npos) << target;
  }
  EXPECT_EQ(call("GET", "/pay/%3Cscript%3E").body.find("<script>"), std::string::npos);
}

TEST_F(SandboxServerTest, a_journal_that_is_damaged_or_in_use_stops_the_start) {
  start();
  auto const second = SandboxServer::start(options, {.loop = loop, .clock = clock, .random = random, .client = client});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().detail.find("in use"), std::string::npos);
}

}  // namespace
}  // namespace payonce::sandbox
