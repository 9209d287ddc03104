#include "engine/reconcile.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "net/asio_loop.h"
#include "store/sqlite/sqlite_store.h"
#include "support/rules_world.h"

namespace payonce {

namespace {

// A provider of statements that the test writes. Its day is that of UTC.
class Biller final : public Provider {
 public:
  Biller() { terms_.statement_ready = 24h; }
  ProviderTerms const& terms() const override { return terms_; }
  void call(ProviderCall const&, Done) override { ADD_FAILURE() << "nothing is to be called"; }
  Result<Notice> read_notice(HttpRequest const&, Time) const override { return fail(ErrorCode::invalid_request, ""); }
  HttpResponse acknowledge(bool) const override { return {}; }
  void fetch_statement(std::string const& day, Fetched done) override {
    asked.push_back(day);
    done(file);
  }
  Result<Statement> read_statement(std::string_view text, std::string const&) const override {
    if (text == "torn") return fail(ErrorCode::invalid_request, "line 1");
    return statement;
  }

  std::vector<std::string> asked;
  Result<std::optional<std::string>> file = std::optional<std::string>{"whole"};
  Statement statement;

 private:
  ProviderTerms terms_{.name = "sure"};
};

class FixedClock final : public Clock {
 public:
  Time now() const override { return at; }
  std::chrono::nanoseconds monotonic() const override { return {}; }
  Time at = *parse_rfc3339("2026-01-03T05:00:00Z");
};

class ReconcileTest : public testing::Test {
 protected:
  ReconcileTest() {
    auto added = std::make_unique<Biller>();
    biller = added.get();
    providers.add(std::move(added));
  }
  ~ReconcileTest() override {
    committer.stop();
    reads.stop();
    std::filesystem::remove(path);
  }

  static std::unique_ptr<Store> open_new(std::string const& path) {
    std::filesystem::remove(path);
    auto store = std::move(*open_sqlite(path));
    EXPECT_TRUE(store->migrate());
    return store;
  }

  Result<Reconciled> reconcile_day(std::string const& day = "2026-01-02", std::string const& provider = "sure") {
    Result<Reconciled> result = fail(ErrorCode::internal, "not run");
    loop.post([&] {
      reconcile(engine, {provider, day, {MerchantId{"shop"}}}, [&](Result<Reconciled> done) {
        result = std::move(done);
        loop.stop();
      });
    });
    loop.run();
    return result;
  }

  // A payment whose money came at this time.
  void paid_at(std::string const& time) {
    Time const now = std::exchange(clock.at, *parse_rfc3339(time));
    RegisterOrder order = registration();
    run(order);
    run(beginning(1, "k-1"));
    run(outcome(1, Evidence::query, Outcome::succeeded));
    clock.at = now;
  }
  void run(Command command) {
    loop.post([&] { committer.submit(std::move(command), [&](Result<Committed> const&) { loop.stop(); }); });
    loop.run();
  }

  std::vector<Discrepancy> open() { return store->open_reader()->open_discrepancies(MerchantId{"shop"}, 10); }
  bool is_read(std::string const& day = "2026-01-02") {
    return store->open_reader()->find_statement("sure", day).has_value();
  }

  static StatementLine line(std::string id, Money amount = usd(1999)) {
    return {.kind = LineKind::payment, .id = std::move(id), .number = attempt_id(1).value, .amount = amount};
  }

  std::string const path = testing::TempDir() + "reconcile_" + std::to_string(::getpid()) + ".db";
  AsioLoop loop;
  FixedClock clock;
  SystemRandom random;
  std::unique_ptr<Store> store = open_new(path);
  TestTerms terms;
  Providers providers;
  Biller* biller = nullptr;
  Metrics metrics;
  FaultPoints fault_points;
  ReadLane reads{*store, loop};
  Committer committer{*store, terms, clock, loop};
  Engine engine{{loop, clock, random, committer, reads, providers, metrics, fault_points}};
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
  biller->statement.lines = {line("m-1")};
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
  StatementLine payout{.kind = LineKind::other, .id = "po-1", .amount = usd(9)};
  StatementLine monthly{.kind = LineKind::fee, .id = "fee-1", .amount = usd(1)};
  biller->statement.lines = {payout, line("m-1"), monthly};
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
  biller->statement.lines = {refund, line("m-1")};
  EXPECT_EQ(reconcile_day()->refunds, 1);
  EXPECT_TRUE(open().empty());
  EXPECT_EQ(store->open_reader()->find_order(order_key())->refunds.size(), 1U);
}

TEST_F(ReconcileTest, NothingMovedIsBelievedUnlessTheBooksKnowBetter) {
  biller->file = std::nullopt;
  EXPECT_EQ(reconcile_day()->lines, 0);
  EXPECT_TRUE(is_read());
  clock.at += 24h;
  paid_at("2026-01-03T12:00:00Z");
  EXPECT_EQ(reconcile_day("2026-01-03")->missing, 1);
  EXPECT_FALSE(is_read("2026-01-03")) << "it is asked for again";
}

TEST_F(ReconcileTest, WhatCantBeReadOrHadIsAnErrorAndNothingIsKept) {
  biller->file = std::optional<std::string>{"torn"};
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::invalid_request);
  biller->file = fail(ErrorCode::unavailable, "not published");
  EXPECT_EQ(reconcile_day().error().code, ErrorCode::unavailable);
  EXPECT_FALSE(is_read());
  EXPECT_EQ(reconcile_day("2026-01-03").error().code, ErrorCode::invalid_request) << "the day is not over";
  EXPECT_EQ(reconcile_day("2026-02-30").error().code, ErrorCode::invalid_request);
  EXPECT_EQ(reconcile_day("yesterday").error().code, ErrorCode::invalid_request);
  EXPECT_EQ(reconcile_day("2026-01-02", "other").error().code, ErrorCode::not_found);
}

TEST_F(ReconcileTest, EachPublishedDayIsReadOnceByItself) {
  std::vector<Merchant> const merchants{{MerchantId{"shop"}, {"sure"}, {}}};
  auto const round = [&] {
    loop.post([&] { reconcile_due(engine, merchants, [&] { loop.stop(); }); });
    loop.run();
  };
  round();
  round();
  EXPECT_EQ(biller->asked, std::vector<std::string>{"2026-01-02"});
  clock.at += 24h;
  biller->file = fail(ErrorCode::unavailable, "late");
  round();
  round();
  EXPECT_EQ(biller->asked, (std::vector<std::string>{"2026-01-02", "2026-01-03", "2026-01-03"})) << "tried again";
}

}  // namespace payonce
