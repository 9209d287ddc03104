// Attempts: one live or paid per order, one per key, and no end without evidence.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

auto const order = order_key("PA-1001");

// The order with this attempt of it.
Changes with(Attempt const& attempt) {
  Changes changes;
  changes.add(head_of(order)).add(order, attempt);
  return changes;
}

}  // namespace

TEST_P(StoreSuite, AnAttemptComesBackAsItWasWritten) {
  Attempt it = processing("pay_1", "k-1");
  it.method = "tok_visa";
  it.amount = Money{1, Currency::of("JPY")};
  it.metadata = "{\"note\":\"déjà vu 再见\"}";
  it.state = AttemptState::succeeded;
  it.surplus = true;
  it.cancel_requested = true;
  it.review = "does not fit: 金额";
  it.request = std::string("bytes \0 and \xff\xfe", 14);
  it.provider_ref = "ch_1";
  it.action_url = "https://pay.example/1?a=b&c";
  it.evidence = Evidence::operator_;
  it.answer_code = "ACQ.TRADE_SUCCESS";
  it.answer = std::string("\0\x80 cut in the middle of \xe5\x86", 25);
  it.tries = 7;
  it.due_at.reset();
  it.settled_at = noon + Millis{9};
  it.updated_at = noon + Millis{8};
  write(with(it));
  auto const found = reader().find_attempt(it.id);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, order);
  EXPECT_EQ(fields(found->attempt), fields(it));
  EXPECT_EQ(fields(reader().find_order(order)->attempts.at(0)), fields(it));
}

TEST_P(StoreSuite, WhatAnAttemptDoesNotHaveStaysAbsent) {
  Attempt it = processing("pay_1", "k-1");
  it.exposed = false;
  it.first_sent_at.reset();
  it.request.clear();
  write(with(it));
  Attempt const found = reader().find_attempt(it.id)->attempt;
  EXPECT_EQ(fields(found), fields(it));
  EXPECT_FALSE(found.evidence || found.first_sent_at || found.settled_at);
}

TEST_P(StoreSuite, EveryChangeableFieldOfAnAttemptChanges) {
  Attempt it = processing("pay_1", "k-1");
  it.exposed = false;
  write(with(it));
  it.state = AttemptState::requires_action;
  it.exposed = true;
  it.cancel_requested = true;
  it.review = "look";
  it.request = "written late, before it was sent";
  it.provider_ref = "ch_1";
  it.action_url = "https://pay.example/1";
  it.evidence = Evidence::query;
  it.answer_code = "10003";
  it.answer = "inprocess";
  it.tries = 3;
  it.due_at = noon + Millis{77};
  it.first_sent_at = noon + Millis{3};
  it.expires_at = noon + Millis{4};
  it.updated_at = noon + Millis{5};
  write(Changes{}.update(order, it));
  EXPECT_EQ(fields(reader().find_attempt(it.id)->attempt), fields(it));
  write(Changes{}.update(order, failed(it)));
  EXPECT_EQ(fields(reader().find_attempt(it.id)->attempt), fields(failed(it)));
}

TEST_P(StoreSuite, EveryStateAndEvidenceComesBackByItsName) {
  write(Changes{}.add(head_of(order)));
  int number = 0;
  for (AttemptState const state : attempt_states)
    for (Evidence const evidence : evidences) {
      auto const n = std::to_string(number++);
      Attempt it = processing("pay_" + n, "k-" + n);
      if (!is_watched(state)) it = ended(it, state);
      it.state = state;
      it.evidence = evidence;
      it.surplus = state == AttemptState::succeeded;
      auto const own = order_key("PA-" + n);
      write(Changes{}.add(head_of(own)).add(own, it));
      EXPECT_EQ(fields(reader().find_attempt(it.id)->attempt), fields(it)) << to_text(state) << to_text(evidence);
    }
}

TEST_P(StoreSuite, WordsThatARowDoesNotKnowAreRefused) {
  Attempt const it = succeeded(processing("pay_1", "k-1"));
  write(with(it).add(effect_of(order, it, "ship")));
  for (char const* const change :
       {"orders SET state = 'GONE'", "orders SET policy = 'else'", "orders SET capture = 'never'",
        "payment_attempts SET state = 'LOST', captured_minor = NULL", "payment_attempts SET evidence = 'rumour'",
        "payment_attempts SET tries = -1", "payment_attempts SET disputes = -1",
        "effects SET state = 'LOST', due_at = NULL", "effects SET tries = -1"})
    EXPECT_FALSE(database().execute("UPDATE " + std::string{change})) << change;
}

