// Each check holds on sound books and fails on books that are broken in one place.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "base/id.h"
#include "verify/books_fixture_test.h"

namespace payonce::test {
namespace {

struct Break {
  char const* name;
  OrderBooks (*sound)();
  void (*break_it)(OrderBooks& books);
  std::set<int> violates;
};

void PrintTo(Break const& it, std::ostream* out) { *out << it.name; }

class BrokenBooks : public testing::TestWithParam<Break> {};

TEST_P(BrokenBooks, AreFound) {
  OrderBooks books = GetParam().sound();
  ASSERT_EQ(violated(books), std::set<int>{});
  GetParam().break_it(books);
  EXPECT_EQ(violated(books), GetParam().violates);
}

Attempt& first(OrderBooks& books) { return books.order.attempts.front(); }
Attempt& last(OrderBooks& books) { return books.order.attempts.back(); }
Refund& refund(OrderBooks& books) { return books.order.refunds.front(); }

void remove_events(OrderBooks& books, std::string_view type) {
  std::erase_if(books.timeline, [&](StoredEvent const& it) { return it.event.type == type; });
}

Break const breaks[] = {
    {"SecondPaymentPaid",
     surplus_books,
     [](OrderBooks& books) {
       first(books).surplus = false;
       books.order.head.paid_minor *= 2;
     },
     {1, 5, 8}},
    {"PaidSumDiffers", paid_books, [](OrderBooks& books) { books.order.head.paid_minor = 1; }, {1}},
    {"HeldSumDiffers", unknown_books, [](OrderBooks& books) { books.order.head.held_minor = 0; }, {1}},
    {"HoldsMoreThanItsAmount", unknown_books, [](OrderBooks& books) { books.order.head.amount.minor = 1998; }, {1}},
    {"PaidWithoutPayment", unknown_books, [](OrderBooks& books) { books.order.head.state = OrderState::paid; }, {1, 5}},
    {"PaymentWithoutPaid", paid_books, [](OrderBooks& books) { books.order.head.state = OrderState::open; }, {1, 5}},

    {"FailedWithoutEvidence", failed_books, [](OrderBooks& books) { first(books).evidence.reset(); }, {2}},
    {"FailedWithoutAnswer",
     failed_books,
     [](OrderBooks& books) { first(books).answer_code = first(books).answer = ""; },
     {2}},
    {"FailedWithoutEventEvidence",
     failed_books,
     [](OrderBooks& books) { event_of(books, "payment.failed").evidence.reset(); },
     {2}},
    {"FailedOutOfTheBlue", failed_books, [](OrderBooks& books) { remove_events(books, "payment.failed"); }, {2}},
    {"TimelineHasAGap", failed_books, [](OrderBooks& books) { remove_events(books, "payment.unknown"); }, {2}},
    {"TimelineLeapsWhereTheTableDoesNot",
     failed_books,
     [](OrderBooks& books) {
       event_of(books, "payment.unknown").to = "RELEASED";
       event_of(books, "payment.failed").from = "RELEASED";
       event_of(books, "payment.failed").to = "UNKNOWN";
       first(books).state = AttemptState::unknown;
       first(books).settled_at.reset();
       first(books).due_at = test_start;
       books.order.head.held_minor = 1999;
     },
     {2}},
    {"TimelineSpeaksOfAStateThatIsNone",
     failed_books,
     [](OrderBooks& books) {
       event_of(books, "payment.unknown").to = "LOST";
       event_of(books, "payment.failed").from = "LOST";
     },
     {2}},

    {"NoStoredRequest", paid_books, [](OrderBooks& books) { first(books).request.clear(); }, {3}},
    {"NeverBorn", paid_books, [](OrderBooks& books) { remove_events(books, "payment.created"); }, {2, 3}},
    {"BornTwice",
     paid_books,
     [](OrderBooks& books) { books.timeline.insert(books.timeline.begin(), {0, event_of(books, "payment.created")}); },
     {2, 3}},
    {"BegunAlthoughBookedByHand",
     offline_books,
     [](OrderBooks& books) { event_of(books, "payment.succeeded").type = "payment.created"; },
     {3}},

    {"RequestOfAnotherNumber",
     paid_books,
     [](OrderBooks& books) { first(books).request = "create " + attempt_id(9).value; },
     {4}},
    {"RefundRequestOfAnotherNumber",
     surplus_books,
     [](OrderBooks& books) { refund(books).request = "refund " + surplus_refund_id(attempt_id(9)).value; },
     {4}},

    {"EffectMissing", paid_books, [](OrderBooks& books) { books.effects.pop_back(); }, {5}},
    {"EffectOfAnotherMoment", paid_books, [](OrderBooks& books) { books.effects.front().created_at += 1s; }, {5}},
    {"NoticeTwice", paid_books, [](OrderBooks& books) { books.notices.push_back(books.notices.front()); }, {5}},
    {"ChangeWithoutItsNotice", paid_books, [](OrderBooks& books) { books.notices.clear(); }, {5}},
    {"ChangeOfANoticeThatIsStillToBeWorkedIn",
     paid_books,
     [](OrderBooks& books) {
       books.notices.front().disposition = NoticeDisposition::unmatched;
       books.notices.front().due_at = test_start;
     },
     {5}},
    {"NoticeWithoutItsChange",
     failed_books,
     [](OrderBooks& books) {
       NoticeRow row;
       row.number = attempt_id(1).value;
       row.disposition = NoticeDisposition::applied;
       row.answer = answer(Outcome::succeeded);
       books.notices.push_back(row);
     },
     {5}},
    {"RefundNoticeWithoutItsChange",
     surplus_books,
     [](OrderBooks& books) {
       books.notices.front().event_id = "evt_2";
       NoticeRow row;
       row.number = attempt_id(1).value;
       row.refund_number = surplus_refund_id(attempt_id(9)).value;
       row.answer.outcome = Outcome::succeeded;
       row.disposition = NoticeDisposition::applied;
       books.notices.push_back(row);
     },
     {5}},

    {"EffectTwice", paid_books, [](OrderBooks& books) { books.effects.push_back(books.effects.front()); }, {5, 6}},
    {"EffectOfASurplus",
     surplus_books,
     [](OrderBooks& books) {
       Effect effect = books.effects.front();
       effect.attempt = attempt_id(1);
       books.effects.push_back(effect);
     },
     {5}},

    {"SuccessTakenBack",
     paid_books,
     [](OrderBooks& books) {
       TimelineEvent event = event_of(books, "payment.succeeded");
       event.type = "payment.failed";
       event.from = "SUCCEEDED";
       event.to = "FAILED";
       event.evidence = Evidence::query;
       books.timeline.push_back({99, event});
     },
     {2, 7}},
    {"SurplusThatDidNotCome",
     surplus_books,
     [](OrderBooks& books) { first(books).state = AttemptState::failed; },
     {2, 5, 7, 8}},

    {"MoreGoesBackThanCame", surplus_books, [](OrderBooks& books) { refund(books).amount.minor += 1; }, {5, 8}},
    {"SurplusIsKept",
     surplus_books,
     [](OrderBooks& books) {
       books.order.refunds.clear();
       std::erase_if(books.timeline, [](StoredEvent const& it) { return !it.event.refund.empty(); });
     },
     {5, 8}},
    {"SurplusGoesBackUnderAnotherNumber",
     surplus_books,
     [](OrderBooks& books) {
       RefundId const other{"ref_other"};
       for (auto& [sequence, event] : books.timeline)
         if (!event.refund.empty()) event.refund = other;
       refund(books).id = other;
       refund(books).request = "refund ref_other";
     },
     {8}},
    {"WhatPaidIsGivenBackAsSurplus",
     surplus_books,
     [](OrderBooks& books) { refund(books).attempt = last(books).id; },
     {5, 8}},
    {"RefundWithoutEvidence", surplus_books, [](OrderBooks& books) { refund(books).evidence.reset(); }, {8}},
    {"RefundTimelineEndsElsewhere",
     surplus_books,
     [](OrderBooks& books) { remove_events(books, "refund.succeeded"); },
     {8}},

    {"NeverLookedAtAgain", unknown_books, [](OrderBooks& books) { first(books).due_at.reset(); }, {9}},
    {"AskedAboutForEver", failed_books, [](OrderBooks& books) { first(books).due_at = test_start; }, {9}},
    {"EndWithoutTime", failed_books, [](OrderBooks& books) { first(books).settled_at.reset(); }, {9}},
    {"EffectNeverDue", paid_books, [](OrderBooks& books) { books.effects.front().due_at.reset(); }, {9}},
    {"RefundAskedAboutForEver", surplus_books, [](OrderBooks& books) { refund(books).due_at = test_start; }, {9}},
    {"OrderNeverRegistered", paid_books, [](OrderBooks& books) { remove_events(books, "order.registered"); }, {9}},
    {"OrderClosedInSilence", failed_books, [](OrderBooks& books) { books.order.head.state = OrderState::closed; }, {9}},
    {"PaymentLost",
     surplus_books,
     [](OrderBooks& books) { event_of(books, "order.registered").attempt = attempt_id(7); },
     {9}},

    {"JournalLacksAMovement", paid_books, [](OrderBooks& books) { books.journal.clear(); }, {5}},
    {"JournalNamesAnotherAccount", paid_books, [](OrderBooks& books) { books.journal[0].credit = "surplus"; }, {5}},
    {"JournalOfAPaymentThatIsNotThere",
     paid_books,
     [](OrderBooks& books) {
       books.journal.push_back(books.journal[0]);
       books.journal.back().attempt = attempt_id(7);
     },
     {5}},
    {"RefundsBeyondWhatCame", refund_books, [](OrderBooks& books) { refund(books).amount.minor = 2000; }, {5, 8}},
    {"RefundOfWhatPaidWithoutAKey", refund_books, [](OrderBooks& books) { refund(books).key.clear(); }, {8}},
    {"EffectOfARefundTwice",
     refund_books,
     [](OrderBooks& books) { books.effects.push_back(books.effects.back()); },
     {6}},
    {"EffectOfARefundThatDidNotEnd",
     refund_books,
     [](OrderBooks& books) { books.effects.back().refund = refund_id(9); },
     {6}},
    {"EffectOfARefundOfAnotherMoment",
     refund_books,
     [](OrderBooks& books) { books.effects.back().created_at += 5s; },
     {5}},

    {"FingerprintOfAnotherRequest", paid_books, [](OrderBooks& books) { first(books).method = "another card"; }, {10}},
    {"NoKey", paid_books, [](OrderBooks& books) { first(books).key.clear(); }, {10}},
};

INSTANTIATE_TEST_SUITE_P(Each, BrokenBooks, testing::ValuesIn(breaks),
                         [](auto const& info) { return std::string{info.param.name}; });

TEST(SoundBooks, HoldInEveryStory) {
  for (auto const make : {unknown_books, paid_books, failed_books, surplus_books, refund_books, offline_books})
    EXPECT_EQ(violated(make()), std::set<int>{});
}

TEST(SoundBooks, WhatIsStillWatchedIsOpenAndNoViolation) {
  EXPECT_EQ(check_order(unknown_books(), shop_options()).open.size(), 1u);
  EXPECT_TRUE(check_order(paid_books(), shop_options()).open.empty());
}

TEST(SoundBooks, EffectsOfRefundsAreExpectedToo) {
  VerifyOptions options = shop_options();
  auto& wanted = options.effects[MerchantId{"shop"}];
  wanted.push_back({"refunded", Trigger::refund_succeeded});
  wanted.push_back({"refund-refused", Trigger::refund_failed});
  OrderBooks books = refund_books();
  EXPECT_EQ(violated(books, options), std::set<int>{});
  books.effects.pop_back();
  EXPECT_EQ(violated(books, options), std::set<int>{5});
}

TEST(SoundBooks, EffectsAreExpectedOnlyOfMerchantsThatAreConfigured) {
  OrderBooks books = paid_books();
  books.effects.clear();
  EXPECT_EQ(violated(books, {}), std::set<int>{});
  EXPECT_EQ(violated(books), std::set<int>{5});
}

}  // namespace
}  // namespace payonce::test
