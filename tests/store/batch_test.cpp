// Batches of commands on a real database, with commits that fail or whose answer is lost.
#include "store/batch.h"

#include <functional>

#include "store/forwarding_writer.h"
#include "store/store_suite.h"
#include "support/rules_world.h"

namespace payonce::test {

namespace {

using JobPtr = BatchRunner::JobPtr;

class FixedClock final : public Clock {
 public:
  Time now() const override { return test_start; }
  std::chrono::nanoseconds monotonic() const override { return std::chrono::nanoseconds{0}; }
};

// A writer whose commits can be told to fail; all else goes to the real one.
class FaultyWriter final : public ForwardingWriter {
 public:
  using ForwardingWriter::ForwardingWriter;

  int conflicts = 0;     // so many commits are rolled back instead
  int lost_answers = 0;  // so many commits succeed and say that nobody knows
  bool is_gone = false;  // the database can't be reached
  int commits = 0;
  std::size_t loaded = 0;  // orders that were asked for

  void begin() override {
    if (is_gone) throw StoreError{StoreError::Kind::unavailable, "gone"};
    ForwardingWriter::begin();
  }
  void commit() override {
    ++commits;
    if (conflicts > 0) {
      --conflicts;
      rollback();
      throw StoreError{StoreError::Kind::conflict, "told to conflict"};
    }
    ForwardingWriter::commit();
    if (lost_answers > 0) {
      --lost_answers;
      throw StoreError{StoreError::Kind::in_doubt, "told to lose the answer"};
    }
  }
  std::vector<Order> load_orders(std::span<OrderKey const> keys) override {
    loaded += keys.size();
    return ForwardingWriter::load_orders(keys);
  }
};

JobPtr job(Command command) {
  auto it = std::make_unique<Committer::Job>();
  it->command = std::move(command);
  return it;
}

class BatchSuite : public StoreSuite {
 protected:
  std::vector<Result<Committed>> run(std::vector<Command> commands) {
    std::vector<JobPtr> jobs;
    for (Command& command : commands) jobs.push_back(job(std::move(command)));
    runner().run(jobs);
    std::vector<Result<Committed>> results;
    for (JobPtr& it : jobs) results.push_back(std::move(it->result));
    return results;
  }
  FaultyWriter& faulty() {
    if (!faulty_) faulty_ = std::make_unique<FaultyWriter>(writer());
    return *faulty_;
  }
  BatchRunner& runner() {
    if (!runner_) runner_ = std::make_unique<BatchRunner>(faulty(), terms_, clock_);
    return *runner_;
  }
  Order stored() { return *reader().find_order(order_key()); }
  // How many orders this reads from the database.
  std::size_t loads_of(std::vector<Command> commands) {
    std::size_t const before = faulty().loaded;
    run(std::move(commands));
    return faulty().loaded - before;
  }
  // Whether the database can say that nobody else wrote; one that can't is read anew for each batch.
  bool remembers() { return !faulty().has_changed_elsewhere(); }

