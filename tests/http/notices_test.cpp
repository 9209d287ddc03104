// What the provider says by itself: doubled, early, late, reordered, forged, or about something else.
#include "cli/open_store.h"
#include "http/api_fixture.h"
#include "store/store.h"

namespace payonce::test {

namespace {

// A live payment of order A1 that only a notice (or the buyer) can end.
constexpr auto waits_for_buyer = "approve";

json::object about(std::string const& number, std::string_view type, std::string_view id) {
  return {{"number", number}, {"type", type}, {"id", id}};
}

}  // namespace

TEST_F(HttpApi, C29_ANoticeThatOvertakesTheCreateAnswerIsMatched) {
  register_order("A1");
  fault("create", "late", 250);
  auto const caller = begin_pay("A1", "k-1");
  until([&] { return charged("A1") == 1; });
  std::string const number{ledger().at("charges").at(0).at("number").as_string()};
  EXPECT_EQ(notify(about(number, "charge.succeeded", "evt-1")), std::vector{200});
  Answered const answer = await(caller);
  EXPECT_EQ(answer.text("state"), "SUCCEEDED");
  EXPECT_EQ(answer.text("evidence"), "notice");
  pass(300ms);
  EXPECT_EQ(payment(number).body, answer.body) << "the late create answer changes nothing";
}

TEST_F(HttpApi, C29_AnUnknownNumberOfOurShapeIsKeptAndAForeignOneToo) {
  json::object ours = about("pay_00000000000000000000000000", "charge.succeeded", "evt-1");
  json::object foreign = about("PX-9", "charge.succeeded", "evt-2");
  for (auto* notice : {&ours, &foreign}) (*notice)["amount"] = 1999, (*notice)["currency"] = "USD";
  EXPECT_EQ(notify(ours), std::vector{200});
  EXPECT_EQ(notify(foreign), std::vector{200});
  auto const store = open_store(database_url);
  auto const reader = (*store)->open_reader();
  EXPECT_EQ(reader->backlog().notices_unmatched, 1);
  EXPECT_EQ(reader->notices_of(AttemptId{"pay_00000000000000000000000000"}).size(), 1u);
  EXPECT_EQ(reader->notices_of(AttemptId{"PX-9"}).at(0).disposition, NoticeDisposition::foreign);
}

TEST_F(HttpApi, C30_TheEventRowAndItsEffectsAreOneTransaction) {
  register_order("A1");
  shop_status = {{"/ship", 500}, {"/points", 500}};
  std::string const id = pay("A1", "k-1", waits_for_buyer).text("id");
  EXPECT_EQ(notify(about(id, "charge.succeeded", "evt-1")), std::vector{200});
  auto const store = open_store(database_url);
  auto const reader = (*store)->open_reader();
  EXPECT_EQ(reader->notices_of(AttemptId{id}).size(), 1u);
  EXPECT_EQ(reader->find_order({MerchantId{"shop"}, OrderId{"A1"}})->head.state, OrderState::paid);
  EXPECT_EQ(reader->effects_of({MerchantId{"shop"}, OrderId{"A1"}}).size(), 2u);
}

TEST_F(HttpApi, C30_ANoticeThatCouldNotBeStoredIsDoneAtItsNextDelivery) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", waits_for_buyer).text("id");
  {
    // Another process holds the database's write lock for longer than anyone waits.
    auto const store = open_store(database_url);
    auto const writer = (*store)->open_writer();
    writer->begin();
    writer->insert_audit({MerchantId{"shop"}, "test", "lock", "", clock.now()});
    bool answered = false;
    std::vector<int> statuses;
    HttpCall call;
    call.method = "POST";
    call.url = sandbox->url() + "/notices";
    call.body = json::serialize(about(id, "charge.succeeded", "evt-2"));
    call.total_timeout = 60s;
    client.send(std::move(call), [&](HttpAnswer const& answer) {
      json::value const body = json::parse(answer.body);
      for (auto const& one : body.at("tries").as_array())
        statuses.push_back(static_cast<int>(one.at("status").as_int64()));
      answered = true;
    });
    until([&] { return answered; });
    EXPECT_NE(statuses.at(0) / 100, 2) << "what is not stored is not acknowledged";
    writer->rollback();
  }
  // A lane that stood still is taken for slow until its batch has ended.
  until([&] { return notify(about(id, "charge.succeeded", "evt-2")) == std::vector{200}; });
  await_state(id, "SUCCEEDED");
  until([&] { return deliveries_of("/ship") >= 1; });
}