TEST_P(StoreSuite, ASecondLiveAttemptOfAnOrderIsAConflict) {
  for (AttemptState const first :
       {AttemptState::processing, AttemptState::requires_action, AttemptState::unknown, AttemptState::succeeded}) {
    auto const own = order_key(to_text(first));
    Attempt holder = processing(to_text(first), to_text(first));
    if (first == AttemptState::succeeded) holder = succeeded(holder);
    holder.state = first;
    write(Changes{}.add(head_of(own)).add(own, holder));
    EXPECT_EQ(failure_of(Changes{}.add(own, processing("pay_2", "k-2"))), conflict) << to_text(first);
    EXPECT_EQ(failure_of(Changes{}.add(own, succeeded(processing("pay_2", "k-2")))), conflict) << to_text(first);
  }
}

TEST_P(StoreSuite, AnAttemptThatLeftTheLiveSetMakesRoomForAnother) {
  write(Changes{}.add(head_of(order)));
  for (AttemptState const gone : {AttemptState::failed, AttemptState::canceled, AttemptState::released}) {
    Attempt it = processing(to_text(gone), to_text(gone));
    if (gone != AttemptState::released) it = ended(it, gone);
    it.state = gone;
    EXPECT_EQ(failure_of(Changes{}.add(order, it)), std::nullopt) << to_text(gone);
  }
  EXPECT_EQ(failure_of(Changes{}.add(order, surplus(processing("pay_s", "k-s")))), std::nullopt);
  EXPECT_EQ(failure_of(Changes{}.add(order, processing("pay_2", "k-2"))), std::nullopt);
}

TEST_P(StoreSuite, InOneBatchThePlaceIsGivenUpBeforeItIsTaken) {
  // The older attempt failed, a newer one lives; then money on the older one wins, and the newer one is released.
  Attempt const older = failed(processing("pay_1", "k-1"));
  Attempt newer = processing("pay_2", "k-2");
  write(with(older).add(order, newer));
  newer.state = AttemptState::released;
  EXPECT_EQ(failure_of(Changes{}.update(order, succeeded(older)).update(order, newer)), std::nullopt);
  EXPECT_EQ(reader().find_attempt(older.id)->attempt.state, AttemptState::succeeded);
}

TEST_P(StoreSuite, AKeyBelongsToOneAttemptOfItsMerchant) {
  write(with(failed(processing("pay_1", "k-1"))));
  EXPECT_EQ(failure_of(Changes{}.add(order, processing("pay_2", "k-1"))), conflict);
  auto const theirs = order_key("PA-1001", "other");
  EXPECT_EQ(failure_of(Changes{}.add(head_of(theirs)).add(theirs, processing("pay_2", "k-1"))), std::nullopt);
}

TEST_P(StoreSuite, KeysThatDifferInCaseOrBlanksAreDifferent) {
  std::vector<std::string> const keys{"Abc-1", "abc-1", "Abc-1 ", "ABC-1"};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto const own = order_key("PA-" + std::to_string(i));
    write(Changes{}.add(head_of(own)).add(own, processing("pay_" + std::to_string(i), keys[i])));
  }
  std::vector<MerchantKey> questions;
  for (auto const& key : keys) questions.push_back({MerchantId{"shop"}, key});
  questions.push_back({MerchantId{"shop"}, "aBC-1"});
  questions.push_back({MerchantId{"other"}, "Abc-1"});
  writer().begin();
  auto const holders = writer().find_keys(questions);
  writer().rollback();
  ASSERT_EQ(holders.size(), questions.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_TRUE(holders[i]) << keys[i];
    EXPECT_EQ(holders[i]->attempt.value, "pay_" + std::to_string(i));
    EXPECT_EQ(holders[i]->order, order_key("PA-" + std::to_string(i)));
  }
  EXPECT_FALSE(holders[4]);
  EXPECT_FALSE(holders[5]);
}

TEST_P(StoreSuite, ANumberIsUniqueAmongAllMerchants) {
  write(with(processing("pay_1", "k-1")));
  auto const theirs = order_key("PX-9", "other");
  EXPECT_EQ(failure_of(Changes{}.add(head_of(theirs)).add(theirs, processing("pay_1", "k-2"))), conflict);
}

