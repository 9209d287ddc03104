// A shop on one database, its archive on another, and commands of the rules in between.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "archive/archive_orders.h"
#include "store/batch.h"
#include "support/books_database.h"
#include "support/rules_world.h"
#include "verify/verify.h"

namespace payonce::test {

class SetClock final : public Clock {
 public:
  Time now() const override { return time; }
  std::chrono::nanoseconds monotonic() const override { return std::chrono::nanoseconds{0}; }
  Time time = test_start;
};

struct Kinds {
  char const* name;
  bool live_is_postgres;
  bool archive_is_postgres;
};

class Archiving : public ::testing::TestWithParam<Kinds> {
 protected:
  Committed run(Command command) {
    std::vector<BatchRunner::JobPtr> jobs;
    jobs.push_back(std::make_unique<Committer::Job>());
    jobs[0]->command = std::move(command);
    runner_.run(jobs);
    EXPECT_TRUE(jobs[0]->result) << jobs[0]->result.error().detail;
    return std::move(*jobs[0]->result);
  }

  // Pays the order by payment n under key k-n; its effects are delivered.
  void pay(int n, std::string_view order = "PA-1001") {
    RegisterOrder registration = payonce::registration();
    BeginAttempt begin = beginning(n, "k-" + std::to_string(n));
    RecordOutcome paid = outcome(n, Evidence::response, Outcome::succeeded);
    registration.key = begin.key = paid.key = order_key(order);
    run(registration);
    run(begin);
    run(paid);
    deliver();
  }
  void deliver() {
    writer_->begin();
    std::vector<DeliveryResult> results;
    for (char const* const name : {"ship", "points", "coupon"})
      for (auto const& [effect, attempt, refund] :
           writer_->claim_effects(MerchantId{"shop"}, name, clock_.time, clock_.time + 1min, 100))
        results.push_back({effect.key.merchant,
                           effect.attempt,
                           effect.refund,
                           effect.name,
                           EffectState::delivered,
                           std::nullopt,
                           clock_.time,
                           {}});
    writer_->record_deliveries(results);
    writer_->commit();
  }

  ArchiveOptions all_until_now() const { return {.before = clock_.time + 1ms, .now = clock_.time}; }
  ArchiveCounts archive() { return archive_orders(*live_archivist_, *archivist_, all_until_now()); }

  VerifyOptions expecting_effects(Reader* archive) const {
    VerifyOptions options;
    options.effects[MerchantId{"shop"}] = {{"ship"}, {"points"}, {"coupon"}};
    options.history = {live_archivist_.get(), archive};
    return options;
  }
  static std::string facts(VerifyReport const& report) {
    std::string text;
    for (Finding const& it : report.violations) text += it.order.order.value + " " + it.subject + " " + it.fact + "\n";
    return text;
  }
  // Both parts together, and each alone.
  void expect_sound() {
    EXPECT_EQ(facts(verify(*reader_, expecting_effects(archive_reader_.get()))), "");
    EXPECT_EQ(facts(verify(*reader_, expecting_effects(nullptr))), "");
    VerifyOptions whole = expecting_effects(nullptr);
    whole.history = {};
    EXPECT_EQ(facts(verify(*archive_reader_, whole)), "");
  }

  Order stored(std::string_view order = "PA-1001") { return *reader_->find_order(order_key(order)); }
  std::vector<std::string> story_of(std::string_view order = "PA-1001") {
    std::vector<std::string> types;
    for (auto const& [sequence, event] :
         joined(reader_->timeline(order_key(order)), archive_reader_->timeline(order_key(order))))
      types.push_back(event.type);
    return types;
  }

  BooksDatabase const live_{GetParam().live_is_postgres};
  BooksDatabase const archive_{GetParam().archive_is_postgres};
  std::unique_ptr<Store> const store_ = live_.open();
  std::unique_ptr<Writer> const writer_ = store_->open_writer();
  std::unique_ptr<Reader> const reader_ = store_->open_reader();
  std::unique_ptr<Store> const archive_store_ = archive_.open();
  std::unique_ptr<Reader> const archive_reader_ = archive_store_->open_reader();
  std::unique_ptr<Archivist> const live_archivist_ = live_.archivist();
  std::unique_ptr<Archivist> const archivist_ = archive_.archivist();
  TestTerms terms_;
  SetClock clock_;
  BatchRunner runner_{*writer_, terms_, clock_};
};

}  // namespace payonce::test
