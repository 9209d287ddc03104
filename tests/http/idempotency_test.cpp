// The Idempotency-Key, rule by rule (docs/reference/idempotency.md).
#include "http/api_fixture.h"

namespace payonce::test {

TEST_F(HttpApi, TheSameRequestGetsTheSameAnswerWordForWord) {
  register_order("A1");
  Answered const first = pay("A1", "k-1");
  EXPECT_EQ(first.status, 201);
  EXPECT_FALSE(first.is_replay());
  EXPECT_EQ(first.text("state"), "SUCCEEDED");
  EXPECT_EQ(first.text("retry"), "none");
  Answered const second = pay("A1", "k-1");
  EXPECT_EQ(second.status, 200);
  EXPECT_TRUE(second.is_replay());
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, AReplayOutlivesTheProcess) {
  register_order("A1");
  Answered const first = pay("A1", "k-1");
  restart_service();
  Answered const second = pay("A1", "k-1");
  EXPECT_EQ(second.status, 200);
  EXPECT_TRUE(second.is_replay());
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, AReplayIsAnsweredWhateverBecameOfTheSettings) {
  register_order("A1");
  Answered const first = pay("A1", "k-1");
  stop_service();
  settings.merchants.at(0).providers = {"instant"};
  start_service();
  // The key is looked up before the provider is checked, and what is left out means what it meant then.
  EXPECT_EQ(pay("A1", "k-1").body, first.body);
  EXPECT_EQ(pay("A1", "\"k-1\"").body, first.body) << "the quoted form is the same key";
}

TEST_F(HttpApi, AnotherRequestUnderTheKeyIsRefusedByTheNameOfTheField) {
  register_order("A1");
  register_order("A2");
  std::string const id = pay("A1", "k-1", "tok_a").text("id");
  struct Row {
    char const* body;
    char const* field;
  };
  for (auto const& [body, field] : {
           Row{R"({"order_id":"A2","method":"tok_a"})", "order_id"},
           Row{R"({"order_id":"nowhere","method":"tok_a"})", "order_id"},
           Row{R"({"order_id":"A1","method":"tok_a","amount":2000})", "amount"},
           Row{R"({"order_id":"A1","method":"tok_a","currency":"EUR"})", "currency"},
           Row{R"({"order_id":"A1","method":"tok_a","provider":"instant"})", "provider"},
           Row{R"({"order_id":"A1","method":"tok_a","provider":"nobody"})", "provider"},
           Row{R"({"order_id":"A1","method":"tok_b"})", "method"},
           Row{R"({"order_id":"A1"})", "method"},
       }) {
    Answered const answer = call("POST", "/v1/payments", body, {{"Idempotency-Key", "k-1"}});
    EXPECT_EQ(answer.status, 422) << body;
    EXPECT_EQ(answer.code(), "idempotency_key_reused") << body;
    EXPECT_EQ(answer.text("field"), field) << body;
    EXPECT_EQ(answer.text("retry"), "new_key") << body;
    EXPECT_NE(answer.text("detail").find("use a new key"), std::string::npos) << answer.body;
  }
  Answered const same =
      call("POST", "/v1/payments",
           R"( {"currency":"USD", "amount":1999, "metadata":{"cart":"7"}, "method":"tok_a", "order_id":"A1"} )",
           {{"Idempotency-Key", "k-1"}});
  EXPECT_EQ(same.status, 200) << "blanks, order of fields and metadata make no other request";
  EXPECT_EQ(same.text("id"), id);
  EXPECT_EQ(bank_calls("A1"), 1);
  EXPECT_EQ(bank_calls("A2"), 0);
}

TEST_F(HttpApi, C19_FiftyCallersAtOnceGetOneAttempt) {
  register_order("A1");
  fault("create", "late", 200);
  std::vector<PendingPtr> callers;
  for (int i = 0; i < 50; ++i) callers.push_back(begin_pay("A1", "k-1"));
  std::string id;
  int firsts = 0;
  for (auto const& caller : callers) {
    Answered const answer = await(caller);
    EXPECT_LT(answer.status, 300) << answer.body;
    EXPECT_EQ(answer.text("state"), "SUCCEEDED");
    if (id.empty()) id = answer.text("id");
    EXPECT_EQ(answer.text("id"), id);
    firsts += answer.status == 201;
  }
  EXPECT_EQ(firsts, 1);
  EXPECT_EQ(bank_calls("A1"), 1);
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C19_NobodyWhoDoesNotWaitIsToldFailed) {
  register_order("A1");
  fault("create", "late", 250);
  std::vector<PendingPtr> callers;
  for (int i = 0; i < 50; ++i) callers.push_back(begin_pay("A1", "k-1", "", "wait=0"));
  std::string id;
  for (auto const& caller : callers) {
    Answered const answer = await(caller);
    if (id.empty()) id = answer.text("id");
    EXPECT_EQ(answer.text("id"), id);
    // On a busy machine the last ones come when the bank has answered, or has not for too long.
    bool const is_known = answer.text("state") == "SUCCEEDED";
    EXPECT_TRUE(is_known || answer.text("state") == "PROCESSING" || answer.text("state") == "UNKNOWN") << answer.body;
    EXPECT_TRUE(!is_known || caller != callers.front());
    if (is_known) continue;
    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(answer.text("retry"), "same_key");
    EXPECT_EQ(answer.header("Retry-After"), "1");
    EXPECT_EQ(answer.object().at("message").at("zh").as_string(), "支付结果确认中，请勿重复付款。");
  }
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, ARepeatWithHandlingStrictIsRefusedWhileTheFirstRuns) {
  register_order("A1");
  fault("create", "late", 250);
  auto const first = begin_pay("A1", "k-1");
  until([&] { return bank_calls("A1") == 1; });
  Answered const strict = pay("A1", "k-1", "", "wait=0, handling=strict");
  EXPECT_EQ(strict.status, 409);
  EXPECT_EQ(strict.code(), "request_in_progress");
  EXPECT_EQ(strict.text("retry"), "same_key");
  EXPECT_EQ(strict.object().at("payment").at("state").as_string(), "PROCESSING");
  EXPECT_EQ(await(first).status, 201);
  EXPECT_EQ(pay("A1", "k-1", "", "handling=strict").status, 200);
}

TEST_F(HttpApi, C02_TwoKeysForOneOrderMeetTheLivePayment) {
  register_order("A1");
  Answered const first = pay("A1", "tab-1", "approve");
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(first.text("state"), "REQUIRES_ACTION");
  EXPECT_NE(first.text("action_url"), "");
  Answered const second = pay("A1", "tab-2", "approve");
  EXPECT_EQ(second.status, 409);
  EXPECT_EQ(second.code(), "order_has_live_payment");
  EXPECT_EQ(second.object().at("payment").at("id").as_string(), first.text("id"));
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, C01_TwoPathsAtOnceWithKeysOfTheirOwnChargeOnce) {
  for (int round = 0; round < 20; ++round) {
    std::string const order = "A" + std::to_string(round);
    register_order(order);
    auto const page = begin_pay(order, "return-" + order);
    auto const job = begin_pay(order, "job-" + order);
    Answered const a = await(page);
    Answered const b = await(job);
    EXPECT_EQ((a.status == 201) + (b.status == 201), 1) << a.body << b.body;
    Answered const& loser = a.status == 201 ? b : a;
    EXPECT_EQ(loser.status, 409);
    EXPECT_EQ(loser.object().at("payment").at("id").as_string(), (a.status == 201 ? a : b).text("id"));
    EXPECT_EQ(charged(order), 1);
  }
}

TEST_F(HttpApi, C07_ANewKeyAfterALostAnswerFindsTheFirstPayment) {
  register_order("A1");
  fault("create", "drop_after");
  fault("query", "answer_503_before", 0, 3);
  Answered const first = pay("A1", "click-1", "", "wait=0");
  Answered const second = pay("A1", "click-2");
  EXPECT_EQ(second.status, 409);
  EXPECT_EQ(second.object().at("payment").at("id").as_string(), first.text("id"));
  await_state(first.text("id"), "SUCCEEDED");
  Answered const third = pay("A1", "click-3");
  EXPECT_EQ(third.status, 409);
  EXPECT_EQ(third.code(), "order_already_paid");
  EXPECT_EQ(third.object().at("payment").at("state").as_string(), "SUCCEEDED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C18_AFailureBeforeTheAttemptDoesNotBurnTheKey) {
  HttpHeaders const key{{"Idempotency-Key", "k-5"}};
  EXPECT_EQ(call("POST", "/v1/payments", R"({"order_id":"A1"})", key).code(), "not_found");
  register_order("A1");
  Answered const bad_provider = call("POST", "/v1/payments", R"({"order_id":"A1","provider":"nobody"})", key);
  EXPECT_EQ(bad_provider.status, 422);
  EXPECT_EQ(bad_provider.code(), "provider_unknown");
  EXPECT_EQ(bad_provider.text("retry"), "same_key");
  Answered const bad_amount = call("POST", "/v1/payments", R"({"order_id":"A1","amount":1})", key);
  EXPECT_EQ(bad_amount.status, 422);
  EXPECT_EQ(bad_amount.code(), "amount_mismatch");
  EXPECT_EQ(call("POST", "/v1/payments", R"({"order_id":"A1","amount":1.5})", key).code(), "invalid_request");
  EXPECT_EQ(call("POST", "/v1/payments", "{", key).code(), "invalid_json");
  Answered const good = call("POST", "/v1/payments", R"({"order_id":"A1"})", key);
  EXPECT_EQ(good.status, 201);
  EXPECT_FALSE(good.is_replay());
  EXPECT_EQ(bank_calls("A1"), 1);
}

TEST_F(HttpApi, C17_ADeclineEndsTheAttemptAndANewKeyMayTryAgain) {
  register_order("A1");
  // It may overtake the answer, and does not say why.
  fault("notice", "never");
  Answered const declined = pay("A1", "k-1", "decline");
  EXPECT_EQ(declined.status, 201);
  EXPECT_EQ(declined.text("state"), "FAILED");
  EXPECT_EQ(declined.text("retry"), "new_key");
  EXPECT_EQ(declined.text("provider_code"), "card_declined");
  // C18 c: a definite no is repeated word for word, and another card under the old key is refused.
  Answered const again = pay("A1", "k-1", "decline");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, declined.body);
  Answered const other_card = pay("A1", "k-1", "tok_b");
  EXPECT_EQ(other_card.status, 422);
  EXPECT_EQ(other_card.text("field"), "method");
  EXPECT_EQ(bank_calls("A1"), 1);
  Answered const second = pay("A1", "k-2", "tok_b");
  EXPECT_EQ(second.status, 201);
  EXPECT_EQ(second.text("state"), "SUCCEEDED");
  EXPECT_NE(second.text("id"), declined.text("id"));
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C17_WhileTheFirstIsUnknownNoSecondCardIsTried) {
  register_order("A1");
  fault("create", "drop_before");
  fault("query", "answer_503_before", 0, 1000);
  std::string const id = pay("A1", "k-1", "tok_a", "wait=0").text("id");
  await_state(id, "UNKNOWN");
  Answered const second = pay("A1", "k-2", "tok_b");
  EXPECT_EQ(second.status, 409);
  EXPECT_EQ(second.object().at("payment").at("id").as_string(), id);
  bank("DELETE", "/faults");
  await_state(id, "SUCCEEDED");
  EXPECT_EQ(charged("A1"), 1);
}

TEST_F(HttpApi, C15_AKeyBelongsToItsMerchant) {
  register_order("A1");
  call_as(other_key, "PUT", "/v1/orders/A1", R"({"amount":5,"currency":"EUR"})");
  Answered const ours = pay("A1", "k-1");
  Answered const theirs =
      call_as(other_key, "POST", "/v1/payments", R"({"order_id":"A1"})", {{"Idempotency-Key", "k-1"}});
  EXPECT_EQ(theirs.status, 201);
  EXPECT_FALSE(theirs.is_replay());
  EXPECT_NE(theirs.text("id"), ours.text("id"));
  EXPECT_EQ(theirs.object().at("amount").as_int64(), 5);
}

TEST_F(HttpApi, C15_AnotherRouteOrQueryNeverRepeatsThisOnesAnswer) {
  register_order("A1");
  pay("A1", "k-1");
  Answered const offline =
      call("POST", "/v1/orders/A1/offline-payments",
           R"({"amount":1999,"currency":"USD","reason":"cash","document":"D-1"})", {{"Idempotency-Key", "k-1"}});
  EXPECT_EQ(offline.status, 422);
  EXPECT_EQ(offline.text("field"), "provider");
  Answered const dry = call("POST", "/v1/payments?dry_run=1", R"({"order_id":"A1"})", {{"Idempotency-Key", "k-1"}});
  EXPECT_EQ(dry.status, 400);
  EXPECT_EQ(dry.text("field"), "dry_run");
}

}  // namespace payonce::test
