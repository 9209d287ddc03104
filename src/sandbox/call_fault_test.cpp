// Every fault of a call, over real HTTP: what the caller sees, and what the ledger says.
#include "sandbox/server_fixture_test.h"

namespace payonce::sandbox {
namespace {

class SandboxCallFaultTest : public SandboxServerTest {};

TEST_F(SandboxCallFaultTest, fault_drop_after_charges_and_answers_nothing) {
  start();
  fault("create", "drop_after");
  EXPECT_EQ(charge("pay_1").delivery, Delivery::in_doubt);
  EXPECT_EQ(charges(), 1u);
  EXPECT_EQ(object(charge("pay_1")).at("status"), "succeeded");
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxCallFaultTest, fault_drop_before_charges_nothing) {
  start();
  fault("create", "drop_before");
  EXPECT_EQ(charge("pay_1").delivery, Delivery::in_doubt);
  EXPECT_EQ(charges(), 0u);
}

TEST_F(SandboxCallFaultTest, fault_late_charges_at_once_and_answers_after_the_delay) {
  start();
  fault("create", "late", 80);
  auto const begun = clock.monotonic();
  HttpAnswer late;
  send("POST", "/v1/charges", R"({"number":"pay_1","order":"A1","amount":1,"currency":"USD"})", [&](HttpAnswer answer) {
    late = std::move(answer);
    EXPECT_GE(clock.monotonic() - begun, 80ms);
    loop.stop();
  });
  while (charges() == 0) {
  }
  EXPECT_EQ(late.status, 0) << "charged before it was answered";
  while (late.status == 0) loop.run();
  EXPECT_EQ(object(late).at("status"), "succeeded");
}

TEST_F(SandboxCallFaultTest, fault_late_before_charges_only_after_the_delay) {
  start();
  fault("create", "late_before", 50);
  auto const begun = clock.now();
  EXPECT_EQ(object(charge("pay_1")).at("status"), "succeeded");
  auto const created = parse_rfc3339(ledger().at("charges").at(0).at("created_at").as_string().c_str());
  EXPECT_GE(*created - begun, 50ms);
}

TEST_F(SandboxCallFaultTest, faults_of_server_errors_before_and_after) {
  start();
  fault("create", "answer_500_before");
  EXPECT_EQ(charge("pay_1").status, 500);
  fault("create", "answer_503_before");
  EXPECT_EQ(charge("pay_1").status, 503);
  EXPECT_EQ(charges(), 0u);
  fault("create", "answer_500_after");
  EXPECT_EQ(charge("pay_1").status, 500);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxCallFaultTest, fault_nonsense_answers_200_with_what_is_not_json) {
  start();
  fault("create", "nonsense");
  auto const answer = charge("pay_1", "decline");
  EXPECT_EQ(answer.status, 200);
  boost::system::error_code error;
  json::parse(answer.body, error);
  EXPECT_TRUE(error);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(SandboxCallFaultTest, faults_of_untrue_answers) {
  start();
  fault("create", "nonsense_json");
  auto const odd = charge("pay_1");
  EXPECT_EQ(odd.status, 200);
  EXPECT_EQ(object(odd).at("status"), "sideways");
  fault("query", "in_progress");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "pending");
  EXPECT_EQ(object(call("GET", "/v1/charges/pay_1")).at("status"), "succeeded");
  fault("refund", "in_progress");
  EXPECT_EQ(object(refund("ref_1", 1)).at("status"), "pending");
  EXPECT_EQ(object(call("GET", "/v1/refunds/ref_1")).at("status"), "succeeded");
  fault("close", "in_progress");
  EXPECT_EQ(object(call("POST", "/v1/charges/pay_2/close")).at("status"), "pending");
}

TEST_F(SandboxCallFaultTest, faults_that_decline) {
  start();
  fault("create", "decline");
  EXPECT_EQ(charge("pay_2").status, 402);
  charge("pay_1");
  fault("refund", "decline");
  EXPECT_EQ(object(refund("ref_1", 1)).at("code"), "refund_declined");

  fault("create", "decline_then_succeed");
  EXPECT_EQ(charge("pay_3").status, 402);
  while (object(call("GET", "/v1/charges/pay_3")).at("status") != "succeeded") {
  }
  EXPECT_EQ(object(charge("pay_3")).at("status"), "succeeded");
}

TEST_F(SandboxCallFaultTest, fault_trickle_answers_in_small_pieces) {
  start();
  fault("query", "trickle", 2);
  charge("pay_1");
  auto const begun = clock.monotonic();
  auto const answer = call("GET", "/v1/charges/pay_1");
  EXPECT_EQ(object(answer).at("status"), "succeeded");
  // 16 bytes a piece, with a pause before each.
  EXPECT_GE(clock.monotonic() - begun, 2ms * static_cast<int>(answer.body.size() / 16));
}

TEST_F(SandboxCallFaultTest, fault_restart_charges_dies_and_remembers) {
  start();
  fault("create", "restart");
  EXPECT_EQ(charge("pay_1").delivery, Delivery::in_doubt);
  EXPECT_EQ(kills, 1);
  start();
  EXPECT_EQ(charges(), 1u);
  EXPECT_EQ(object(charge("pay_1")).at("status"), "succeeded");
  EXPECT_EQ(charges(), 1u);
  json::array const calls = ledger().at("calls").as_array();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls.at(0).at("fault"), "restart");
  EXPECT_EQ(calls.at(1).at("fault"), "");
}

}  // namespace
}  // namespace payonce::sandbox