TEST_F(HttpApi, C31_TenDeliveriesAtOnceAreOneEvent) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", waits_for_buyer).text("id");
  json::object notice = about(id, "charge.succeeded", "evt-3");
  notice["copies"] = 10;
  EXPECT_EQ(notify(notice), std::vector<int>(10, 200));
  EXPECT_EQ(payment(id).text("state"), "SUCCEEDED");
  until([&] { return deliveries_of("/ship") >= 1 && deliveries_of("/points") >= 1; });
  pass(500ms);
  EXPECT_EQ(deliveries_of("/ship"), 1u);
  EXPECT_EQ(deliveries_of("/points"), 1u);
}

TEST_F(HttpApi, C31_AnOlderNoticeThatComesLaterChangesNothing) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", waits_for_buyer).text("id");
  json::object newer = about(id, "charge.succeeded", "evt-5");
  json::object older = about(id, "charge.pending", "evt-4");
  std::int64_t const now = to_epoch_ms(clock.now()) / 1000;
  newer["created"] = now;
  older["created"] = now - 1;
  EXPECT_EQ(notify(newer), std::vector{200});
  std::string const settled = payment(id).body;
  EXPECT_EQ(notify(older), std::vector{200});
  EXPECT_EQ(payment(id).body, settled);
}

TEST_F(HttpApi, C32_ALateFailureTouchesOnlyItsOwnAttempt) {
  register_order("A1");
  std::string const first = pay("A1", "k-1", "decline").text("id");
  std::string const second = pay("A1", "k-2").text("id");
  EXPECT_EQ(notify(about(first, "charge.declined", "evt-6")), std::vector{200});
  EXPECT_EQ(payment(first).text("state"), "FAILED");
  EXPECT_EQ(payment(second).text("state"), "SUCCEEDED");
  EXPECT_EQ(notify(about(second, "charge.declined", "evt-7")), std::vector{200});
  EXPECT_EQ(payment(second).text("state"), "SUCCEEDED") << "nothing leads back out of it";
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
}

TEST_F(HttpApi, C36_ARepeatedPaidNoticeLeavesThePaidOrderAsItIs) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  until([&] {
    for (auto const& effect : list_of("A1", "effects"))
      if (effect.at("state").as_string() != "DELIVERED") return false;
    return true;
  });
  std::string const before = json::serialize(order("A1"));
  for (auto const* const event : {"evt-8", "evt-8", "evt-9"})
    EXPECT_EQ(notify(about(id, "charge.succeeded", event)), std::vector{200});
  EXPECT_EQ(json::serialize(order("A1")), before);
}

TEST_F(HttpApi, C32_ASuccessAfterADeclineIsSurplusOnceAnotherPaid) {
  register_order("A1");
  std::string const first = pay("A1", "k-1", "decline_then_succeed").text("id");
  std::string const second = pay("A1", "k-2").text("id");
  await_state(first, "SUCCEEDED");
  EXPECT_EQ(payment(second).text("state"), "SUCCEEDED");
  EXPECT_TRUE(payment(first).object().at("surplus").as_bool());
  until([&] {
    auto const refunds = list_of("A1", "refunds");
    return refunds.size() == 1 && refunds.at(0).at("state").as_string() == "R_SUCCEEDED";
  });
  EXPECT_EQ(notify(about(first, "charge.succeeded", "evt-10")), std::vector{200});
  EXPECT_EQ(ledger().at("refunds").as_array().size(), 1u);
  EXPECT_EQ(order("A1").at("paid").as_int64(), 1999);
}

