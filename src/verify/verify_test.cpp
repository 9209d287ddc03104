// The walk over a whole database, and how its result is told.
#include "verify/verify.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <functional>
#include <map>

#include "verify/books_fixture_test.h"
#include "verify/report.h"

namespace payonce::test {
namespace {

// Books in memory, broken or not, behind the port of a database.
class BooksReader final : public Reader {
 public:
  void put(OrderBooks books) {
    OrderKey const key = books.order.head.key;
    all.insert_or_assign(key, std::move(books));
  }

  std::optional<Order> find_order(OrderKey const& key) override {
    before_find_order();
    auto const at = all.find(key);
    return at == all.end() ? std::nullopt : std::optional{at->second.order};
  }
  std::vector<Order> orders_after(OrderKey const& after, std::size_t limit) override {
    std::vector<Order> page;
    for (auto at = all.upper_bound(after); at != all.end() && page.size() < limit; ++at)
      page.push_back(at->second.order);
    return page;
  }
  std::vector<StoredEvent> timeline(OrderKey const& key) override { return all.at(key).timeline; }
  std::vector<Effect> effects_of(OrderKey const& key) override { return all.at(key).effects; }
  std::vector<Posting> journal_of(OrderKey const& key) override { return all.at(key).journal; }
  std::vector<Turnover> turnovers(MerchantId const&, Time, Time) override { return {}; }
  std::vector<NoticeRow> notices_of(AttemptId const& attempt) override {
    std::vector<NoticeRow> found;
    for (auto const& [key, books] : all)
      for (NoticeRow const& notice : books.notices)
        if (notice.number == attempt.value && books.order.find(attempt)) found.push_back(notice);
    return found;
  }

  std::vector<FoundAttempt> find_attempts(std::span<AttemptId const>) override { return {}; }
  std::optional<FoundRefund> find_refund(RefundId const&) override { return {}; }
  std::optional<FoundCapture> find_capture(CaptureId const&) override { return {}; }
  std::optional<ApiKeyRow> find_api_key(std::string const&) override { return {}; }
  std::vector<ApiKeyRow> api_keys(MerchantId const&) override { return {}; }
  std::vector<StoredEvent> events_after(MerchantId const&, std::int64_t, std::size_t) override { return {}; }
  std::vector<Effect> dead_effects(MerchantId const&, std::size_t) override { return {}; }
  std::vector<DueAttempt> due_attempts(Time, std::size_t) override { return {}; }
  std::vector<DueRefund> due_refunds(Time, std::size_t) override { return {}; }
  std::vector<DueCapture> due_captures(Time, std::size_t) override { return {}; }
  std::vector<DueOrder> due_orders(Time, std::size_t) override { return {}; }
  std::vector<NoticeRow> due_notices(Time, std::size_t) override { return {}; }
  std::vector<FoundAttempt> attempts_in_review(MerchantId const&, std::size_t) override { return {}; }
  Backlog backlog() override { return {}; }
  std::vector<Posting> unbilled(MerchantId const&, std::string const&, Time, Time, std::size_t) override { return {}; }
  std::optional<StatementRow> find_statement(std::string const&, std::string const&) override { return {}; }
  std::vector<Discrepancy> open_discrepancies(MerchantId const&, std::size_t) override { return {}; }

