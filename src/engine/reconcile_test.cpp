#include "engine/reconcile.h"

#include "base/limits.h"
#include "support/engine_world.h"

namespace payonce::test {

namespace {

class ReconcileTest : public EngineWorld {
 protected:
  ReconcileTest() {
    teller->its_terms.statement_ready = 24h;
    clock.at = *parse_rfc3339("2026-01-03T05:00:00Z");
  }

  Result<Reconciled> reconcile_day(std::string const& day = "2026-01-02", std::string const& provider = "sure",
                                   std::vector<MerchantId> const& merchants = {MerchantId{"shop"}}) {
    Result<Reconciled> result = fail(ErrorCode::internal, "not run");
    reconcile(engine, {provider, day, merchants}, [&](Result<Reconciled> done) { result = std::move(done); });
    settle();
    return result;
  }
  void round(std::vector<Merchant> const& merchants = {{MerchantId{"shop"}, {"sure"}, {}}}) {
    int rounds = 0;
    reconcile_due(engine, merchants, [&rounds] { ++rounds; });
    settle();
    EXPECT_EQ(rounds, 1);
  }

  // A payment whose money came at this time.
  void paid_at(std::string const& time) {
    Time const now = std::exchange(clock.at, *parse_rfc3339(time));
    begin(1);
    say(Outcome::succeeded);
    clock.at = now;
  }

  std::vector<Discrepancy> open() { return store.open_reader()->open_discrepancies(MerchantId{"shop"}, 2'000); }
  bool is_read(std::string const& day = "2026-01-02") {
    return store.open_reader()->find_statement("sure", day).has_value();
  }

  static StatementLine line(std::string id, Money amount = usd(1999)) {
    return {.kind = LineKind::payment, .id = std::move(id), .number = attempt_id(1).value, .amount = amount};
  }
  // Of the same account, and no payments of ours.
  static std::vector<StatementLine> foreign_lines(int count) {
    std::vector<StatementLine> lines;
    for (int i = 0; i < count; ++i) lines.push_back(line("m-" + std::to_string(i)));
    for (int i = 0; i < count; ++i) lines[std::size_t(i)].number = "till-" + std::to_string(i);
    return lines;
  }
};

}  // namespace

TEST_F(ReconcileTest, AMissingPaymentIsShownAndGoesWhenALaterBillTells) {
  paid_at("2026-01-02T12:00:00Z");
  auto const first = reconcile_day();
  ASSERT_TRUE(first) << first.error().detail;
  EXPECT_EQ(first->missing, 1);
  EXPECT_TRUE(is_read());
  ASSERT_EQ(open().size(), 1U);
  EXPECT_EQ(open()[0].kind, DiscrepancyKind::missing);
  EXPECT_EQ(open()[0].number, attempt_id(1).value);
  EXPECT_EQ(reconcile_day()->missing, 1);
  EXPECT_EQ(open().size(), 1U) << "found once";
  teller->statement.lines = {line("m-1")};
  EXPECT_EQ(reconcile_day()->missing, 0);
  EXPECT_TRUE(open().empty());
}

TEST_F(ReconcileTest, AroundMidnightThePaymentMayBeInTheBillOfEitherDay) {
  paid_at("2026-01-02T23:30:00Z");
  EXPECT_EQ(reconcile_day()->missing, 0) << "looked for with the next day";
  clock.at += 24h;
  EXPECT_EQ(reconcile_day("2026-01-03")->missing, 1);
}

TEST_F(ReconcileTest, OtherMoneyIsCountedAndEveryLineOnce) {
  paid_at("2026-01-02T12:00:00Z");
  StatementLine payout{.kind = LineKind::other, .id = "po-1", .number = attempt_id(1).value, .amount = usd(9)};
  StatementLine monthly{.kind = LineKind::fee, .id = "fee-1", .amount = usd(1)};
  teller->statement.lines = {payout, line("m-1"), monthly};
  auto const first = reconcile_day();
  EXPECT_EQ(first->lines, 3);
  EXPECT_EQ(first->payments, 1);
  EXPECT_EQ(first->others, 2);
  EXPECT_EQ(first->known, 0);
  EXPECT_EQ(reconcile_day()->known, 1);
}

TEST_F(ReconcileTest, ARefundIsWorkedInAfterItsPaymentWhereverItStands) {
  paid_at("2026-01-02T12:00:00Z");
  StatementLine refund = line("r-1", usd(500));
  refund.kind = LineKind::refund;
  refund.refund_number = "desk-7";
  teller->statement.lines = {refund, line("m-1")};
  EXPECT_EQ(reconcile_day()->refunds, 1);
  EXPECT_TRUE(open().empty());
  EXPECT_EQ(store.open_reader()->find_order(order_key())->refunds.size(), 1U);
}

TEST_F(ReconcileTest, NothingMovedIsBelievedUnlessTheBooksKnowBetter) {
  teller->file = std::nullopt;
  EXPECT_EQ(reconcile_day()->lines, 0);
  EXPECT_TRUE(is_read());
  clock.at += 24h;
  paid_at("2026-01-03T12:00:00Z");
  EXPECT_EQ(reconcile_day("2026-01-03")->missing, 1);
  EXPECT_FALSE(is_read("2026-01-03")) << "it is asked for again";
}

TEST_F(ReconcileTest, WhatCantBeReadOrHadIsAnErrorAndNothingIsKept) {
  teller->file = std::optional<std::string>{"torn"};
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::invalid_request);
  teller->file = fail(ErrorCode::unavailable, "not published");
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::unavailable);
  EXPECT_FALSE(is_read());
  EXPECT_EQ(reconcile_day("2026-01-03").error().code, ErrorCode::invalid_request) << "the day is not over";
  EXPECT_EQ(reconcile_day("2026-02-30").error().code, ErrorCode::invalid_request);
  EXPECT_EQ(reconcile_day("yesterday").error().code, ErrorCode::invalid_request);
  EXPECT_EQ(reconcile_day("2026-01-02", "other").error().code, ErrorCode::not_found);
}

TEST_F(ReconcileTest, EachPublishedDayIsReadOnceByItself) {
  round();
  round();
  EXPECT_EQ(teller->days_asked, std::vector<std::string>{"2026-01-02"});
  clock.at += 24h;
  teller->file = fail(ErrorCode::unavailable, "late");
  round();
  round();
  EXPECT_EQ(teller->days_asked, (std::vector<std::string>{"2026-01-02", "2026-01-03", "2026-01-03"})) << "tried again";
}

TEST_F(ReconcileTest, ABillLongerThanWhatIsWorkedInAtOnceIsWorkedInWhole) {
  teller->statement.lines = foreign_lines(600);
  int ends = 0;
  reconcile(engine, {"sure", "2026-01-02", {MerchantId{"shop"}}}, [&ends](Result<Reconciled> const& result) {
    ++ends;
    EXPECT_EQ(result->payments, 600);
  });
  EXPECT_EQ(engine.under_way(), limits::batch_commands_max) << "buyers find room";
  settle();
  EXPECT_EQ(ends, 1);
  teller->statement.lines = foreign_lines(600);
  EXPECT_EQ(reconcile_day()->known, 600);
}

TEST_F(ReconcileTest, ALineThatCouldNotBeWorkedInLeavesTheBillUnread) {
  teller->statement.lines = foreign_lines(600);
  std::optional<Result<Reconciled>> result;
  reconcile(engine, {"sure", "2026-01-02", {MerchantId{"shop"}}},
            [&](Result<Reconciled> it) { result = std::move(it); });
  store.are_gone = true;
  turns.take_all();
  store.are_gone = false;
  settle();
  ASSERT_TRUE(result && !*result);
  EXPECT_EQ(result->error().code, ErrorCode::unavailable);
  EXPECT_FALSE(is_read());
  EXPECT_TRUE(store.open_reader()->notices_of(AttemptId{"till-599"}).empty()) << "the rest is not begun";
}

TEST_F(ReconcileTest, ALineThatNamesNothingIsOtherMoney) {
  StatementLine nameless = line("m-1");
  nameless.number.clear();
  teller->statement.lines = {nameless};
  EXPECT_EQ(reconcile_day()->others, 1);
}

TEST_F(ReconcileTest, WhileTheBooksAreAwayNothingCountsAsRead) {
  paid_at("2026-01-02T12:00:00Z");
  teller->statement.lines = {line("m-1"), line("m-2")};
  store.are_gone = true;
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::unavailable) << "no line could be worked in";
  teller->statement.lines.clear();
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::unavailable) << "nobody knows what is missing";
  round();
  EXPECT_TRUE(teller->days_asked.size() == 2) << "nor what has been read";
  store.are_gone = false;
  EXPECT_FALSE(is_read());
  EXPECT_EQ(reconcile_day()->missing, 1);
  EXPECT_TRUE(is_read());
}