  TestTerms terms_;
  FixedClock clock_;
  std::unique_ptr<FaultyWriter> faulty_;
  std::unique_ptr<BatchRunner> runner_;
};

TEST_P(BatchSuite, OneBatchRegistersBeginsAndReplays) {
  auto const results = run({registration(), beginning(1, "k-1"), beginning(2, "k-1"), beginning(3, "k-2")});
  EXPECT_EQ(results[0]->reply->kind, ReplyKind::created);
  EXPECT_EQ(results[1]->reply->kind, ReplyKind::created);
  EXPECT_EQ(results[1]->calls.size(), 1u);
  EXPECT_EQ(results[2]->reply->kind, ReplyKind::confirmed);
  EXPECT_EQ(results[2]->reply->attempt->id, attempt_id(1));
  EXPECT_TRUE(results[2]->calls.empty());
  EXPECT_EQ(results[3]->reply.error().error.code, ErrorCode::order_has_live_payment);
  EXPECT_EQ(stored().attempts.size(), 1u);
}

TEST_P(BatchSuite, SameKeyForTwoOrdersInOneBatchIsRefusedForTheSecond) {
  RegisterOrder other = registration();
  other.key.order = OrderId{"PA-1002"};
  BeginAttempt for_other = beginning(2, "k-1");
  for_other.key.order = OrderId{"PA-1002"};
  auto const results = run({registration(), other, beginning(1, "k-1"), for_other});
  EXPECT_EQ(results[2]->reply->kind, ReplyKind::created);
  EXPECT_EQ(results[3]->reply.error().error.code, ErrorCode::idempotency_key_reused);
  EXPECT_EQ(results[3]->reply.error().error.field, "order_id");
}

TEST_P(BatchSuite, RefundsOfOneBatchShareWhatCameAndTheirKeys) {
  run({registration(), beginning(1, "k-1"), outcome(1, Evidence::response, Outcome::succeeded)});
  auto const results = run({refund_request(1, "r-1", 1500), refund_request(2, "r-1", 1500),
                            refund_request(3, "r-2", 500), refund_request(4, "r-3", 499), beginning(2, "r-1")});
  EXPECT_EQ(results[0]->reply->kind, ReplyKind::created);
  EXPECT_EQ(results[0]->changed_refunds.size(), 1u);
  EXPECT_EQ(results[1]->reply->kind, ReplyKind::confirmed);
  EXPECT_EQ(results[1]->reply->refund->id, refund_id(1));
  EXPECT_EQ(results[2]->reply.error().error.code, ErrorCode::refund_exceeds_captured);
  EXPECT_EQ(results[3]->reply->kind, ReplyKind::created);
  EXPECT_EQ(results[4]->reply.error().error.code, ErrorCode::idempotency_key_reused);
  EXPECT_EQ(run({refund_request(5, "r-3", 499)})[0]->reply->kind, ReplyKind::confirmed) << "also from the database";
  EXPECT_EQ(run({refund_request(5, "k-1")})[0]->reply.error().error.code, ErrorCode::idempotency_key_reused);
  EXPECT_EQ(stored().refunds.size(), 2u);
}

TEST_P(BatchSuite, ALostCommitAnswerOfARefundIsRecognisedToo) {
  run({registration(), beginning(1, "k-1"), outcome(1, Evidence::response, Outcome::succeeded)});
  faulty().lost_answers = 1;
  auto const results = run({refund_request(1, "r-1")});
  EXPECT_EQ(results[0]->reply->kind, ReplyKind::created);
  ASSERT_EQ(results[0]->calls.size(), 1u);
  EXPECT_EQ(results[0]->calls[0].refund->id, refund_id(1));
  EXPECT_EQ(stored().refunds.size(), 1u);
}

TEST_P(BatchSuite, C04_AConflictRunsTheBatchAgainAndAsksForOneCall) {
  run({registration()});
  faulty().conflicts = 2;
  auto const results = run({beginning(1, "k-1")});
  EXPECT_EQ(results[0]->reply->kind, ReplyKind::created);
  EXPECT_EQ(results[0]->calls.size(), 1u);
  EXPECT_EQ(stored().attempts.size(), 1u);
}

TEST_P(BatchSuite, C04_AConflictAfterTheCallNeverAsksForTheCallAgain) {
  run({registration(), beginning(1, "k-1")});
  faulty().conflicts = 2;
  auto const results = run({outcome(1, Evidence::response, Outcome::succeeded)});
  EXPECT_TRUE(results[0]->calls.empty());
  EXPECT_EQ(stored().head.state, OrderState::paid);
  EXPECT_EQ(reader().effects_of(order_key()).size(), 3u);
}

TEST_P(BatchSuite, ALostCommitAnswerIsRecognisedAsOurOwnSuccess) {
  run({registration()});
  faulty().lost_answers = 1;
  auto const results = run({beginning(1, "k-1")});
  EXPECT_EQ(results[0]->reply->kind, ReplyKind::created);
  ASSERT_EQ(results[0]->calls.size(), 1u);
  EXPECT_EQ(results[0]->calls[0].attempt.id, attempt_id(1));
  EXPECT_EQ(stored().attempts.size(), 1u);
}

TEST_P(BatchSuite, ALostCommitAnswerOfAnOutcomeBooksItOnce) {
  run({registration(), beginning(1, "k-1")});
  faulty().lost_answers = 1;
  run({outcome(1, Evidence::response, Outcome::succeeded)});
  EXPECT_EQ(stored().head.paid_minor, 1999);
  EXPECT_EQ(reader().effects_of(order_key()).size(), 3u);
  int successes = 0;
  for (auto const& it : reader().timeline(order_key())) successes += it.event.type == "payment.succeeded";
  EXPECT_EQ(successes, 1);
}

TEST_P(BatchSuite, C30_ANoticeWhoseTransactionFailedIsWorkedInOnceByTheNextDelivery) {
  run({registration(), beginning(1, "k-1")});
  faulty().is_gone = true;
  auto const first = run({notice("evt-2", 1, answer(Outcome::succeeded))});
  EXPECT_EQ(first[0].error().code, ErrorCode::unavailable);
  EXPECT_TRUE(reader().notices_of(attempt_id(1)).empty());
  faulty().is_gone = false;
  EXPECT_EQ(run({notice("evt-2", 1, answer(Outcome::succeeded))})[0]->reply->kind, ReplyKind::recorded);
  EXPECT_EQ(run({notice("evt-2", 1, answer(Outcome::succeeded))})[0]->reply->kind, ReplyKind::duplicate);
  EXPECT_EQ(reader().effects_of(order_key()).size(), 3u);
}

TEST_P(BatchSuite, C31_TheSameNoticeTwiceInOneBatchIsOneNews) {
  run({registration(), beginning(1, "k-1")});
  auto const news = notice("evt-3", 1, answer(Outcome::succeeded));
  auto const results = run({news, news});
  EXPECT_EQ(results[0]->reply->kind, ReplyKind::recorded);
  EXPECT_EQ(results[1]->reply->kind, ReplyKind::duplicate);
}

TEST_P(BatchSuite, OneBadJobFailsAloneAndTheOthersAreCommitted) {
  std::vector<JobPtr> jobs;
  jobs.push_back(job(registration()));
  jobs.push_back(std::make_unique<Committer::Job>());
  jobs[1]->work = [](Writer&) { throw StoreError{StoreError::Kind::refused, "a constraint said no"}; };
  runner().run(jobs);
  EXPECT_TRUE(jobs[0]->result);
  EXPECT_EQ(jobs[1]->result.error().code, ErrorCode::internal);
  EXPECT_TRUE(reader().find_order(order_key()));
}

TEST_P(BatchSuite, EndlessConflictsEndInUnavailableAndLeaveNothing) {
  faulty().conflicts = 1'000;
  EXPECT_EQ(run({registration()})[0].error().code, ErrorCode::unavailable);
  EXPECT_FALSE(reader().find_order(order_key()));
}

TEST_P(BatchSuite, AReplayCommitsNothing) {
  run({registration(), beginning(1, "k-1")});
  int const before = faulty().commits;
  run({beginning(2, "k-1")});
  EXPECT_EQ(faulty().commits, before);
}

// A batch keeps orders in memory for the next one; what somebody else wrote meanwhile counts, not what is remembered.
TEST_P(BatchSuite, WhatAnotherWriterDidIsSeenByTheNextBatch) {
  run({registration(), beginning(1, "k-1")});
  auto const other_writer = store().open_writer();
  BatchRunner other{*other_writer, terms_, clock_};
  std::vector<JobPtr> jobs;
  jobs.push_back(job(outcome(1, Evidence::notice, Outcome::succeeded)));
  other.run(jobs);
  ASSERT_TRUE(jobs[0]->result);

  auto const results = run({outcome(1, Evidence::query, Outcome::declined), beginning(2, "k-2")});
  EXPECT_EQ(results[0]->reply->attempt->state, AttemptState::succeeded);
  EXPECT_EQ(results[1]->reply.error().error.code, ErrorCode::order_already_paid);
  EXPECT_EQ(stored().head.state, OrderState::paid);

  jobs.clear();
  jobs.push_back(job(refund_request(1, "r-1", 1999)));
  other.run(jobs);
  ASSERT_TRUE(jobs[0]->result);
  EXPECT_EQ(run({refund_request(2, "r-2", 1)})[0]->reply.error().error.code, ErrorCode::refund_exceeds_captured);
}

TEST_P(BatchSuite, APaidOrderIsNotReadAgainForRepeatsAndNotices) {
  run({registration(), beginning(1, "k-1"), outcome(1, Evidence::response, Outcome::succeeded)});
  std::size_t const read_anew = remembers() ? 0 : 1;
  EXPECT_EQ(loads_of({beginning(2, "k-1")}), read_anew);
  EXPECT_EQ(loads_of({notice("evt-1", 1, answer(Outcome::succeeded))}), read_anew);
  EXPECT_EQ(run({beginning(2, "k-1")})[0]->reply->attempt->state, AttemptState::succeeded);
}

TEST_P(BatchSuite, OrdersUnderWayStayInMemoryWhenTheOthersAreTooMany) {
  run({registration(), beginning(1, "k-1")});
  auto const other = [](int number) {
    RegisterOrder command = registration();
    command.key.order = OrderId{"PB-" + std::to_string(number)};
    return command;
  };
  std::vector<Command> others;
  for (int i = 0; i < 1'100; ++i) others.push_back(other(i));
  run(std::move(others));
  EXPECT_EQ(loads_of({other(7)}), 1u);
  EXPECT_EQ(loads_of({outcome(1, Evidence::response, Outcome::succeeded)}), remembers() ? 0u : 1u);
}

TEST_P(BatchSuite, WhatARolledBackBatchDidIsNotRemembered) {
  run({registration()});
  faulty().conflicts = 1'000;
  run({beginning(1, "k-1")});
  faulty().conflicts = 0;
  EXPECT_EQ(run({beginning(2, "k-2")})[0]->reply->kind, ReplyKind::created);
  EXPECT_EQ(stored().attempts.size(), 1u);
}

TEST_P(BatchSuite, LateMoneyTakesTheOrderFromALiveAttemptInOneTransaction) {
  run({registration(), beginning(1, "k-1")});
  run({outcome(1, Evidence::response, Outcome::declined)});
  run({beginning(2, "k-2")});
  auto const results = run({notice("evt-late", 1, answer(Outcome::succeeded))});
  ASSERT_TRUE(results[0]);
  Order const order = stored();
  EXPECT_EQ(order.find(attempt_id(1))->state, AttemptState::succeeded);
  EXPECT_EQ(order.find(attempt_id(2))->state, AttemptState::released);
  EXPECT_EQ(order.head.state, OrderState::paid);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(AllDatabases, BatchSuite, ::testing::ValuesIn(database_kinds()),
                         [](auto const& info) { return std::string{info.param.name}; });

}  // namespace payonce::test
