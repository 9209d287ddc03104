// Holds and captures: never more than is held, one after the other, one number for ever.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

auto const order = order_key("PA-1001");

OrderHead manual_head() {
  OrderHead head = head_of(order);
  head.capture = CaptureMode::manual;
  head.held_minor = 1999;
  return head;
}

Attempt held() {
  Attempt attempt = processing("pay_1", "k-1");
  attempt.state = AttemptState::authorized;
  attempt.evidence = Evidence::response;
  return attempt;
}

Changes books() {
  Changes changes;
  changes.add(manual_head()).add(order, held());
  return changes;
}

Capture ended(Capture capture, CaptureState state) {
  capture.state = state;
  capture.due_at.reset();
  capture.evidence = Evidence::query;
  return capture;
}

}  // namespace

TEST_P(StoreSuite, ACaptureComesBackAsItWasWritten) {
  Capture it = capture_of(held(), "cap_1", 1500);
  it.state = CaptureState::unknown;
  it.is_final = false;
  it.request = std::string("a\0b", 3);
  it.provider_ref = "cp_1";
  it.evidence = Evidence::notice;
  it.answer_code = "SYSTEMERROR";
  it.answer = "\xff";
  it.tries = 2;
  it.updated_at = noon + Millis{4};
  write(books().add(order, it));
  auto const found = reader().find_order(order);
  EXPECT_EQ(found->head.capture, CaptureMode::manual);
  ASSERT_EQ(found->captures.size(), 1u);
  EXPECT_EQ(fields(found->captures[0]), fields(it));

  it = ended(it, CaptureState::succeeded);
  it.tries = 3;
  it.updated_at = noon + Millis{5};
  write(Changes{}.update(order, it));
  EXPECT_EQ(fields(reader().find_capture(it.id)->capture), fields(it));
  EXPECT_EQ(reader().find_capture(it.id)->key, order);
  EXPECT_FALSE(reader().find_capture(CaptureId{"cap_2"}));
  EXPECT_EQ(reader().orders_after({}, 10).at(0).captures.size(), 1u);
  writer().begin();
  auto const locked = writer().load_orders(std::vector{order_key("PA-9"), order});
  writer().rollback();
  ASSERT_EQ(locked.at(0).captures.size(), 1u);
  EXPECT_EQ(fields(locked[0].captures[0]), fields(it));
}

TEST_P(StoreSuite, ACaptureIsFoundByItsKey) {
  write(books().add(order, capture_of(held(), "cap_1", 500)));
  writer().begin();
  std::vector<MerchantKey> const keys{
      {MerchantId{"shop"}, "key of cap_1"}, {MerchantId{"other"}, "key of cap_1"}, {MerchantId{"shop"}, "k-1"}};
  auto const holders = writer().find_keys(keys);
  writer().rollback();
  ASSERT_TRUE(holders[0]);
  EXPECT_EQ(holders[0]->order, order);
  EXPECT_EQ(holders[0]->capture, CaptureId{"cap_1"});
  EXPECT_TRUE(holders[0]->attempt.empty() && holders[0]->refund.empty());
  EXPECT_FALSE(holders[1]);
  ASSERT_TRUE(holders[2]);
  EXPECT_TRUE(holders[2]->capture.empty());
  Capture other = ended(capture_of(held(), "cap_2", 500), CaptureState::failed);
  other.key = "key of cap_1";
  EXPECT_EQ(failure_of(Changes{}.add(order, other)), conflict) << "a key is one capture";
}

TEST_P(StoreSuite, CapturesThatAreLiveOrDoneNeverExceedWhatIsHeld) {
  write(books());
  EXPECT_EQ(failure_of(Changes{}.add(order, capture_of(held(), "cap_1", 2000))), refused);
  Capture const done = ended(capture_of(held(), "cap_2", 1500), CaptureState::succeeded);
  write(Changes{}.add(order, done));
  Capture other_currency = capture_of(held(), "cap_4", 1);
  other_currency.amount = Money{1, Currency::of("USD")};
  EXPECT_EQ(failure_of(Changes{}.add(order, other_currency)), refused);
  EXPECT_EQ(failure_of(Changes{}.add(order, capture_of(held(), "cap_3", 500))), refused);
  EXPECT_EQ(failure_of(Changes{}.add(order, capture_of(held(), "cap_3", 499))), std::nullopt);
}