TEST_P(StoreSuite, ANumberLeadsToItsOrder) {
  write(with(processing("pay_1", "k-1")));
  writer().begin();
  auto const found = writer().find_attempts(std::vector{AttemptId{"pay_9"}, AttemptId{"pay_1"}, AttemptId{"PAY_1"}});
  writer().rollback();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found[0]);
  EXPECT_EQ(found[1], order);
  EXPECT_FALSE(found[2]);
  EXPECT_FALSE(reader().find_attempt(AttemptId{"pay_9"}));
}

TEST_P(StoreSuite, AnAttemptOfNoOrderIsRefused) {
  EXPECT_EQ(failure_of(Changes{}.add(order, processing("pay_1", "k-1"))), refused);
}

TEST_P(StoreSuite, FailingNeedsTheProvidersStoredAnswer) {
  write(with(processing("pay_1", "k-1")));
  Attempt it = failed(processing("pay_1", "k-1"));
  it.answer_code.clear();
  EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused);
  it.answer = "refused by issuer";
  EXPECT_EQ(failure_of(Changes{}.update(order, it)), std::nullopt);
}

TEST_P(StoreSuite, AnAttemptEndsOnlyOnEvidence) {
  write(with(processing("pay_1", "k-1")));
  for (AttemptState const end : {AttemptState::failed, AttemptState::canceled, AttemptState::succeeded}) {
    Attempt it = ended(processing("pay_1", "k-1"), end);
    it.evidence.reset();
    EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused) << to_text(end) << " without evidence";
    it = ended(processing("pay_1", "k-1"), end);
    it.settled_at.reset();
    EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused) << to_text(end) << " without its time";
  }
  EXPECT_EQ(reader().find_attempt(AttemptId{"pay_1"})->attempt.state, AttemptState::processing);
}

TEST_P(StoreSuite, NothingUnresolvedIsForgottenAndNothingResolvedIsWatched) {
  write(with(processing("pay_1", "k-1")));
  for (AttemptState const state :
       {AttemptState::processing, AttemptState::requires_action, AttemptState::unknown, AttemptState::released}) {
    Attempt it = processing("pay_1", "k-1");
    it.state = state;
    it.due_at.reset();
    EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused) << to_text(state);
  }
  Attempt it = failed(processing("pay_1", "k-1"));
  it.due_at = noon;
  EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused);
}

TEST_P(StoreSuite, OnlyMoneyThatCameIsSurplus) {
  Attempt it = processing("pay_1", "k-1");
  it.surplus = true;
  EXPECT_EQ(failure_of(with(it)), refused);
  it = failed(it);
  EXPECT_EQ(failure_of(with(it)), refused);
}

TEST_P(StoreSuite, ThePlaceThatSurplusGivesUpIsFreeInTheSameBatch) {
  Attempt holder = processing("pay_1", "k-1");
  holder.state = AttemptState::authorized;
  Attempt other = processing("pay_2", "k-2");
  other.state = AttemptState::released;
  write(with(holder).add(order, other));
  holder.captured_minor = 500;  // and more may come
  holder.surplus = true;
  EXPECT_EQ(failure_of(Changes{}.update(order, succeeded(other)).update(order, holder)), std::nullopt);
}

TEST_P(StoreSuite, ASucceededAttemptStaysSucceeded) {
  Attempt const it = succeeded(processing("pay_1", "k-1"));
  write(with(it));
  EXPECT_EQ(failure_of(Changes{}.update(order, failed(it))), refused);
  EXPECT_EQ(failure_of(Changes{}.update(order, ended(it, AttemptState::canceled))), refused);
  Attempt live = processing("pay_1", "k-1");
  EXPECT_EQ(failure_of(Changes{}.update(order, live)), refused);
  EXPECT_EQ(failure_of(Changes{}.update(order, surplus(it))), refused) << "what it paid is decided";
  EXPECT_FALSE(database().execute("UPDATE payment_attempts SET state = 'FAILED'"));
  EXPECT_EQ(fields(reader().find_attempt(it.id)->attempt), fields(it));
}

TEST_P(StoreSuite, ALateSuccessWinsOverAFailure) {
  Attempt const it = failed(processing("pay_1", "k-1"));
  write(with(it));
  EXPECT_EQ(failure_of(Changes{}.update(order, succeeded(it))), std::nullopt);
  EXPECT_EQ(reader().find_attempt(it.id)->attempt.state, AttemptState::succeeded);
}

