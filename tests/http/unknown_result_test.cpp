// When the provider's answer is lost, late or says nothing: UNKNOWN, never FAILED, and asked until it is known.
#include "http/api_fixture.h"

namespace payonce::test {

// The provider's trouble with one call, and whether it charged.
struct Trouble {
  char const* fault;
  std::int64_t delay_ms;
};
class HttpApiTrouble : public HttpApi, public testing::WithParamInterface<Trouble> {};

TEST_P(HttpApiTrouble, EndsInOneChargeAndNobodyHearsAFailure) {
  register_order("A1");
  fault("create", GetParam().fault, GetParam().delay_ms);
  Answered const first = pay("A1", "k-1", "", "wait=0");
  EXPECT_EQ(first.status, 202);
  std::string const id = first.text("id");
  until([&] {
    Answered const again = pay("A1", "k-1", "", "wait=0");
    EXPECT_LT(again.status, 300) << again.body;
    EXPECT_EQ(again.text("id"), id);
    EXPECT_NE(again.text("state"), "FAILED");
    return again.text("state") == "SUCCEEDED";
  });
  EXPECT_EQ(charged("A1"), 1);
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
}

INSTANTIATE_TEST_SUITE_P(Create, HttpApiTrouble,
                         testing::Values(Trouble{"drop_before", -1}, Trouble{"drop_after", -1}, Trouble{"late", 600},
                                         Trouble{"late_before", 600}, Trouble{"answer_500_before", -1},
                                         Trouble{"answer_500_after", -1}, Trouble{"answer_503_before", -1},
                                         Trouble{"nonsense", -1}, Trouble{"nonsense_json", -1},
                                         Trouble{"in_progress", -1}, Trouble{"trickle", 100}),
                         [](auto const& row) { return std::string{row.param.fault}; });

TEST_F(HttpApi, C22_ASecondCallWhileTheFirstIsUnknownMakesNoSecondCreate) {
  register_order("A1");
  fault("create", "drop_after");
  fault("query", "answer_503_before", 0, 1000);
  fault("notice", "never");
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  await_state(id, "UNKNOWN");
  for (int i = 0; i < 5; ++i) {
    Answered const again = pay("A1", "k-1", "", "wait=0");
    EXPECT_EQ(again.status, 202);
    EXPECT_TRUE(again.is_replay());
    EXPECT_EQ(again.text("state"), "UNKNOWN");
    EXPECT_EQ(again.object().at("message").at("en").as_string(), "Confirming your payment. Please do not pay again.");
  }
  EXPECT_EQ(bank_calls("A1"), 1);
  auto const waiting = begin_pay("A1", "k-1");
  bank("DELETE", "/faults");
  EXPECT_EQ(await(waiting).text("state"), "SUCCEEDED");
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, C18_AfterTheProviderMayHaveBeenCalledARepeatShowsThePayment) {
  register_order("A1");
  fault("create", "answer_500_after");
  fault("query", "answer_500_before", 0, 2);
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  EXPECT_EQ(pay("A1", "k-1", "", "wait=0").text("id"), id);
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C23_NotFoundRightAfterATimeOutIsNotAFailure) {
  stop_service();
  // A bank that charges every request: nothing may be sent again, so that only the query and the notice can tell.
  settings.providers.at(0).is_forgetful = true;
  settings.providers.at(0).request_life = 60s;
  start_service();
  register_order("A1");
  fault("create", "late_before", 1'000);
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  until([&] { return bank_calls("A1", "query") + bank_calls("", "query") >= 2; });
  EXPECT_EQ(payment(id).text("state"), "UNKNOWN");
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(bank_calls("A1"), 1);
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C24_InProgressIsNeitherFailureNorSuccess) {
  register_order("A1");
  fault("create", "in_progress");
  fault("query", "in_progress", 0, 2);
  fault("notice", "never");
  Answered const first = pay("A1", "k-1", "", "wait=0");
  EXPECT_EQ(first.status, 202);
  std::string const id = first.text("id");
  until([&] { return payment(id).text("provider_code") == "pending"; });
  EXPECT_EQ(payment(id).text("state"), "PROCESSING");
  EXPECT_EQ(pay("A1", "k-2").status, 409);
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, C24_ADeclineThatBecomesASuccessIsBelieved) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", "decline_then_succeed").text("id");
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
}

TEST_F(HttpApi, C26_WhatWasUnderWayIsTakenUpAfterARestart) {
  register_order("A1");
  fault("create", "drop_after");
  fault("query", "answer_503_before", 0, 1000);
  fault("notice", "never");
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  await_state(id, "UNKNOWN");
  restart_service();
  EXPECT_EQ(payment(id).text("state"), "UNKNOWN");
  bank("DELETE", "/faults");
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C26_AnUnknownThatStaysGetsAPersonAndIsAskedOn) {
  stop_service();
  settings.providers.at(0).unknown_alarm_after = 100ms;
  start_service();
  register_order("A1");
  fault("create", "drop_after");
  fault("query", "answer_503_before", 0, 1000);
  fault("notice", "never");
  std::string const id = pay("A1", "k-1", "", "wait=0").text("id");
  until([&] { return !call("GET", "/v1/reviews").list("payments").empty(); });
  EXPECT_EQ(call("GET", "/v1/reviews").list("payments").at(0).at("id").as_string(), id);
  EXPECT_NE(payment(id).text("needs_review").find("unresolved since"), std::string::npos);
  EXPECT_TRUE(call_as(other_key, "GET", "/v1/reviews").list("payments").empty());
  bank("DELETE", "/faults");
  await_state(id, "SUCCEEDED");
  EXPECT_TRUE(call("GET", "/v1/reviews").list("payments").empty());
}

TEST_F(HttpApi, C27_ProcessingIsCommittedBeforeTheProviderIsCalled) {
  register_order("A1");
  fault("create", "late", 200);
  auto const first = begin_pay("A1", "k-1");
  until([&] { return bank_calls("A1") == 1; });
  Answered const second = pay("A1", "k-2");
  EXPECT_EQ(second.status, 409);
  EXPECT_EQ(second.object().at("payment").at("state").as_string(), "PROCESSING");
  EXPECT_EQ(await(first).text("state"), "SUCCEEDED");
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, AProviderThatCanNotBeReachedIsNoErrorOfOurs) {
  register_order("A1");
  fault("notice", "never");
  std::string const url = settings.providers.at(0).url;
  stop_service();
  settings.providers.at(0).url = "http://127.0.0.1:1";
  start_service();
  Answered const first = pay("A1", "k-1", "", "wait=0");
  EXPECT_EQ(first.status, 202);
  stop_service();
  settings.providers.at(0).url = url;
  start_service();
  EXPECT_EQ(await_state(first.text("id"), "SUCCEEDED").text("evidence"), "response");
  EXPECT_EQ(charged("A1"), 1);
}

}  // namespace payonce::test
