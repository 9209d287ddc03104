// Archiving beside the rules that go on: whatever is archived can't be charged again, keys and numbers stay known,
// nothing is lost or doubled wherever a run is cut off, and both parts together are the books as they were.
#include <functional>

#include "archive/archiving.h"

namespace payonce::test {

INSTANTIATE_TEST_SUITE_P(AllDatabases, Archiving,
                         ::testing::Values(Kinds{"SqliteToSqlite", false, false},
                                           Kinds{"SqliteToPostgres", false, true},
                                           Kinds{"PostgresToPostgres", true, true},
                                           Kinds{"PostgresToSqlite", true, false}),
                         [](auto const& info) { return std::string{info.param.name}; });

namespace {

// The real one, which breaks off before or after its n-th call.
class BrokenOff final : public Archivist {
 private:
  template <class Call>
  auto cut(Call call) {
    bool const is_last = calls_left_-- == 0;
    if (is_last && !after_) throw Cut{};
    auto result = call();
    if (is_last) throw Cut{};
    return result;
  }

 public:
  struct Cut {};
  BrokenOff(Archivist& real, int& calls_left, bool after) : real_(real), calls_left_(calls_left), after_(after) {}

  std::vector<OrderKey> aged_orders(Place& place, Time before, std::size_t limit) override {
    return cut([&] { return real_.aged_orders(place, before, limit); });
  }
  std::optional<Time> archived_at(OrderKey const& key) override { return real_.archived_at(key); }
  std::vector<ArchivedOrder> read(std::span<OrderKey const> keys) override {
    return cut([&] { return real_.read(keys); });
  }
  void keep(std::span<ArchivedOrder const> orders) override {
    cut([&] { return real_.keep(orders), 0; });
  }
  std::size_t set_aside(std::span<ArchivedOrder const> orders, Time now) override {
    return cut([&] { return real_.set_aside(orders, now); });
  }

 private:
  Archivist& real_;
  int& calls_left_;
  bool after_;
};

// Does something between the copy into the archive and the removal.
class Meddling final : public Archivist {
 public:
  Meddling(Archivist& real, std::function<void()> meddle) : real_(real), meddle_(std::move(meddle)) {}
  std::vector<OrderKey> aged_orders(Place& place, Time before, std::size_t limit) override {
    return real_.aged_orders(place, before, limit);
  }
  std::optional<Time> archived_at(OrderKey const& key) override { return real_.archived_at(key); }
  std::vector<ArchivedOrder> read(std::span<OrderKey const> keys) override { return real_.read(keys); }
  void keep(std::span<ArchivedOrder const> orders) override {
    real_.keep(orders);
    meddle_();
  }
  std::size_t set_aside(std::span<ArchivedOrder const> orders, Time now) override {
    return real_.set_aside(orders, now);
  }

