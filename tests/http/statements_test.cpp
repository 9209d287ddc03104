// The day's statement of the bank held against the books, beside the running service, over real sockets.
#include "cli/engine_room.h"
#include "engine/reconcile.h"
#include "http/api_fixture.h"

namespace payonce::test {

namespace {

class Statements : public HttpApi {
 protected:
  // As `payonce reconcile` does it: another program on the same database.
  Result<Reconciled> reconcile_today(std::optional<std::string> file = {}) {
    EngineRoom room{loop, settings, {}};
    EXPECT_TRUE(room.build());
    std::optional<Result<Reconciled>> result;
    ReconcileRequest request{"sandbox", to_rfc3339(clock.now()).substr(0, 10), {MerchantId{"shop"}}, std::move(file)};
    reconcile(*room.engine, std::move(request), [&](Result<Reconciled> done) { result = std::move(done); });
    until([&] { return result.has_value(); });
    bool has_stopped = false;
    room.stop_when_settled(5s, [] { return false; }, [&] { has_stopped = true; });
    until([&] { return has_stopped; });
    return *result;
  }

  json::array discrepancies() { return call("GET", "/v1/discrepancies").list("discrepancies"); }
};

}  // namespace

TEST_F(Statements, TellsOfAPaymentWhenNothingElseDoes) {
  register_order("A1");
  fault("create", "drop_after");
  fault("notice", "never", -1, 50);
  fault("query", "drop_before", -1, 5'000);
  std::string const id = pay("A1", "k-1", {}, "wait=0").text("id");
  until([&] { return charged("A1") == 1; });
  auto const first = reconcile_today();
  ASSERT_TRUE(first) << first.error().detail;
  EXPECT_EQ(first->payments, 1);
  EXPECT_EQ(first->known, 0);
  EXPECT_EQ(payment(id).text("state"), "SUCCEEDED");
  EXPECT_EQ(payment(id).text("evidence"), "statement");
  until([&] { return deliveries_of("/ship") == 1; });
  EXPECT_EQ(reconcile_today()->known, 1);
  EXPECT_TRUE(discrepancies().empty());
  EXPECT_EQ(deliveries_of("/ship"), 1U);
}

TEST_F(Statements, WhatDoesNotFitIsShownUntilAPersonHasDealtWithIt) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  std::string const bill = "kind,id,charge_id,number,refund_number,amount,currency,fee,at\npayment,ch_x,," + id +
                           ",,1998,USD,12,2026-01-02T03:04:05.678Z\nend,1,,,,,,,\n";
  ASSERT_TRUE(reconcile_today(bill));
  ASSERT_EQ(discrepancies().size(), 1U);
  json::object const entry = discrepancies()[0].as_object();
  EXPECT_EQ(entry.at("kind").as_string(), "differs");
  EXPECT_EQ(entry.at("payment_id").as_string(), id);
  EXPECT_EQ(entry.at("amount").as_int64(), 1998);
  EXPECT_EQ(payment(id).text("state"), "SUCCEEDED");

  std::string const path = "/v1/discrepancies/" + std::string{entry.at("id").as_string()} + "/resolve";
  EXPECT_EQ(call("POST", path, "{}").code(), "invalid_request");
  EXPECT_EQ(call_as(other_key, "POST", path, R"({"note":"not mine"})").status, 404);
  EXPECT_EQ(call("POST", path, R"({"note":"a slip of theirs"})").status, 200);
  EXPECT_TRUE(discrepancies().empty());
  EXPECT_EQ(call("POST", path, R"({"note":"again"})").status, 404);
  ASSERT_TRUE(reconcile_today(bill));
  EXPECT_TRUE(discrepancies().empty()) << "resolved is resolved";
}

TEST_F(Statements, AFileThatIsTornChangesNothing) {
  register_order("A1");
  fault("create", "drop_after");
  fault("notice", "never", -1, 50);
  fault("query", "drop_before", -1, 5'000);
  std::string const id = pay("A1", "k-1", {}, "wait=0").text("id");
  std::string const torn = "kind,id,charge_id,number,refund_number,amount,currency,fee,at\npayment,ch_x,," + id +
                           ",,1999,USD,12,2026-01-02T03:04:05.678Z\n";
  auto const read = reconcile_today(torn);
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().detail.contains("line 3")) << read.error().detail;
  EXPECT_NE(payment(id).text("state"), "SUCCEEDED");
}

}  // namespace payonce::test