  std::map<OrderKey, OrderBooks> all;
  std::function<void()> before_find_order = [] {};
};

// The unknown payment's books as those of another order.
OrderBooks unknown_books_of(OrderKey const& key, int n, std::string idempotency_key) {
  RulesWorld world;
  RegisterOrder order = registration();
  BeginAttempt begin = beginning(n, std::move(idempotency_key));
  order.key = begin.key = key;
  world.run(order);
  world.run(begin);
  OrderBooks books{world.order(key), {}, {}, {}, {}};
  for (TimelineEvent const& event : world.events) books.timeline.push_back({0, event});
  return books;
}

TEST(Verify, CountsWhatItSaw) {
  BooksReader reader;
  reader.put(surplus_books());
  VerifyReport const report = verify(reader, shop_options());
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.orders, 1u);
  EXPECT_EQ(report.payments, 2u);
  EXPECT_EQ(report.refunds, 1u);
  EXPECT_EQ(report.effects, 3u);
  EXPECT_EQ(report.notices, 1u);
}

TEST(Verify, SeesEveryOrderOfManyPages) {
  BooksReader reader;
  for (int n = 0; n < 600; ++n)
    reader.put(unknown_books_of(order_key(fmt::format("PA-{}", n)), n, fmt::format("k-{}", n)));
  VerifyReport const report = verify(reader, {});
  EXPECT_TRUE(report.holds());
  EXPECT_EQ(report.orders, 600u);
  EXPECT_EQ(report.open.size(), 600u);
}

TEST(Verify, FindsAKeyOfTwoPaymentsOfOneMerchantOnly) {
  BooksReader reader;
  reader.put(unknown_books_of(order_key("A"), 1, "same"));
  reader.put(unknown_books_of({MerchantId{"other"}, OrderId{"B"}}, 2, "same"));
  EXPECT_TRUE(verify(reader, {}).holds());
  reader.put(unknown_books_of(order_key("C"), 3, "same"));
  EXPECT_EQ(violated(verify(reader, {}).violations), std::set<int>{10});
}

TEST(Verify, AChangeBetweenTwoReadsIsNoViolation) {
  BooksReader reader;
  OrderBooks torn = paid_books();
  torn.order = unknown_books().order;
  reader.put(torn);
  reader.before_find_order = [&] { reader.put(paid_books()); };
  EXPECT_TRUE(verify(reader, shop_options()).holds());
}

TEST(Verify, AViolationStaysHoweverOftenItIsRead) {
  BooksReader reader;
  OrderBooks broken = paid_books();
  broken.order.head.paid_minor = 1;
  reader.put(broken);
  EXPECT_EQ(violated(verify(reader, shop_options()).violations), std::set<int>{1});
}

TEST(Verify, AChargeUnderANumberThatIsNotInTheBooksIsFound) {
  BooksReader reader;
  reader.put(paid_books());
  BankLedger ledger{test_start + 1h, {}, {}};
  ledger.charges[attempt_id(1).value] = {{"PA-1001", 1999, "USD", true, 1999}};
  VerifyOptions options = shop_options();
  options.bank = &ledger;
  EXPECT_TRUE(verify(reader, options).holds());
  ledger.charges[attempt_id(8).value] = {{"PA-1001", 1999, "USD", true, 1999}};
  VerifyReport const report = verify(reader, options);
  ASSERT_EQ(violated(report.violations), std::set<int>{3});
  EXPECT_EQ(report.violations.front().subject, attempt_id(8).value);
}

TEST(Report, TellsEachInvariantAndTheVerdict) {
  BooksReader reader;
  reader.put(paid_books());
  std::string const text = report_text(verify(reader, shop_options()));
  for (Invariant const& it : invariants) EXPECT_TRUE(text.contains(it.name)) << it.name;
  EXPECT_TRUE(text.ends_with("all ten invariants hold\n")) << text;
  EXPECT_FALSE(text.contains("VIOLATED"));
}

TEST(Report, NamesOrderPaymentAndFact) {
  BooksReader reader;
  OrderBooks broken = failed_books();
  broken.order.attempts.front().evidence.reset();
  reader.put(broken);
  VerifyReport const report = verify(reader, shop_options());
  EXPECT_TRUE(
      report_text(report).contains("order shop/PA-1001: " + attempt_id(1).value + " is FAILED without evidence"));

  auto const json = boost::json::parse(report_json(report));
  EXPECT_FALSE(json.at("holds").as_bool());
  EXPECT_EQ(json.at("orders").as_int64(), 1);
  auto const& rows = json.at("invariants").as_array();
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_TRUE(rows[0].at("holds").as_bool());
  EXPECT_FALSE(rows[1].at("holds").as_bool());
  EXPECT_EQ(rows[1].at("violations").at(0).at("order_id").as_string(), "PA-1001");
  EXPECT_EQ(rows[1].at("violations").at(0).at("subject").as_string(), attempt_id(1).value);
}

TEST(Report, ShowsTheFirstOfManyFactsToPeopleAndAllToMachines) {
  VerifyReport report;
  for (int n = 0; n < 30; ++n) report.violations.push_back({4, order_key(), fmt::format("pay_{}", n), "is broken"});
  std::string const text = report_text(report);
  EXPECT_TRUE(text.contains("pay_19 is broken"));
  EXPECT_FALSE(text.contains("pay_20 is broken"));
  EXPECT_TRUE(text.contains("and 10 more"));
  EXPECT_TRUE(report_json(report).contains("pay_29"));
}

}  // namespace
}  // namespace payonce::test
