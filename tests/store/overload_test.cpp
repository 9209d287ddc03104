// Beyond capacity nothing new begins, what has begun ends, and afterwards all is taken again at once.
#include "base/limits.h"
#include "store/batch.h"
#include "store/forwarding_writer.h"
#include "store/store_suite.h"
#include "support/hand_turns.h"
#include "support/manual_loop.h"
#include "support/rules_world.h"

namespace payonce::test {

namespace {

// Its disk takes as long as a test says.
class SlowStore final : public Store {
 public:
  explicit SlowStore(Store& real) : real_(real) {}
  Result<void> migrate() override { return real_.migrate(); }
  std::unique_ptr<Writer> open_writer() override { return std::make_unique<SlowWriter>(*this); }
  std::unique_ptr<Reader> open_reader() override { return real_.open_reader(); }
  std::size_t writer_lanes() const override { return 1; }

  std::move_only_function<void()> at_commit = [] {};

 private:
  struct Kept {
    explicit Kept(std::unique_ptr<Writer> it) : writer(std::move(it)) {}
    std::unique_ptr<Writer> writer;
  };
  class SlowWriter final : private Kept, public ForwardingWriter {
   public:
    explicit SlowWriter(SlowStore& store) : Kept(store.real_.open_writer()), ForwardingWriter(*writer), store_(store) {}
    std::unique_ptr<Syncer> defer_durability() override { return nullptr; }
    void commit() override {
      store_.at_commit();
      ForwardingWriter::commit();
    }

   private:
    SlowStore& store_;
  };
  Store& real_;
};

class OverloadSuite : public StoreSuite {
 protected:
  void SetUp() override {
    StoreSuite::SetUp();
    slow_ = std::make_unique<SlowStore>(store());
    committer_ = std::make_unique<Committer>(*slow_, terms_, clock_, loop_, &turns_,
                                             [this](std::string_view provider) { return provider == crowded_; });
  }
  void TearDown() override { committer_.reset(); }

  struct Told {
    bool done = false;
    std::string error = {};  // the refusal's code, or the failure's
    std::size_t calls = 0;
  };
  std::shared_ptr<Told> submit(Command command) {
    auto told = std::make_shared<Told>();
    committer_->submit(std::move(command), [told](Result<Committed> const& result) {
      told->done = true;
      if (!result)
        told->error = to_text(result.error().code);
      else if (!result->reply)
        told->error = to_text(result->reply.error().error.code);
      else
        told->calls = result->calls.size();
    });
    return told;
  }
  void finish() {
    turns_.take_all();
    loop_.run_posted();
  }
  std::shared_ptr<Told> run(Command command) {
    auto told = submit(std::move(command));
    finish();
    return told;
  }

  BeginAttempt payment_of(int n, std::string provider = "sure") {
    BeginAttempt begin = beginning(n, "k-" + std::to_string(n), std::move(provider));
    begin.key = order_key("PA-" + std::to_string(n));
    begin.registers_order = true;
    begin.amount_minor = 1999;
    begin.currency = "USD";
    return begin;
  }
  RecordOutcome success_of(int n) {
    RecordOutcome success = outcome(n, Evidence::response, Outcome::succeeded);
    success.key = order_key("PA-" + std::to_string(n));
    return success;
  }

  TestTerms terms_;
  HandClock clock_;
  HandTurns turns_;
  ManualLoop loop_;
  std::string crowded_;
  std::unique_ptr<SlowStore> slow_;
  std::unique_ptr<Committer> committer_;
};

TEST_P(OverloadSuite, WhileTheDiskHangsNothingBeginsAndWhatHasBegunEnds) {
  run(payment_of(1));
  std::vector<std::shared_ptr<Told>> late;
  std::shared_ptr<Told> ending;
  bool hangs = true;
  slow_->at_commit = [&] {
    if (!std::exchange(hangs, false)) return;
    clock_.passed += 10s;
    for (int n = 10; n < 20; ++n) late.push_back(submit(payment_of(n)));
    ending = submit(success_of(1));
  };
  auto const slow = run(payment_of(2));
  EXPECT_EQ(slow->error, "") << "what was taken is not lost";
  EXPECT_EQ(slow->calls, 1U);
  ASSERT_TRUE(ending && ending->done);
  EXPECT_EQ(ending->error, "");
  EXPECT_EQ(reader().find_order(order_key("PA-1"))->head.state, OrderState::paid);
  EXPECT_EQ(late[0]->error, "") << "one may wait for the end of the hanging";
  for (std::size_t i = 1; i < late.size(); ++i) {
    EXPECT_EQ(late[i]->error, "overloaded");
    EXPECT_FALSE(reader().find_order(order_key("PA-" + std::to_string(10 + i)))) << "no attempt, and not even an order";
  }
  EXPECT_EQ(run(payment_of(30))->error, "") << "at once when the disk is back";
}

TEST_P(OverloadSuite, ASlowDiskTakesNoMoreThanItGetsToSoon) {
  slow_->at_commit = [this] { clock_.passed += 500ms; };
  int n = 1000;
  std::vector<std::shared_ptr<Told>> told;
  auto const storm = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) told.push_back(submit(payment_of(++n)));
  };
  // Batches of 512 at two a second: it learns that.
  for (int round = 0; round < 12; ++round) {
    storm(limits::batch_commands_max);
    finish();
  }
  told.clear();
  storm(5'000);
  finish();
  auto const taken = std::ranges::count_if(told, [](auto const& it) { return it->error.empty(); });
  EXPECT_GE(taken, 512);
  EXPECT_LE(taken, 2 * 1'024) << "a second's work, and not all that came";
  for (auto const& it : told) EXPECT_TRUE(it->done && (it->error.empty() || it->error == "overloaded")) << it->error;
}

TEST_P(OverloadSuite, AProviderThatDoesNotKeepUpGetsNothingNew) {
  run(payment_of(1));
  run(success_of(1));
  run(payment_of(2));
  crowded_ = "sure";
  EXPECT_EQ(run(payment_of(3))->error, "overloaded");
  EXPECT_FALSE(reader().find_order(order_key("PA-3")));
  EXPECT_EQ(run(payment_of(2))->error, "") << "a replay begins nothing";
  EXPECT_EQ(run(success_of(2))->error, "");
  EXPECT_EQ(run(refund_request(1, "r-1"))->error, "overloaded");
  EXPECT_TRUE(reader().find_order(order_key("PA-1"))->refunds.empty());
  EXPECT_EQ(run(payment_of(4, "blunt"))->error, "") << "another provider has nothing to do with it";
  crowded_.clear();
  EXPECT_EQ(run(payment_of(3))->calls, 1U);
  EXPECT_EQ(run(refund_request(1, "r-1"))->calls, 1U);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(AllDatabases, OverloadSuite, ::testing::ValuesIn(database_kinds()),
                         [](auto const& info) { return std::string{info.param.name}; });

}  // namespace payonce::test