TEST_P(StoreSuite, AmountNumberAndKeyOfAnAttemptNeverChange) {
  Attempt it = processing("pay_1", "k-1");
  write(with(it));
  it.amount = cny(1);
  EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused);
  for (char const* const change :
       {"amount_minor = 1", "currency = 'USD'", "attempt_id = 'pay_2'", "merchant_id = 'x'", "order_row = 2",
        "idempotency_key = 'k-2'", "fingerprint = ''", "provider = 'other'"})
    EXPECT_FALSE(database().execute("UPDATE payment_attempts SET " + std::string{change})) << change;
}

TEST_P(StoreSuite, ARequestThatMayHaveBeenSentNeverChanges) {
  Attempt it = processing("pay_1", "k-1");
  write(with(it));
  it.request += "&amount=1";
  EXPECT_EQ(failure_of(Changes{}.update(order, it)), refused);
}

TEST_P(StoreSuite, AnAttemptOverNothingIsRefused) {
  Attempt it = processing("pay_1", "k-1");
  it.amount = cny(0);
  EXPECT_EQ(failure_of(with(it)), refused);
}

TEST_P(StoreSuite, DueAttemptsComeLongestWaitingFirst) {
  Changes changes;
  for (int i = 0; i < 4; ++i) {
    auto const own = order_key("PA-" + std::to_string(i), i == 3 ? "other" : "shop");
    Attempt it = processing("pay_" + std::to_string(i), "k-" + std::to_string(i));
    it.due_at = noon + Millis{100 - i};
    if (i == 2) it.state = AttemptState::released;
    changes.add(head_of(own)).add(own, it);
  }
  auto const done = order_key("PA-9");
  changes.add(head_of(done)).add(done, failed(processing("pay_9", "k-9")));
  write(changes);

  EXPECT_TRUE(reader().due_attempts(noon + Millis{96}, 10).empty());
  auto const due = reader().due_attempts(noon + Millis{99}, 10);
  ASSERT_EQ(due.size(), 3u);
  EXPECT_EQ(due[0].attempt.value, "pay_3");
  EXPECT_EQ(due[0].key, order_key("PA-3", "other"));
  EXPECT_EQ(due[0].due_at, noon + Millis{97});
  EXPECT_EQ(due[1].attempt.value, "pay_2") << "a released attempt is watched too";
  EXPECT_EQ(due[2].attempt.value, "pay_1");
  EXPECT_EQ(reader().due_attempts(noon + Millis{200}, 2).size(), 2u);
}

TEST_P(StoreSuite, TheBacklogCountsWhatIsUnresolved) {
  auto const empty = reader().backlog();
  EXPECT_FALSE(empty.oldest_unknown);
  EXPECT_EQ(empty.unknown + empty.in_review + empty.effects_pending + empty.effects_dead + empty.notices_unmatched, 0);

  Changes changes;
  for (int i = 0; i < 3; ++i) {
    auto const own = order_key("PA-" + std::to_string(i));
    Attempt it = processing("pay_" + std::to_string(i), "k-" + std::to_string(i));
    it.created_at = noon + Millis{10 - i};
    if (i != 1) it.state = AttemptState::unknown;
    if (i == 1) it.review = "look";
    changes.add(head_of(own)).add(own, it);
  }
  write(changes);
  auto const backlog = reader().backlog();
  EXPECT_EQ(backlog.unknown, 2);
  EXPECT_EQ(backlog.oldest_unknown, noon + Millis{8});
  EXPECT_EQ(backlog.in_review, 1);
}

TEST_P(StoreSuite, WhatNeedsAPersonIsListedForItsMerchantOnly) {
  Attempt alarmed = processing("pay_1", "k-1");
  alarmed.review = "does not fit";
  auto const theirs = order_key("PX-9", "other");
  Attempt fine = surplus(processing("pay_2", "k-2"));
  Refund stuck = refund_of(fine, "ref_2", 1999, "surplus");
  stuck.review = "do it by hand";
  write(with(alarmed).add(order, fine).add(order, stuck));
  Attempt other = processing("pay_3", "k-3");
  other.review = "theirs";
  write(Changes{}.add(head_of(theirs)).add(theirs, other));

  auto const found = reader().attempts_in_review(MerchantId{"shop"}, 10);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].attempt.id, alarmed.id);
  EXPECT_EQ(found[0].key, order);
  EXPECT_EQ(found[1].attempt.id, fine.id) << "its refund needs a person";
  EXPECT_EQ(reader().attempts_in_review(MerchantId{"shop"}, 1).size(), 1u);
}

}  // namespace payonce::test