 private:
  Archivist& real_;
  std::function<void()> meddle_;
};

}  // namespace

TEST_P(Archiving, HistoryLeavesAndWhatTheRulesLookAtStays) {
  pay(1);
  run(notice("evt_1", 1, answer(Outcome::succeeded)));
  pay(2, "PA-1002");
  Order const before = stored();
  auto const told = reader_->timeline(order_key());
  clock_.time += 24h;
  ArchiveCounts const counts = archive();
  EXPECT_EQ(counts.orders, 2u);
  EXPECT_EQ(counts.too_young, 0u);

  EXPECT_TRUE(reader_->timeline(order_key()).empty());
  auto const kept = archive_reader_->timeline(order_key());
  ASSERT_EQ(kept.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(kept[i].sequence, told[i].sequence);

  Attempt const here = stored().attempts.at(0);
  EXPECT_TRUE(here.request.empty());
  EXPECT_TRUE(reader_->notices_of(here.id).at(0).body.empty());
  Attempt expected = before.attempts.at(0);
  EXPECT_EQ(describe(archive_reader_->find_order(order_key())->attempts.at(0)), describe(expected));
  expected.request.clear();
  expected.answer.clear();
  EXPECT_EQ(describe(here), describe(expected)) << "nothing else is touched";
  EXPECT_EQ(describe(stored().head), describe(before.head));
  EXPECT_EQ(reader_->journal_of(order_key()).size(), 1u) << "the accountant's books stay whole";
  EXPECT_EQ(reader_->effects_of(order_key()).size(), 3u);
  EXPECT_EQ(live_archivist_->archived_at(order_key()), clock_.time);
  EXPECT_EQ(archivist_->archived_at(order_key()), std::nullopt);
  expect_sound();
  EXPECT_EQ(verify(*reader_, expecting_effects(nullptr)).history_unread, 2u);
  EXPECT_EQ(verify(*reader_, expecting_effects(archive_reader_.get())).history_unread, 0u);
}

TEST_P(Archiving, AnArchivedOrderIsNeverChargedAgain) {
  pay(1);
  archive();
  Committed const replay = run(beginning(2, "k-1"));
  ASSERT_TRUE(replay.reply);
  EXPECT_EQ(replay.reply->attempt->id, attempt_id(1)) << "the same key gets the same payment";
  EXPECT_EQ(replay.reply->attempt->state, AttemptState::succeeded);
  EXPECT_TRUE(replay.calls.empty());

  Committed const second = run(beginning(3, "k-other"));
  ASSERT_FALSE(second.reply);
  EXPECT_TRUE(second.calls.empty());

  BeginAttempt other = beginning(4, "k-1");
  other.method = "another";
  EXPECT_EQ(run(other).reply.error().error.code, ErrorCode::idempotency_key_reused);
  EXPECT_EQ(stored().attempts.size(), 1u);
  expect_sound();
}

TEST_P(Archiving, LateNewsOfAnArchivedPaymentIsUnderstood) {
  pay(1);
  run(notice("evt_1", 1, answer(Outcome::succeeded)));
  archive();
  run(notice("evt_1", 1, answer(Outcome::dispute_opened)));
  EXPECT_EQ(stored().attempts[0].state, AttemptState::succeeded) << "this message was worked in before";
  run(notice("evt_2", 1, answer(Outcome::succeeded)));
  EXPECT_EQ(stored().attempts[0].state, AttemptState::succeeded);
  run(notice("evt_3", 1, answer(Outcome::dispute_opened)));
  EXPECT_EQ(stored().attempts[0].state, AttemptState::disputed);
  expect_sound();
  clock_.time += 24h;
  archive();
  expect_sound();
}

TEST_P(Archiving, AFailedPaymentThatSucceedsAfterAllIsNoLoss) {
  run(registration());
  run(beginning(1, "k-1"));
  run(outcome(1, Evidence::response, Outcome::declined));
  archive();
  run(RecordOutcome{order_key(), attempt_id(1), Evidence::query, answer(Outcome::succeeded), {}, {}});
  EXPECT_EQ(stored().head.state, OrderState::paid);
  EXPECT_EQ(reader_->effects_of(order_key()).size(), 3u);
  expect_sound();
}

TEST_P(Archiving, AnArchivedPaymentIsGivenBackAndArchivedAgain) {
  pay(1);
  auto const first_part = reader_->timeline(order_key()).size();
  std::string const sent = stored().attempts[0].request;
  archive();
  Committed const refund = run(refund_request(1, "r-1"));
  ASSERT_TRUE(refund.reply);
  ASSERT_EQ(refund.calls.size(), 1u);
  run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, answer(Outcome::succeeded)});
  expect_sound();

  EXPECT_EQ(archive().orders, 1u);
  EXPECT_GT(archive_reader_->timeline(order_key()).size(), first_part);
  Order const kept = *archive_reader_->find_order(order_key());
  EXPECT_EQ(kept.attempts.at(0).request, sent);
  EXPECT_FALSE(kept.refunds.at(0).request.empty());
  EXPECT_EQ(archive_reader_->journal_of(order_key()).size(), 2u);
  EXPECT_TRUE(stored().refunds.at(0).request.empty());
  Committed const too_much = run(refund_request(2, "r-2", 1999));
  EXPECT_FALSE(too_much.reply) << "what went back is still counted";
  expect_sound();
}

TEST_P(Archiving, WhatIsNotAtRestStaysWhole) {
  run(registration());
  run(beginning(1, "k-1"));
  run(outcome(1, Evidence::response, Outcome::in_doubt));
  clock_.time += 24h;
  ArchiveCounts const counts = archive();
  EXPECT_EQ(counts.orders, 0u);
  EXPECT_EQ(counts.too_young, 1u);
  EXPECT_EQ(live_archivist_->archived_at(order_key()), std::nullopt);
  EXPECT_FALSE(stored().attempts[0].request.empty());
  EXPECT_EQ(archive_reader_->find_order(order_key()), std::nullopt);
}

