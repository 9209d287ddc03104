// Statements: lines with their fees, what is kept of a bill, and the differences that a person sees.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

NoticeRow line_of(std::string_view id, std::string_view number, std::optional<Money> fee = std::nullopt) {
  NoticeRow line = notice_of(id, number);
  line.answer.amount = cny(1999);
  line.billed = {"2026-01-02", fee};
  return line;
}

Discrepancy missing(std::string_view number, Time found_at = noon) {
  Discrepancy it{.merchant = MerchantId{"shop"}, .kind = DiscrepancyKind::missing, .amount = cny(1999)};
  it.provider = "sandbox";
  it.day = "2026-01-02";
  it.subject = it.number = number;
  it.text = "a sentence";
  it.found_at = found_at;
  it.id = discrepancy_id(it);
  return it;
}

template <class Use>
void in_transaction(Writer& writer, Use use) {
  writer.begin();
  use();
  writer.commit();
}

}  // namespace

TEST_P(StoreSuite, ALineOfAStatementComesBackWithItsDayAndFee) {
  for (auto const& fee : {std::optional{cny(12)}, std::optional{cny(-12)}, std::optional<Money>{}}) {
    NoticeRow const line = line_of("bill:" + std::to_string(fee ? fee->minor : 0), "pay_1", fee);
    write(Changes{}.add(line));
    writer().begin();
    auto const found = writer().find_notices(std::vector{NoticeId{line.provider, line.event_id}});
    writer().rollback();
    EXPECT_EQ(fields(*found.at(0)), fields(line));
  }
  EXPECT_FALSE(database().execute("UPDATE processed_webhook_events SET statement_day = NULL")) << "a notice has no fee";
}

TEST_P(StoreSuite, AStatementReadAgainTakesThePlaceOfItsFirstReading) {
  StatementRow first{"sandbox", "2026-01-02", std::string(64, 'a'), 3, noon};
  StatementRow const second{"sandbox", "2026-01-02", std::string(64, 'b'), 4, noon + Millis{5}};
  in_transaction(writer(), [&] { writer().put_statement(first); });
  EXPECT_EQ(fields(*reader().find_statement("sandbox", "2026-01-02")), fields(first));
  in_transaction(writer(), [&] { writer().put_statement(second); });
  EXPECT_EQ(fields(*reader().find_statement("sandbox", "2026-01-02")), fields(second));
  EXPECT_FALSE(reader().find_statement("sandbox", "2026-01-03"));
  EXPECT_FALSE(reader().find_statement("other", "2026-01-02"));
}

TEST_P(StoreSuite, ADifferenceIsKeptOnceUntilAPersonHasResolvedIt) {
  Discrepancy const late = missing("pay_1", noon + Millis{1});
  Discrepancy again = late;
  again.text = "found again";
  write(Changes{}.add(late).add(missing("pay_2")));
  write(Changes{}.add(again));
  auto const open = reader().open_discrepancies(MerchantId{"shop"}, 10);
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(fields(open[1]), fields(late)) << "as it was found first, and behind older ones";
  EXPECT_EQ(reader().open_discrepancies(MerchantId{"shop"}, 1).size(), 1U);
  EXPECT_TRUE(reader().open_discrepancies(MerchantId{"other"}, 10).empty());
  EXPECT_EQ(reader().backlog().discrepancies, 2);

  in_transaction(writer(), [&] {
    EXPECT_FALSE(writer().resolve_discrepancy(MerchantId{"other"}, late.id, "ann", "mine", noon));
    EXPECT_TRUE(writer().resolve_discrepancy(MerchantId{"shop"}, late.id, "ann", "asked them", noon));
    EXPECT_FALSE(writer().resolve_discrepancy(MerchantId{"shop"}, late.id, "bob", "me too", noon));
  });
  write(Changes{}.add(late));
  ASSERT_EQ(reader().open_discrepancies(MerchantId{"shop"}, 10).size(), 1U) << "resolved is resolved";
  EXPECT_EQ(reader().open_discrepancies(MerchantId{"shop"}, 10)[0].number, "pay_2");
}

TEST_P(StoreSuite, WhatALaterLineAnswersIsResolvedByItself) {
  Discrepancy unknown = missing("pay_3");
  unknown.kind = DiscrepancyKind::unknown;
  unknown.subject = "bill:3";
  unknown.id = discrepancy_id(unknown);
  NoticeRow waiting = line_of("bill:3", "pay_3");
  waiting.disposition = NoticeDisposition::unmatched;
  waiting.due_at = noon;
  write(Changes{}.add(missing("pay_1")).add(missing("pay_2")).add(unknown).add(waiting).add(notice_of("e", "pay_2")));
  auto const open_after = [&](WriteSet const& changes) {
    write(changes);
    in_transaction(writer(), [&] { writer().resolve_answered_discrepancies("sandbox", noon + Millis{1}); });
    return reader().open_discrepancies(MerchantId{"shop"}, 10).size();
  };
  EXPECT_EQ(open_after(Changes{}.add(line_of("bill:9", "pay_9"))), 3U) << "a notice is no statement";
  EXPECT_EQ(open_after(Changes{}.add(line_of("bill:1", "pay_1"))), 2U);
  waiting.disposition = NoticeDisposition::applied;
  waiting.due_at.reset();
  EXPECT_EQ(open_after(Changes{}.update(waiting)), 1U);
  EXPECT_EQ(reader().open_discrepancies(MerchantId{"shop"}, 10)[0].number, "pay_2");
}

TEST_P(StoreSuite, MoneyThatNoStatementHasToldOfIsFound) {
  auto const come = [&](std::string const& n, Time at, auto change) {
    OrderKey const key = order_key("order-" + n);
    Attempt const attempt = succeeded(processing("pay_" + n, "key-" + n));
    Posting posting = posting_of(key, attempt);
    posting.at = at;
    change(posting);
    write(Changes{}.add(paid(head_of(key))).add(key, attempt).add(posting));
    return posting;
  };
  auto const as_it_is = [](Posting&) {};
  Posting const told = come("1", noon, as_it_is);
  Posting const untold = come("2", noon, as_it_is);
  come("3", noon + Millis{10}, as_it_is);
  come("4", noon - Millis{1}, as_it_is);
  come("5", noon, [](Posting& it) { it.debit = "receivable:other"; });
  come("6", noon, [](Posting& it) { it.credit = "fees"; });
  come("7", noon, [](Posting& it) { it.refund = RefundId{"ref_7"}; });
  write(Changes{}.add(line_of("bill:1", told.attempt.value)).add(notice_of("evt_2", untold.attempt.value)));
  auto const found = reader().unbilled(MerchantId{"shop"}, "sandbox", noon, noon + Millis{10}, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(fields(found[0]), fields(untold));
  EXPECT_TRUE(reader().unbilled(MerchantId{"other"}, "sandbox", noon, noon + Millis{10}, 10).empty());
}

}  // namespace payonce::test
