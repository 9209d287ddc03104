// Refunds: never more than was captured, surplus given back once, one number for ever.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

auto const order = order_key("PA-1001");
Attempt payer() { return succeeded(processing("pay_1", "k-1")); }
Attempt giver() { return surplus(processing("pay_2", "k-2")); }

Changes books() {
  Changes changes;
  changes.add(paid(head_of(order))).add(order, payer()).add(order, giver());
  return changes;
}

Refund ended(Refund refund, RefundState state) {
  refund.state = state;
  refund.due_at.reset();
  refund.evidence = Evidence::query;
  return refund;
}

}  // namespace

TEST_P(StoreSuite, ARefundComesBackAsItWasWritten) {
  Refund it = refund_of(giver(), "ref_2", 1999, "surplus");
  it.state = RefundState::unknown;
  it.review = "看";
  it.request = std::string("a\0b", 3);
  it.provider_ref = "re_1";
  it.evidence = Evidence::notice;
  it.answer_code = "SYSTEMERROR";
  it.answer = "\xff";
  it.tries = 2;
  it.updated_at = noon + Millis{4};
  write(books().add(order, it));
  auto const refunds = reader().find_order(order)->refunds;
  ASSERT_EQ(refunds.size(), 1u);
  EXPECT_EQ(fields(refunds[0]), fields(it));

  it = ended(it, RefundState::succeeded);
  it.review.clear();
  it.tries = 3;
  it.updated_at = noon + Millis{5};
  write(Changes{}.update(order, it));
  EXPECT_EQ(fields(reader().find_order(order)->refunds.at(0)), fields(it));
}

TEST_P(StoreSuite, SurplusMoneyIsGivenBackOnce) {
  Refund const first = refund_of(giver(), "ref_2", 1000, "surplus");
  write(books().add(order, first));
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(giver(), "ref_3", 999, "surplus"))), conflict);
  EXPECT_EQ(failure_of(Changes{}.add(order, first)), conflict) << "one number, one refund";
}

TEST_P(StoreSuite, NothingButSurplusGoesBackByItself) {
  write(books());
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_1", 1999, "surplus"))), refused);
  Refund keyless = refund_of(payer(), "ref_1", 1999, "request");
  keyless.key.clear();
  EXPECT_EQ(failure_of(Changes{}.add(order, keyless)), refused);
  Refund named = refund_of(payer(), "ref_1", 1999, "request");
  named.reason = "surplus";
  EXPECT_EQ(failure_of(Changes{}.add(order, named)), std::nullopt) << "a caller may say what it likes";
}

TEST_P(StoreSuite, ARefundIsFoundByItsNumberAndByItsKey) {
  Refund const it = refund_of(payer(), "ref_a", 500, "request");
  write(books().add(order, it));
  auto const found = reader().find_refund(it.id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, order);
  EXPECT_EQ(fields(found->refund), fields(it));
  EXPECT_FALSE(reader().find_refund(RefundId{"ref_b"}));

  writer().begin();
  std::vector<MerchantKey> const keys{{MerchantId{"shop"}, it.key},
                                      {MerchantId{"other"}, it.key},
                                      {MerchantId{"shop"}, "k-1"},
                                      {MerchantId{"shop"}, ""}};
  auto const holders = writer().find_keys(keys);
  writer().rollback();
  ASSERT_TRUE(holders[0]);
  EXPECT_EQ(holders[0]->order, order);
  EXPECT_EQ(holders[0]->refund, it.id);
  EXPECT_TRUE(holders[0]->attempt.empty());
  EXPECT_FALSE(holders[1]);
  ASSERT_TRUE(holders[2]);
  EXPECT_EQ(holders[2]->attempt, payer().id);
  EXPECT_TRUE(holders[2]->refund.empty());
  EXPECT_FALSE(holders[3]) << "surplus has no key";
}

TEST_P(StoreSuite, AKeyIsOneRefund) {
  write(books().add(order, refund_of(payer(), "ref_a", 500, "request")));
  Refund other = refund_of(payer(), "ref_b", 500, "request");
  other.key = "key of ref_a";
  EXPECT_EQ(failure_of(Changes{}.add(order, other)), conflict);
}

TEST_P(StoreSuite, RefundsThatAreLiveOrDoneNeverExceedWhatWasCaptured) {
  write(books());
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_a", 2000, "request"))), refused);
  Refund const done = ended(refund_of(payer(), "ref_b", 1500, "request"), RefundState::succeeded);
  Refund const live = refund_of(payer(), "ref_c", 400, "request");
  write(Changes{}.add(order, done).add(order, live));
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_d", 100, "request"))), refused);
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_d", 99, "request"))), std::nullopt);
}

