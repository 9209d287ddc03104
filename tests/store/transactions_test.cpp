// Transactions, durability and the schema.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

namespace {

auto const order = order_key("PA-1001");

Changes payment() {
  Changes changes;
  Attempt const attempt = succeeded(processing("pay_1", "k-1"));
  changes.add(paid(head_of(order)))
      .add(order, attempt)
      .add(effect_of(order, attempt, "ship"))
      .add(event_of(order, "payment.succeeded"))
      .add(notice_of("evt_1", "pay_1"));
  return changes;
}

void expect_nothing(Reader& reader) {
  EXPECT_FALSE(reader.find_order(order));
  EXPECT_FALSE(reader.find_attempt(AttemptId{"pay_1"}));
  EXPECT_TRUE(reader.effects_of(order).empty());
  EXPECT_TRUE(reader.timeline(order).empty());
  EXPECT_TRUE(reader.notices_of(AttemptId{"pay_1"}).empty());
}

void expect_payment(Reader& reader) {
  auto const found = reader.find_order(order);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->head.state, OrderState::paid);
  EXPECT_EQ(found->attempts.size(), 1u);
  EXPECT_EQ(reader.effects_of(order).size(), 1u);
  EXPECT_EQ(reader.timeline(order).size(), 1u);
  EXPECT_EQ(reader.notices_of(AttemptId{"pay_1"}).size(), 1u);
}

}  // namespace

TEST_P(StoreSuite, ARolledBackTransactionLeavesNothing) {
  writer().begin();
  writer().write(payment());
  writer().rollback();
  expect_nothing(reader());
  writer().rollback();  // harmless without a transaction
  write(payment());
  expect_payment(reader());
}

TEST_P(StoreSuite, NoticeOrderAndEffectsAreAllThereOrAllAbsent) {
  Changes changes = payment();
  changes.add(notice_of("evt_1", "pay_1"));  // the last row of the batch does not fit
  EXPECT_EQ(failure_of(changes), conflict);
  expect_nothing(reader());
}

TEST_P(StoreSuite, AReaderSeesATransactionOnlyOnceItIsCommitted) {
  writer().begin();
  writer().write(payment());
  expect_nothing(reader());
  writer().commit();
  expect_payment(reader());
}

TEST_P(StoreSuite, AWriterSeesItsOwnRowsBeforeTheCommit) {
  writer().begin();
  writer().write(payment());
  EXPECT_EQ(writer().load_orders(std::vector{order}).size(), 1u);
  EXPECT_TRUE(writer().find_keys(std::vector{MerchantKey{order.merchant, "k-1"}})[0]);
  EXPECT_TRUE(writer().find_attempts(std::vector{AttemptId{"pay_1"}})[0]);
  EXPECT_TRUE(writer().find_notices(std::vector{NoticeId{"sandbox", "evt_1"}})[0]);
  writer().rollback();
}

TEST_P(StoreSuite, WhatWasCommittedIsThereAfterARestart) {
  write(payment());
  restart();
  expect_payment(reader());
}

TEST_P(StoreSuite, AnOpenTransactionEndsWithItsWriter) {
  auto other = store().open_writer();
  other->begin();
  other->write(payment());
  other.reset();
  expect_nothing(reader());
  write(payment());
  expect_payment(reader());
}

TEST_P(StoreSuite, TwoConnectionsWriteInTurnsAndSeeEachOther) {
  auto const other_store = database().open();
  auto const other = other_store->open_writer();
  OrderHead head = head_of(order);
  write(Changes{}.add(head));
  for (int turn = 1; turn <= 20; ++turn) {
    Writer& mine = turn % 2 ? *other : writer();
    mine.begin();
    auto const seen = mine.load_orders(std::vector{order});
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].head.held_minor, turn - 1) << "nothing is remembered from an earlier transaction";
    head.held_minor = turn;
    mine.write(Changes{}.update(head));
    mine.commit();
  }
  EXPECT_EQ(reader().find_order(order)->head.held_minor, 20);
}

TEST_P(StoreSuite, TheLoserOfARaceForAnOrderFindsItOnTheSecondRun) {
  auto const other_store = database().open();
  auto const other = other_store->open_writer();
  other->begin();
  other->write(Changes{}.add(head_of(order)));
  other->commit();
  EXPECT_EQ(failure_of(Changes{}.add(head_of(order))), conflict);
  writer().begin();
  EXPECT_EQ(writer().load_orders(std::vector{order}).size(), 1u);
  writer().rollback();
}

TEST_P(StoreSuite, AnEmptyTransactionCommits) {
  writer().begin();
  writer().write({});
  EXPECT_TRUE(writer().load_orders({}).empty());
  writer().commit();
}

TEST_P(StoreSuite, ManyRowsInOneTransaction) {
  Changes changes;
  for (int i = 0; i < 512; ++i) {
    auto const n = std::to_string(i);
    auto const own = order_key("PA-" + n);
    Attempt const attempt = succeeded(processing("pay_" + n, "k-" + n));
    changes.add(paid(head_of(own))).add(own, attempt).add(effect_of(own, attempt, "ship")).add(event_of(own, n));
  }
  write(changes);
  EXPECT_EQ(reader().orders_after({}, 1000).size(), 512u);
  auto const feed = reader().events_after(order.merchant, 0, 1000);
  ASSERT_EQ(feed.size(), 512u);
  for (int i = 0; i < 512; ++i) {
    auto const n = std::to_string(i);
    EXPECT_EQ(feed[std::size_t(i)].event.type, n) << "in the order of the batch";
    EXPECT_EQ(feed[std::size_t(i)].event.key.order.value, "PA-" + n);
    auto const effects = reader().effects_of(order_key("PA-" + n));
    ASSERT_EQ(effects.size(), 1u);
    EXPECT_EQ(effects[0].attempt.value, "pay_" + n);
  }
}

TEST_P(StoreSuite, MigratingAgainChangesNothing) {
  write(payment());
  auto const again = store().migrate();
  EXPECT_TRUE(again) << again.error().detail;
  expect_payment(reader());
}

TEST_P(StoreSuite, AnOlderNodeStartsOnASchemaOneReleaseAhead) {
  ASSERT_TRUE(database().execute("INSERT INTO schema_migrations (number, name, checksum) VALUES (2, '0002_x', '')"));
  EXPECT_TRUE(database().open()->migrate());
  ASSERT_TRUE(database().execute("INSERT INTO schema_migrations (number, name, checksum) VALUES (3, '0003_x', '')"));
  EXPECT_FALSE(database().open()->migrate());
}

TEST_P(StoreSuite, ANewerSchemaIsRefused) {
  ASSERT_TRUE(database().execute("INSERT INTO schema_migrations (number, name, checksum) VALUES (9999, '9999_x', '')"));
  auto const result = store().migrate();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  EXPECT_NE(result.error().detail.find("9999"), std::string::npos);
  EXPECT_NE(result.error().detail.find("newer"), std::string::npos);
}

TEST_P(StoreSuite, AMigrationThatWasEditedAfterItsReleaseIsRefused) {
  ASSERT_TRUE(database().execute("UPDATE schema_migrations SET checksum = 'other' WHERE number = 1"));
  auto const result = store().migrate();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().detail.find("0001"), std::string::npos);
}

TEST_P(StoreSuite, AtLeastOneWriterMayWork) { EXPECT_GE(store().writer_lanes(), 1u); }

}  // namespace payonce::test
