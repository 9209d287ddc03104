// Two nodes on one database: each with its own committer, lanes and connections.
#include "store/committer.h"

#include <map>

#include "net/asio_loop.h"
#include "store/store_suite.h"
#include "support/rules_world.h"

namespace payonce::test {

namespace {

class CommitterSuite : public StoreSuite {
 protected:
  void SetUp() override {
    StoreSuite::SetUp();
    other_store_ = database().open();
    nodes_.push_back(std::make_unique<Committer>(store(), terms_, clock_, loop_));
    nodes_.push_back(std::make_unique<Committer>(*other_store_, terms_, clock_, loop_));
  }
  void TearDown() override { nodes_.clear(); }

  void submit(std::size_t node, Command command) {
    ++open_;
    nodes_[node]->submit(std::move(command), [this](Result<Committed> result) {
      results_.push_back(std::move(result));
      if (--open_ == 0) loop_.stop();
    });
  }
  std::vector<Result<Committed>> finish() {
    loop_.run();
    return std::exchange(results_, {});
  }

  AsioLoop loop_;
  SystemClock clock_;
  TestTerms terms_;
  std::unique_ptr<Store> other_store_;
  std::vector<std::unique_ptr<Committer>> nodes_;
  std::vector<Result<Committed>> results_;
  int open_ = 0;
};

RegisterOrder registration_of(int n) {
  RegisterOrder command = registration();
  command.key.order = OrderId{"PA-" + std::to_string(n)};
  return command;
}

TEST_P(CommitterSuite, C69_AHundredCreatesWithOneKeyOnTwoNodesAreOneAttempt) {
  submit(0, registration());
  finish();
  for (int i = 1; i <= 100; ++i) submit(static_cast<std::size_t>(i % 2), beginning(i, "k-1"));
  std::map<AttemptId, int> attempts;
  int created = 0;
  std::size_t calls = 0;
  for (auto const& result : finish()) {
    ASSERT_TRUE(result) << result.error().detail;
    ASSERT_TRUE(result->reply) << result->reply.error().error.detail;
    ++attempts[result->reply->attempt->id];
    created += result->reply->kind == ReplyKind::created;
    calls += result->calls.size();
  }
  EXPECT_EQ(attempts.size(), 1u);
  EXPECT_EQ(created, 1);
  EXPECT_EQ(calls, 1u);
}

TEST_P(CommitterSuite, OneOrderPaidOnTwoNodesWithManyKeysHasOneLiveAttempt) {
  submit(0, registration());
  finish();
  for (int i = 1; i <= 100; ++i) submit(static_cast<std::size_t>(i % 2), beginning(i, "k-" + std::to_string(i)));
  int created = 0;
  for (auto const& result : finish()) {
    ASSERT_TRUE(result);
    created += result->reply && result->reply->kind == ReplyKind::created;
    if (result->reply) continue;
    EXPECT_EQ(result->reply.error().error.code, ErrorCode::order_has_live_payment);
  }
  EXPECT_EQ(created, 1);
}

TEST_P(CommitterSuite, C67_AnswersByOrderAndNoticesByNumberNeverBlockEachOther) {
  constexpr int orders = 50;
  for (int n = 1; n <= orders; ++n) submit(0, registration_of(n));
  finish();
  for (int n = 1; n <= orders; ++n) {
    BeginAttempt begin = beginning(n, "k-" + std::to_string(n));
    begin.key = registration_of(n).key;
    submit(0, begin);
  }
  finish();
  for (int n = 1; n <= orders; ++n) {
    RecordOutcome by_order = outcome(n, Evidence::response, Outcome::succeeded);
    by_order.key = registration_of(n).key;
    submit(0, by_order);
    submit(1, notice("evt-" + std::to_string(n), orders + 1 - n, answer(Outcome::succeeded)));
  }
  for (auto const& result : finish()) ASSERT_TRUE(result) << result.error().detail;
  for (int n = 1; n <= orders; ++n) {
    EXPECT_EQ(reader().find_order(registration_of(n).key)->head.state, OrderState::paid);
    EXPECT_EQ(reader().effects_of(registration_of(n).key).size(), 3u);
  }
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(AllDatabases, CommitterSuite, ::testing::ValuesIn(database_kinds()),
                         [](auto const& info) { return std::string{info.param.name}; });

}  // namespace payonce::test