TEST_P(StoreSuite, AFailedRefundFreesItsShareAndALateSuccessNeedsItAgain) {
  Refund const first = ended(refund_of(payer(), "ref_a", 1500, "request"), RefundState::failed);
  write(books().add(order, first));
  Refund const second = refund_of(payer(), "ref_b", 1500, "request");
  EXPECT_EQ(failure_of(Changes{}.add(order, second)), std::nullopt);
  EXPECT_EQ(failure_of(Changes{}.update(order, ended(first, RefundState::succeeded))), refused);
}

TEST_P(StoreSuite, NothingIsGivenBackOfMoneyThatDidNotCome) {
  Attempt const live = processing("pay_1", "k-1");
  write(Changes{}.add(head_of(order)).add(order, live));
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(live, "ref_1", 1, "request"))), refused);
  Refund other_currency = refund_of(giver(), "ref_2", 1, "surplus");
  other_currency.amount = Money{1, Currency::of("USD")};
  EXPECT_EQ(failure_of(Changes{}.add(order, giver()).add(order, other_currency)), refused);
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(processing("pay_9", "k"), "ref_9", 1, "request"))), refused);
}

TEST_P(StoreSuite, ARefundOverNothingIsRefused) {
  write(books());
  for (std::int64_t const minor : {std::int64_t{0}, std::int64_t{-1}})
    EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_a", minor, "request"))), refused) << minor;
}

TEST_P(StoreSuite, ARefundEndsOnlyOnEvidenceAndIsWatchedUntilThen) {
  write(books());
  for (RefundState const end : {RefundState::succeeded, RefundState::failed}) {
    Refund it = ended(refund_of(payer(), "ref_a", 1, "request"), end);
    it.evidence.reset();
    EXPECT_EQ(failure_of(Changes{}.add(order, it)), refused) << to_text(end);
    it = ended(it, end);
    it.due_at = noon;
    EXPECT_EQ(failure_of(Changes{}.add(order, it)), refused) << to_text(end);
  }
  Refund forgotten = refund_of(payer(), "ref_a", 1, "request");
  forgotten.due_at.reset();
  EXPECT_EQ(failure_of(Changes{}.add(order, forgotten)), refused);
}

TEST_P(StoreSuite, ASucceededRefundStaysSucceededAndItsAmountNeverChanges) {
  Refund const it = ended(refund_of(payer(), "ref_a", 500, "request"), RefundState::succeeded);
  write(books().add(order, it));
  EXPECT_EQ(failure_of(Changes{}.update(order, ended(it, RefundState::failed))), refused);
  Refund dearer = it;
  dearer.amount = cny(501);
  EXPECT_EQ(failure_of(Changes{}.update(order, dearer)), refused);
  EXPECT_FALSE(database().execute("UPDATE refunds SET amount_minor = 501"));
}

TEST_P(StoreSuite, DueRefundsComeLongestWaitingFirst) {
  Refund late = refund_of(payer(), "ref_a", 500, "request");
  late.due_at = noon + Millis{2};
  Refund early = refund_of(giver(), "ref_b", 1999, "surplus");
  early.due_at = noon + Millis{1};
  Refund const done = ended(refund_of(payer(), "ref_c", 1, "request"), RefundState::succeeded);
  write(books().add(order, late).add(order, early).add(order, done));
  EXPECT_TRUE(reader().due_refunds(noon, 10).empty());
  auto const due = reader().due_refunds(noon + Millis{2}, 10);
  ASSERT_EQ(due.size(), 2u);
  EXPECT_EQ(due[0].refund, early.id);
  EXPECT_EQ(due[0].key, order);
  EXPECT_EQ(due[0].due_at, noon + Millis{1});
  EXPECT_EQ(due[1].refund, late.id);
  EXPECT_EQ(reader().due_refunds(noon + Millis{2}, 1).size(), 1u);
}

TEST_P(StoreSuite, ARefundThatCameBackFreesItsShareAndIsTheEndOfIt) {
  Refund it = ended(refund_of(payer(), "ref_a", 1999, "request"), RefundState::succeeded);
  write(books().add(order, it));
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_b", 1, "request"))), refused);
  it.state = RefundState::returned;
  write(Changes{}.update(order, it));
  write(Changes{}.add(order, refund_of(payer(), "ref_b", 1999, "request")));
  it.state = RefundState::succeeded;
  EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused);
}

TEST_P(StoreSuite, ARefundMadeOutsideCountsAgainstWhatCame) {
  Refund outside = ended(refund_of(payer(), "ref_a", 1500, "outside"), RefundState::succeeded);
  outside.origin = RefundOrigin::outside;
  outside.key.clear();
  write(books().add(order, outside));
  EXPECT_EQ(fields(reader().find_refund(outside.id)->refund), fields(outside));
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(payer(), "ref_b", 500, "request"))), refused);
}

}  // namespace payonce::test
