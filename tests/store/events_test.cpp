// The timeline and the feed: append-only, in commit order, each merchant its own.
#include "store/rows.h"
#include "store/store_suite.h"

namespace payonce::test {

TEST_P(StoreSuite, AnEventComesBackAsItWasWritten) {
  auto const key = order_key("PA-1001");
  TimelineEvent it = event_of(key, "payment.succeeded");
  it.attempt = AttemptId{"pay_1"};
  it.refund = RefundId{"ref_1"};
  it.from = "UNKNOWN";
  it.to = "SUCCEEDED";
  it.evidence = Evidence::query;
  it.actor = "Zoë";
  it.code = "TRADE_SUCCESS";
  it.text = "The query says 成功.";
  TimelineEvent const bare = event_of(key, "order.registered");
  write(Changes{}.add(head_of(key)).add(bare).add(it));
  auto const timeline = reader().timeline(key);
  ASSERT_EQ(timeline.size(), 2u);
  EXPECT_EQ(fields(timeline[0].event), fields(bare));
  EXPECT_EQ(fields(timeline[1].event), fields(it));
}

TEST_P(StoreSuite, TheFeedHasEveryEventOnceInCommitOrder) {
  for (int i = 7; i <= 9; ++i) write(Changes{}.add(head_of(order_key("PA-" + std::to_string(i)))));
  for (int batch = 0; batch < 4; ++batch) {
    Changes changes;
    for (int i = 0; i < 3; ++i)
      changes.add(event_of(order_key("PA-" + std::to_string(9 - i)), std::to_string(batch) + "." + std::to_string(i)));
    write(changes);
  }
  std::vector<std::string> seen;
  std::int64_t after = 0;
  for (;;) {
    auto const page = reader().events_after(MerchantId{"shop"}, after, 5);
    for (auto const& [sequence, event] : page) {
      EXPECT_GT(sequence, after);
      after = sequence;
      seen.push_back(event.type);
    }
    if (page.size() < 5) break;
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"0.0", "0.1", "0.2", "1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "3.0", "3.1",
                                            "3.2"}));
  write(Changes{}.add(event_of(order_key("PA-7"), "next")));
  auto const next = reader().events_after(MerchantId{"shop"}, after, 5);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].event.type, "next");
}

TEST_P(StoreSuite, FeedAndTimelineShowAMerchantItsOwnEventsOnly) {
  write(Changes{}
            .add(head_of(order_key("PA-1001")))
            .add(head_of(order_key("PA-1001", "other")))
            .add(head_of(order_key("PA-1002")))
            .add(event_of(order_key("PA-1001"), "mine"))
            .add(event_of(order_key("PA-1001", "other"), "theirs"))
            .add(event_of(order_key("PA-1002"), "mine too")));
  auto const feed = reader().events_after(MerchantId{"shop"}, 0, 10);
  ASSERT_EQ(feed.size(), 2u);
  EXPECT_EQ(feed[0].event.type, "mine");
  EXPECT_EQ(feed[1].event.type, "mine too");
  auto const timeline = reader().timeline(order_key("PA-1001", "other"));
  ASSERT_EQ(timeline.size(), 1u);
  EXPECT_EQ(timeline[0].event.type, "theirs");
  EXPECT_TRUE(reader().events_after(MerchantId{"nobody"}, 0, 10).empty());
}

TEST_P(StoreSuite, EventsOfABatchThatWasRolledBackAreNotInTheFeed) {
  write(Changes{}.add(head_of(order_key("PA-1001"))));
  writer().begin();
  writer().write(Changes{}.add(event_of(order_key("PA-1001"), "never")));
  writer().rollback();
  write(Changes{}.add(event_of(order_key("PA-1001"), "happened")));
  auto const feed = reader().events_after(MerchantId{"shop"}, 0, 10);
  ASSERT_EQ(feed.size(), 1u);
  EXPECT_EQ(feed[0].event.type, "happened");
}

TEST_P(StoreSuite, AnEventOfNoOrderIsRefused) {
  EXPECT_EQ(failure_of(Changes{}.add(event_of(order_key("PA-1001"), "order.registered"))), refused);
}

TEST_P(StoreSuite, WhatHappenedIsNeitherChangedNorDeleted) {
  write(Changes{}.add(head_of(order_key("PA-1001"))).add(event_of(order_key("PA-1001"), "order.registered")));
  EXPECT_FALSE(database().execute("UPDATE attempt_events SET type = 'order.paid'"));
  EXPECT_FALSE(database().execute("DELETE FROM attempt_events"));
  EXPECT_EQ(reader().timeline(order_key("PA-1001")).at(0).event.type, "order.registered");
}

}  // namespace payonce::test
