// Orders: what goes in comes out, keys are exact, and the sums are guarded by the database.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

TEST_P(StoreSuite, AnOrderComesBackAsItWasWritten) {
  OrderHead head = head_of(order_key("PA-1001"));
  head.amount = Money{9'007'199'254'740'991, Currency::of("KWD")};
  head.state = OrderState::closed;
  head.metadata = "{\"名前\":\"café ☕\",\"tab\":\"\t\"}";
  head.updated_at = noon + Millis{1};
  write(Changes{}.add(head));

  auto const found = reader().find_order(head.key);
  ASSERT_TRUE(found);
  EXPECT_EQ(fields(found->head), fields(head));
  EXPECT_TRUE(found->attempts.empty());
  EXPECT_TRUE(found->refunds.empty());
}

TEST_P(StoreSuite, AnOrderChangesInPlaceAndKeepsItsBirth) {
  OrderHead head = head_of(order_key("PA-1001"));
  write(Changes{}.add(head));
  head.amount = cny(2500);
  head.held_minor = 2500;
  head.metadata = "{}";
  head.updated_at = noon + Millis{5};
  write(Changes{}.update(head));
  EXPECT_EQ(fields(reader().find_order(head.key)->head), fields(head));
}

TEST_P(StoreSuite, OrdersThatDifferInCaseOrBlanksAreDifferent) {
  std::vector<std::string> const spellings{"PA-1001", "pa-1001", "PA-1001 ", " PA-1001", "PÄ-1001", "PA-1001\t"};
  Changes changes;
  for (std::size_t i = 0; i < spellings.size(); ++i) {
    OrderHead head = head_of(order_key(spellings[i]));
    head.amount = cny(100 + std::int64_t(i));
    changes.add(head);
  }
  write(changes);
  for (std::size_t i = 0; i < spellings.size(); ++i) {
    auto const found = reader().find_order(order_key(spellings[i]));
    ASSERT_TRUE(found) << spellings[i];
    EXPECT_EQ(found->head.amount.minor, 100 + std::int64_t(i)) << spellings[i];
  }
}

TEST_P(StoreSuite, AMerchantSeesItsOwnOrdersOnly) {
  OrderHead theirs = head_of(order_key("PA-1001", "other"));
  theirs.amount = cny(5);
  write(Changes{}.add(head_of(order_key("PA-1001"))).add(theirs));
  EXPECT_EQ(reader().find_order(order_key("PA-1001"))->head.amount.minor, 1999);
  EXPECT_EQ(reader().find_order(order_key("PA-1001", "other"))->head.amount.minor, 5);
  EXPECT_FALSE(reader().find_order(order_key("PA-1001", "Other")));
}

TEST_P(StoreSuite, TheSameOrderInsertedTwiceIsAConflict) {
  OrderHead const head = head_of(order_key("PA-1001"));
  write(Changes{}.add(head));
  EXPECT_EQ(failure_of(Changes{}.add(head)), conflict);
}

TEST_P(StoreSuite, AnUpdateOfAnOrderThatIsNotThereIsRefused) {
  EXPECT_EQ(failure_of(Changes{}.update(head_of(order_key("PA-1001")))), refused);
}

TEST_P(StoreSuite, PaidAndHeldTogetherNeverExceedTheAmount) {
  OrderHead head = head_of(order_key("PA-1001"));
  write(Changes{}.add(head));
  head.paid_minor = 1000;
  head.held_minor = 1000;
  EXPECT_EQ(failure_of(Changes{}.update(head)), refused);
  head.held_minor = 999;
  EXPECT_EQ(failure_of(Changes{}.update(head)), std::nullopt);
}

TEST_P(StoreSuite, PaidAndHeldAreNeverNegative) {
  OrderHead head = head_of(order_key("PA-1001"));
  head.held_minor = -1;
  EXPECT_EQ(failure_of(Changes{}.add(head)), refused);
  head.held_minor = 0;
  head.paid_minor = -1;
  EXPECT_EQ(failure_of(Changes{}.add(head)), refused);
}

TEST_P(StoreSuite, AnOrderOverNothingIsRefused) {
  for (std::int64_t const minor : {std::int64_t{0}, std::int64_t{-1}}) {
    OrderHead head = head_of(order_key("PA-1001"));
    head.amount = cny(minor);
    EXPECT_EQ(failure_of(Changes{}.add(head)), refused) << minor;
  }
}

TEST_P(StoreSuite, APaidOrderHasMoneyAndStaysPaid) {
  OrderHead head = head_of(order_key("PA-1001"));
  write(Changes{}.add(head));
  head.state = OrderState::paid;
  EXPECT_EQ(failure_of(Changes{}.update(head)), refused) << "paid without money";

  write(Changes{}.update(paid(head)));
  OrderHead reopened = paid(head);
  reopened.state = OrderState::open;
  EXPECT_EQ(failure_of(Changes{}.update(reopened)), refused);
  OrderHead emptied = paid(head);
  emptied.paid_minor = 1;
  EXPECT_EQ(failure_of(Changes{}.update(emptied)), refused);
  EXPECT_EQ(fields(reader().find_order(head.key)->head), fields(paid(head)));
}

TEST_P(StoreSuite, OrdersAreLoadedWholeInTheOrderAskedForAndAbsentOnesAreLeftOut) {
  auto const first = order_key("PA-1001");
  auto const second = order_key("PA-1002");
  Attempt const declined = failed(processing("pay_1", "k-1"));
  Attempt giver = surplus(processing("pay_2", "k-2"));
  giver.created_at = noon + Millis{1};
  Attempt payer = succeeded(processing("pay_0", "k-0"));
  payer.created_at = noon + Millis{2};
  write(Changes{}
            .add(paid(head_of(first)))
            .add(head_of(second))
            .add(first, declined)
            .add(first, giver)
            .add(first, payer)
            .add(first, refund_of(giver, "ref_2", 1999, "surplus")));

  writer().begin();
  auto const orders = writer().load_orders(std::vector{second, order_key("PA-9"), first});
  writer().rollback();
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_EQ(orders[0].head.key, second);
  EXPECT_EQ(orders[1].head.key, first);
  ASSERT_EQ(orders[1].attempts.size(), 3u);
  EXPECT_EQ(orders[1].attempts[0].id.value, "pay_1") << "oldest first";
  EXPECT_EQ(orders[1].attempts[1].id.value, "pay_2");
  EXPECT_EQ(orders[1].attempts[2].id.value, "pay_0");
  ASSERT_EQ(orders[1].refunds.size(), 1u);
  EXPECT_EQ(orders[1].refunds[0].id.value, "ref_2");
}

TEST_P(StoreSuite, OrdersArePagedThroughInKeyOrderWithoutGapOrRepeat) {
  Changes changes;
  std::vector<OrderKey> expected;
  for (char const* const merchant : {"a", "b"})
    for (int i = 0; i < 5; ++i) {
      expected.push_back(order_key("PA-" + std::to_string(i), merchant));
      changes.add(head_of(expected.back()));
      auto const id = std::string{merchant} + std::to_string(i);
      changes.add(expected.back(), processing("pay_" + id, "k-" + id));
    }
  write(changes);

  std::vector<OrderKey> seen;
  for (OrderKey after;;) {
    auto const page = reader().orders_after(after, 3);
    for (Order const& order : page) {
      EXPECT_EQ(order.attempts.size(), 1u);
      seen.push_back(order.head.key);
    }
    if (page.size() < 3) break;
    after = page.back().head.key;
  }
  EXPECT_EQ(seen, expected);
}

TEST_P(StoreSuite, ARowThisProgramDoesNotKnowIsReportedNotGuessed) {
  auto const key = order_key("PA-1001");
  write(Changes{}.add(head_of(key)));
  ASSERT_TRUE(database().execute("UPDATE orders SET currency = 'ZZZ'"));
  try {
    reader().find_order(key);
    FAIL() << "an AttemptState::unknown currency was read";
  } catch (StoreError const& error) {
    EXPECT_EQ(error.kind, refused);
    EXPECT_NE(std::string{error.what()}.find("ZZZ"), std::string::npos);
  }
}

TEST_P(StoreSuite, AnOrderThatExpiresIsWatchedWhileItIsOpen) {
  OrderHead head = head_of(order_key("PA-1001"));
  head.expires_at = noon + Millis{10};
  EXPECT_EQ(failure_of(Changes{}.add(head)), StoreError::Kind::refused) << "nobody would look at it";
  head.due_at = noon + Millis{10};
  write(Changes{}.add(head).add(head_of(order_key("PA-1002"))));
  EXPECT_EQ(fields(reader().find_order(head.key)->head), fields(head));
  EXPECT_TRUE(reader().due_orders(noon + Millis{9}, 10).empty());
  auto const due = reader().due_orders(noon + Millis{10}, 10);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].key, head.key);
  EXPECT_EQ(due[0].due_at, noon + Millis{10});
  head.state = OrderState::closed;
  EXPECT_EQ(failure_of(Changes{}.update(head)), StoreError::Kind::refused) << "it would be looked at for ever";
  head.due_at.reset();
  write(Changes{}.update(head));
  EXPECT_TRUE(reader().due_orders(noon + Millis{10}, 10).empty());
}

