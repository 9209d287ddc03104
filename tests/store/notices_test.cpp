// Providers' notices: each event counts once, raw bytes are kept, unmatched ones come back.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

std::optional<NoticeRow> find(Writer& writer, std::string provider, std::string event_id) {
  writer.begin();
  auto found = writer.find_notices(std::vector{NoticeId{std::move(provider), std::move(event_id)}});
  writer.rollback();
  return found.at(0);
}

NoticeRow unmatched(std::string_view event_id, Time due_at) {
  NoticeRow notice = notice_of(event_id, "pay_9");
  notice.disposition = NoticeDisposition::unmatched;
  notice.due_at = due_at;
  return notice;
}

}  // namespace

TEST_P(StoreSuite, ANoticeComesBackAsItCame) {
  NoticeRow it = unmatched("evt_1", noon + Millis{3});
  it.refund_number = "ref_9";
  it.answer = Answer{.outcome = Outcome::declined,
                     .provider_ref = "ch_1",
                     .amount = Money{80, Currency::of("JPY")},
                     .code = "REFUSED",
                     .text = std::string("\0\xff", 2),
                     .action_url = "https://pay.example",
                     .misfit = "other account"};
  it.body = std::string("{\"a\":\0\xff\xfe}", 9);
  it.tries = 4;
  write(Changes{}.add(it));
  EXPECT_EQ(fields(*find(writer(), "sandbox", "evt_1")), fields(it));
}

TEST_P(StoreSuite, ANoticeWithoutAnAmountHasNone) {
  write(Changes{}.add(notice_of("evt_1", "pay_1")));
  EXPECT_FALSE(find(writer(), "sandbox", "evt_1")->answer.amount);
}

TEST_P(StoreSuite, TheSameEventTwiceIsAConflict) {
  write(Changes{}.add(notice_of("evt_1", "pay_1")));
  EXPECT_EQ(failure_of(Changes{}.add(notice_of("evt_1", "pay_2"))), conflict);
  NoticeRow elsewhere = notice_of("evt_1", "pay_1");
  elsewhere.provider = "other";
  EXPECT_EQ(failure_of(Changes{}.add(elsewhere).add(notice_of("EVT_1", "pay_1"))), std::nullopt);
}

TEST_P(StoreSuite, NoticesAreAnsweredInTheOrderAskedFor) {
  write(Changes{}.add(notice_of("evt_1", "pay_1")).add(notice_of("evt_2", "pay_2")));
  writer().begin();
  auto const found = writer().find_notices(
      std::vector<NoticeId>{{"sandbox", "evt_2"}, {"sandbox", "evt_3"}, {"other", "evt_1"}, {"sandbox", "evt_1"}});
  writer().rollback();
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0]->number, "pay_2");
  EXPECT_FALSE(found[1]);
  EXPECT_FALSE(found[2]);
  EXPECT_EQ(found[3]->number, "pay_1");
}

TEST_P(StoreSuite, UnmatchedNoticesComeBackUntilTheyAreWorkedIn) {
  NoticeRow it = unmatched("evt_1", noon + Millis{2});
  write(Changes{}.add(it).add(unmatched("evt_2", noon + Millis{1})).add(notice_of("evt_3", "pay_3")));
  EXPECT_TRUE(reader().due_notices(noon, 10).empty());
  auto const due = reader().due_notices(noon + Millis{2}, 10);
  ASSERT_EQ(due.size(), 2u);
  EXPECT_EQ(due[0].event_id, "evt_2");
  EXPECT_EQ(due[1].event_id, "evt_1");
  EXPECT_EQ(reader().due_notices(noon + Millis{2}, 1).size(), 1u);
  EXPECT_EQ(reader().backlog().notices_unmatched, 2);

  it.disposition = NoticeDisposition::applied;
  it.due_at.reset();
  it.tries = 1;
  write(Changes{}.update(it));
  EXPECT_EQ(fields(*find(writer(), "sandbox", "evt_1")), fields(it));
  EXPECT_EQ(reader().due_notices(noon + Millis{2}, 10).size(), 1u);
}

TEST_P(StoreSuite, AnUnmatchedNoticeIsDueAndNoOtherIs) {
  NoticeRow it = unmatched("evt_1", noon);
  it.due_at.reset();
  EXPECT_EQ(failure_of(Changes{}.add(it)), refused);
  for (auto const disposition : {NoticeDisposition::applied, NoticeDisposition::misfit, NoticeDisposition::foreign}) {
    it.disposition = disposition;
    it.due_at = noon;
    EXPECT_EQ(failure_of(Changes{}.add(it)), refused) << to_text(disposition);
  }
  EXPECT_EQ(failure_of(Changes{}.update(notice_of("evt_9", "pay_9"))), refused) << "there is none to change";
}

TEST_P(StoreSuite, ThePaymentsNoticesAreListedAsTheyCame) {
  NoticeRow second = notice_of("evt_1", "pay_1");
  second.received_at = noon + Millis{1};
  write(Changes{}.add(second).add(notice_of("evt_2", "pay_1")).add(notice_of("evt_3", "pay_2")));
  auto const found = reader().notices_of(AttemptId{"pay_1"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].event_id, "evt_2");
  EXPECT_EQ(found[1].event_id, "evt_1");
}

}  // namespace payonce::test