TEST_F(ReconcileTest, WhatIsMissingAndCannotBeSavedIsLookedForAgain) {
  paid_at("2026-01-02T12:00:00Z");
  Result<Reconciled> result = fail(ErrorCode::internal, "not run");
  reconcile(engine, {"sure", "2026-01-02", {MerchantId{"shop"}}},
            [&](Result<Reconciled> done) { result = std::move(done); });
  turns.take_all();
  store.are_gone = true;  // what is missing has been read, and is to be written
  settle();
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  store.are_gone = false;
  EXPECT_FALSE(is_read());
  EXPECT_TRUE(open().empty());
  EXPECT_EQ(reconcile_day()->missing, 1);
}

TEST_F(ReconcileTest, AFileThatIsGivenIsReadAndNobodyIsAsked) {
  paid_at("2026-01-02T12:00:00Z");
  teller->statement.lines = {line("m-1")};
  std::optional<Result<Reconciled>> result;
  auto const read = [&](std::string const& text) {
    reconcile(engine, {"sure", "2026-01-02", {MerchantId{"shop"}}, text},
              [&](Result<Reconciled> done) { result = std::move(done); });
    settle();
  };
  read("torn");
  EXPECT_EQ(result->error().code, ErrorCode::invalid_request);
  EXPECT_FALSE(is_read());
  read("by hand");
  EXPECT_EQ((*result)->payments, 1);
  EXPECT_TRUE(is_read());
  EXPECT_TRUE(teller->days_asked.empty());
}

TEST_F(ReconcileTest, OnlyForWhomAndWhereThereAreStatements) {
  EXPECT_EQ(reconcile_day("2026-01-02", "sure", {}).error().code, ErrorCode::not_found);
  round({{MerchantId{"shop"}, {"sure", "not configured"}, {}}});
  EXPECT_EQ(teller->days_asked.size(), 1U);
  teller->its_terms.statement_ready.reset();
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::invalid_request);
  clock.at += 24h;
  round();
  EXPECT_EQ(teller->days_asked.size(), 1U);
}

}  // namespace payonce::test