TEST_P(Archiving, ARunThatIsCutOffAnywhereLosesAndDoublesNothing) {
  int failures = 0;
  for (bool const after : {false, true}) {
    for (int step = 0;; ++step) {
      int const n = 100 * (after ? 2 : 1) + step;
      std::string const order = "PA-" + std::to_string(n);
      pay(n, order);
      auto const story = story_of(order);
      int calls_left = step;
      BrokenOff live{*live_archivist_, calls_left, after};
      BrokenOff target{*archivist_, calls_left, after};
      bool is_cut = false;
      try {
        archive_orders(live, target, all_until_now());
      } catch (BrokenOff::Cut const&) {
        is_cut = true;
        ++failures;
      }
      EXPECT_EQ(story_of(order), story) << step;
      expect_sound();
      archive();
      EXPECT_EQ(story_of(order), story) << step;
      expect_sound();
      EXPECT_EQ(run(beginning(n + 1000, "k-" + std::to_string(n))).reply.error().error.code,
                ErrorCode::idempotency_key_reused)
          << "the key is known, and belongs to another order";
      if (!is_cut) break;
    }
  }
  EXPECT_GE(failures, 8);
}

TEST_P(Archiving, AnOrderThatChangesMeanwhileIsLeftForTheNextRun) {
  pay(1);
  pay(2, "PA-1002");
  Meddling meddling{*archivist_, [&] { run(refund_request(1, "r-1")); }};
  ArchiveCounts const counts = archive_orders(*live_archivist_, meddling, all_until_now());
  EXPECT_EQ(counts.orders, 1u);
  EXPECT_EQ(counts.changed, 1u);
  EXPECT_EQ(live_archivist_->archived_at(order_key()), std::nullopt);
  EXPECT_FALSE(stored().attempts[0].request.empty());
  EXPECT_EQ(facts(verify(*reader_, expecting_effects(archive_reader_.get()))), "");
  run(RecordRefundOutcome{order_key(), refund_id(1), Evidence::response, answer(Outcome::succeeded)});
  EXPECT_EQ(archive().orders, 1u);
  expect_sound();
}

TEST_P(Archiving, PaymentsGoOnMeanwhile) {
  for (int n = 1; n <= 100; ++n) pay(n, "old-" + std::to_string(n));
  clock_.time += 24h;
  ArchiveOptions options{.before = clock_.time, .now = clock_.time};
  int n = 1000;
  options.pause = [&] {
    ++n;
    pay(n, "new-" + std::to_string(n));
  };
  ArchiveCounts const counts = archive_orders(*live_archivist_, *archivist_, options);
  EXPECT_EQ(counts.orders, 100u);
  EXPECT_GT(n, 1001) << "in several transactions";
  EXPECT_EQ(live_archivist_->archived_at(order_key("new-1001")), std::nullopt);
  expect_sound();
}

TEST_P(Archiving, TheFeedGoesOnAboveWhatWasArchived) {
  pay(1);
  auto const last = reader_->timeline(order_key()).back().sequence;
  archive();
  pay(2, "PA-1002");
  auto const fresh = reader_->events_after(MerchantId{"shop"}, last, 100);
  ASSERT_FALSE(fresh.empty());
  EXPECT_EQ(fresh.front().event.type, "order.registered");
  EXPECT_EQ(fresh.front().event.key, order_key("PA-1002"));
  archive();
  archive();
  expect_sound();
}

TEST_P(Archiving, TheDatabaseItselfKeepsTheTimelineOfWhatIsNotArchived) {
  pay(1);
  EXPECT_FALSE(live_.execute("DELETE FROM attempt_events"));
  EXPECT_FALSE(reader_->timeline(order_key()).empty());
}

TEST_P(Archiving, AnArchiveThatIsNotTheRightOneIsNoticed) {
  pay(1);
  archive();
  BooksDatabase const other{false};
  auto const store = other.open();
  auto const reader = store->open_reader();
  EXPECT_NE(facts(verify(*reader_, expecting_effects(reader.get()))).find("not to this one"), std::string::npos);
}

}  // namespace payonce::test