TEST_F(HttpApi, C38_ANoticeIsAcknowledgedInTheFormTheBankReads) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  EXPECT_EQ(notify(about(id, "charge.succeeded", "evt-1")), std::vector{200});
  json::object forged = about(id, "charge.succeeded", "evt-2");
  forged["wrong_signature"] = true;
  EXPECT_EQ(notify(forged), std::vector{401});
  json::object unreadable = about(id, "charge.succeeded", "evt-3");
  unreadable["body"] = "not json";
  EXPECT_EQ(notify(unreadable), std::vector{400});
  unreadable["body"] = R"({"id":"evt-4"})";
  EXPECT_EQ(notify(unreadable), std::vector{400});
  // Nobody signs for this one; and what is answered has no body.
  Answered const unsigned_one = call_as("", "POST", "/v1/notices/sandbox", "{}");
  EXPECT_EQ(unsigned_one.status, 401);
  EXPECT_EQ(unsigned_one.body, "");
  EXPECT_EQ(call_as("", "POST", "/v1/notices/nobody", "{}").status, 404);
}

TEST_F(HttpApi, AForgedNoticeChangesNothing) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", waits_for_buyer).text("id");
  json::object forged = about(id, "charge.succeeded", "evt-1");
  forged["wrong_signature"] = true;
  EXPECT_EQ(notify(forged), std::vector{401});
  EXPECT_EQ(payment(id).text("state"), "REQUIRES_ACTION");
  // Its id is not used up: the honest event with the same one still counts.
  EXPECT_EQ(notify(about(id, "charge.succeeded", "evt-1")), std::vector{200});
  EXPECT_EQ(payment(id).text("state"), "SUCCEEDED");
}

TEST_F(HttpApi, C53_ASignedNoticeAboutOtherMoneyNeverPaysTheOrder) {
  struct Row {
    char const* field;
    json::value value;
  };
  int number = 0;
  for (auto const& [field, value] : {Row{"amount", 1}, Row{"amount", 2000}, Row{"amount", 1998}, Row{"currency", "EUR"},
                                     Row{"account", "somebody"}}) {
    std::string const order_id = "A" + std::to_string(++number);
    register_order(order_id);
    std::string const id = pay(order_id, "k-" + order_id, waits_for_buyer).text("id");
    json::object notice = about(id, "charge.succeeded", "evt-" + order_id);
    notice[field] = value;
    EXPECT_EQ(notify(notice), std::vector{200}) << field << ": it is not sent again for ever";
    Answered const now = payment(id);
    EXPECT_NE(now.text("state"), "SUCCEEDED") << field;
    EXPECT_NE(now.text("needs_review").find("does not fit"), std::string::npos) << now.body;
    EXPECT_EQ(order(order_id).at("state").as_string(), "OPEN") << field;
    EXPECT_EQ(pay(order_id, "again-" + order_id).status, 409) << "nor may anyone else pay it now";
  }
  EXPECT_EQ(call("GET", "/v1/reviews").list("payments").size(), 5u);
  EXPECT_EQ(deliveries.size(), 0u);
  bool has_alarm = false;
  for (auto const& event : call("GET", "/v1/events").list("events"))
    has_alarm = has_alarm || event.at("type").as_string() == "payment.alarm";
  EXPECT_TRUE(has_alarm);
}

TEST_F(HttpApi, C53_AMisfitOnAPaidOrderIsAnAlarmAndNothingElse) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  json::object notice = about(id, "charge.succeeded", "evt-1");
  notice["amount"] = 1;
  EXPECT_EQ(notify(notice), std::vector{200});
  EXPECT_EQ(payment(id).text("state"), "SUCCEEDED");
  EXPECT_NE(payment(id).text("needs_review"), "");
  EXPECT_EQ(order("A1").at("state").as_string(), "PAID");
}

TEST_F(HttpApi, C51_IdsInNoticesAreKeptAsTheyWereSent) {
  register_order("A1");
  std::string const id = pay("A1", "k-1", waits_for_buyer).text("id");
  json::object notice = about(id, "charge.succeeded", "evt-1");
  notice["charge_id"] = "3791411052119578828";
  notify(notice);
  EXPECT_EQ(payment(id).text("provider_payment_id"), "3791411052119578828");
}

}  // namespace payonce::test