TEST_P(StoreSuite, CapturesOfAPaymentComeOneAfterTheOther) {
  Capture const first = capture_of(held(), "cap_1", 500);
  write(books().add(order, first));
  EXPECT_EQ(failure_of(Changes{}.add(order, capture_of(held(), "cap_2", 500))), conflict);
  EXPECT_EQ(
      failure_of(
          Changes{}.add(order, capture_of(held(), "cap_2", 500)).update(order, ended(first, CaptureState::failed))),
      std::nullopt)
      << "one transaction may end one and begin the next";
}

TEST_P(StoreSuite, AFailedCaptureFreesItsShareAndALateSuccessNeedsItAgain) {
  Capture const first = ended(capture_of(held(), "cap_1", 1500), CaptureState::failed);
  write(books().add(order, first));
  write(Changes{}.add(order, capture_of(held(), "cap_2", 1500)));
  EXPECT_EQ(failure_of(Changes{}.update(order, ended(first, CaptureState::succeeded))), refused);
}

TEST_P(StoreSuite, ACaptureEndsOnlyOnEvidenceAndStaysSucceeded) {
  Capture it = ended(capture_of(held(), "cap_1", 500), CaptureState::succeeded);
  it.evidence.reset();
  EXPECT_EQ(failure_of(books().add(order, it)), refused);
  Capture forgotten = capture_of(held(), "cap_1", 500);
  forgotten.due_at.reset();
  EXPECT_EQ(failure_of(books().add(order, forgotten)), refused);
  it = ended(it, CaptureState::succeeded);
  write(books().add(order, it));
  EXPECT_EQ(failure_of(Changes{}.update(order, ended(it, CaptureState::failed))), refused);
  Capture dearer = it;
  dearer.amount = cny(501);
  EXPECT_EQ(failure_of(Changes{}.update(order, dearer)), refused);
  EXPECT_FALSE(database().execute("UPDATE captures SET amount_minor = 501"));
}

TEST_P(StoreSuite, DueCapturesComeLongestWaitingFirst) {
  Capture late = capture_of(held(), "cap_1", 500);
  late.due_at = noon + Millis{2};
  write(books().add(order, late));
  EXPECT_TRUE(reader().due_captures(noon, 10).empty());
  auto const due = reader().due_captures(noon + Millis{2}, 10);
  ASSERT_EQ(due.size(), 1u);
  EXPECT_EQ(due[0].capture, late.id);
  EXPECT_EQ(due[0].key, order);
  EXPECT_EQ(due[0].due_at, noon + Millis{2});
}

TEST_P(StoreSuite, AHoldKeepsThePlaceOfItsOrderAndIsWatched) {
  write(books());
  EXPECT_EQ(failure_of(Changes{}.add(order, processing("pay_2", "k-2"))), conflict);
  EXPECT_EQ(failure_of(Changes{}.add(order, surplus(processing("pay_2", "k-2")))), std::nullopt);
  Attempt forgotten = held();
  forgotten.due_at.reset();
  EXPECT_EQ(failure_of(Changes{}.update(order, forgotten)), refused);
}

TEST_P(StoreSuite, WhatWasCapturedOfAHoldNeverGetsLess) {
  write(books());
  Attempt partly = held();
  partly.captured_minor = 500;
  write(Changes{}.update(order, partly));
  EXPECT_EQ(fields(reader().find_order(order)->attempts.at(0)), fields(partly));
  Attempt less = partly;
  less.captured_minor = 400;
  EXPECT_EQ(failure_of(Changes{}.update(order, less)), refused);
  EXPECT_EQ(failure_of(Changes{}.update(order, failed(partly))), refused) << "money that came is no failure";
  Attempt complete = succeeded(partly);
  complete.captured_minor = 1500;
  write(Changes{}.update(order, complete));
  EXPECT_EQ(fields(reader().find_attempts(std::vector{complete.id}).at(0).attempt), fields(complete));
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(complete, "ref_1", 1501, "request"))), refused)
      << "what was held and not captured can't go back";
  EXPECT_EQ(failure_of(Changes{}.add(order, refund_of(complete, "ref_1", 1500, "request"))), std::nullopt);
  Attempt everything = complete;
  everything.captured_minor = 0;
  EXPECT_EQ(failure_of(Changes{}.update(order, everything)), std::nullopt) << "it may grow to all that was held";
}

TEST_P(StoreSuite, NothingIsCapturedOfAPaymentThatIsNotHeld) {
  Attempt live = processing("pay_1", "k-1");
  live.captured_minor = 500;
  EXPECT_EQ(failure_of(Changes{}.add(manual_head()).add(order, live)), refused);
}

}  // namespace payonce::test
