// Nobody is told of a commit before it is durable, although the next batch runs meanwhile.
#include <atomic>
#include <future>
#include <semaphore>

#include "net/asio_loop.h"
#include "store/committer.h"
#include "store/forwarding_writer.h"
#include "store/read_lane.h"
#include "store/sqlite/durability.h"
#include "store/store_suite.h"
#include "support/rules_world.h"

namespace payonce::test {

namespace {

// What the test decides about flushes.
struct Hold {
  std::counting_semaphore<> may_flush{1};  // what is there already
  std::atomic<bool> is_durable = false;
};

class HeldSyncer final : public Syncer {
 public:
  explicit HeldSyncer(Hold& hold) : hold_(hold) {}
  void make_durable() override { hold_.may_flush.acquire(); }
  bool is_durable() override { return hold_.is_durable; }

 private:
  Hold& hold_;
};

class HeldWriter final : public ForwardingWriter {
 public:
  HeldWriter(std::unique_ptr<Writer> real, Hold& hold) : ForwardingWriter(*real), real_(std::move(real)), hold_(hold) {}
  std::unique_ptr<Syncer> defer_durability() override { return std::make_unique<HeldSyncer>(hold_); }

 private:
  std::unique_ptr<Writer> real_;
  Hold& hold_;
};

class HeldStore final : public Store {
 public:
  explicit HeldStore(Store& real) : real_(real) {}
  Result<void> migrate() override { return real_.migrate(); }
  std::unique_ptr<Writer> open_writer() override { return std::make_unique<HeldWriter>(real_.open_writer(), hold); }
  std::unique_ptr<Reader> open_reader() override { return real_.open_reader(); }
  std::size_t writer_lanes() const override { return 1; }

  Hold hold;

 private:
  Store& real_;
};

class DeferredDurabilitySuite : public StoreSuite {};

TEST_P(DeferredDurabilitySuite, AnswersWaitForTheFlushAndTheNextBatchDoesNot) {
  HeldStore held{store()};
  AsioLoop loop;
  SystemClock const clock;
  TestTerms const terms;
  Committer committer{held, terms, clock, loop};
  EXPECT_FALSE(held.hold.may_flush.try_acquire()) << "what a process that died has left is flushed first";
  int answers = 0;
  auto const answered = [&](Result<Committed> const& result) {
    EXPECT_TRUE(result);
    if (++answers == 2) loop.stop();
  };

  committer.submit(registration(), answered);
  while (!reader().find_order(order_key())) std::this_thread::yield();
  committer.submit(beginning(1, "k-1"), answered);
  while (!reader().find_attempt(attempt_id(1))) std::this_thread::yield();

  // Both are committed, none is durable: whatever is posted to the loop by now must not be an answer.
  loop.post([&] {
    EXPECT_EQ(answers, 0);
    held.hold.may_flush.release(2);
  });
  loop.run();
  EXPECT_EQ(answers, 2);
  committer.stop();
}

TEST_P(DeferredDurabilitySuite, AReplayOfWhatIsDurableWaitsForNoFlush) {
  HeldStore held{store()};
  AsioLoop loop;
  SystemClock const clock;
  TestTerms const terms;
  Committer committer{held, terms, clock, loop};
  auto const stop = [&](Result<Committed> const& result) {
    EXPECT_TRUE(result);
    loop.stop();
  };
  held.hold.may_flush.release();
  committer.submit(registration(), stop);
  loop.run();

  held.hold.is_durable = true;
  committer.submit(registration(), stop);
  loop.run();
  committer.stop();
}

INSTANTIATE_TEST_SUITE_P(AllDatabases, DeferredDurabilitySuite, ::testing::ValuesIn(database_kinds()),
                         [](auto const& info) { return std::string{info.param.name}; });

TEST(Durability, AReaderWaitsForEveryCommitThatItMayHaveSeen) {
  std::string const database = ::testing::TempDir() + "payonce-durability.db";
  std::fclose(std::fopen((database + "-wal").c_str(), "w"));
  sqlite::Durability durability{database};
  durability.wait();  // nothing was committed
  EXPECT_TRUE(durability.is_flushed());

  durability.commit_begins();
  EXPECT_FALSE(durability.is_flushed()) << "it can be seen from now on";
  auto const seen = std::async(std::launch::async, [&] { durability.wait(); });
  durability.flush();  // the commit has not ended, so that it may not be in the file
  EXPECT_EQ(seen.wait_for(std::chrono::milliseconds{20}), std::future_status::timeout);
  durability.commit_ended();
  EXPECT_FALSE(durability.is_flushed());
  durability.flush();
  EXPECT_TRUE(durability.is_flushed());
  seen.wait();
  std::remove((database + "-wal").c_str());
}

TEST(Durability, SaysWhenTheLogCanNotBeFlushed) {
  sqlite::Durability durability{"/nowhere/payonce.db"};
  durability.commit_begins();
  durability.commit_ended();
  EXPECT_FALSE(durability.is_flushed());
  EXPECT_THROW(durability.flush(), StoreError);
  EXPECT_FALSE(durability.is_flushed());
}

}  // namespace

}  // namespace payonce::test