TEST_P(StoreSuite, ThePartsOfASplitOrderAreEachPaidOnce) {
  OrderHead head = head_of(order_key("PA-1001"));
  head.policy = Policy::split;
  auto const part = [](std::string_view id, std::string name) {
    Attempt attempt = processing(id, id);
    attempt.part = std::move(name);
    attempt.amount.minor = 500;
    return attempt;
  };
  write(Changes{}.add(head).add(head.key, part("pay_1", "deposit")).add(head.key, part("pay_2", "rest")));
  EXPECT_EQ(failure_of(Changes{}.add(head.key, part("pay_3", "deposit"))), StoreError::Kind::conflict);
  Attempt disputed = ended(part("pay_1", "deposit"), AttemptState::disputed);
  disputed.disputes = 1;
  write(Changes{}.update(head.key, succeeded(part("pay_1", "deposit"))));
  write(Changes{}.update(head.key, disputed));
  EXPECT_EQ(failure_of(Changes{}.add(head.key, part("pay_3", "deposit"))), StoreError::Kind::conflict)
      << "money in dispute has paid its part";
  EXPECT_EQ(fields(reader().find_attempt(disputed.id)->attempt), fields(disputed));
}

TEST_P(StoreSuite, TheJournalKeepsItsOrderAndItsSums) {
  OrderHead const head = head_of(order_key("PA-1001"));
  Attempt const first = succeeded(processing("pay_1", "k-1"));
  Attempt const second = surplus(processing("pay_2", "k-2"));
  Posting const sale = posting_of(head.key, first);
  Posting extra = posting_of(head.key, second);
  extra.credit = "surplus";
  Posting later = sale;
  later.at = noon + Millis{86'400'000};
  write(Changes{}.add(head).add(head.key, first).add(head.key, second).add(sale).add(extra));
  write(Changes{}.add(sale).add(later));
  auto const journal = reader().journal_of(head.key);
  ASSERT_EQ(journal.size(), 4U);
  EXPECT_EQ(fields(journal[0]), fields(sale));
  EXPECT_EQ(fields(journal[1]), fields(extra));
  EXPECT_TRUE(reader().journal_of(order_key("PA-1002")).empty());

  auto const day = reader().turnovers(head.key.merchant, noon, noon + Millis{86'400'000});
  ASSERT_EQ(day.size(), 2U);
  EXPECT_EQ(day[0].credit, "revenue");
  EXPECT_EQ(day[0].amount, cny(2 * 1999));
  EXPECT_EQ(day[1].credit, "surplus");
  EXPECT_EQ(day[1].amount, cny(1999));
}

TEST_P(StoreSuite, APostingHasTwoSides) {
  OrderHead const head = head_of(order_key("PA-1001"));
  Attempt const payer = succeeded(processing("pay_1", "k-1"));
  write(Changes{}.add(head).add(head.key, payer));
  Posting one_sided = posting_of(head.key, payer);
  one_sided.credit = one_sided.debit;
  EXPECT_EQ(failure_of(Changes{}.add(one_sided)), StoreError::Kind::refused);
}

}  // namespace payonce::test
