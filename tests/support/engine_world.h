// An engine over real books in a file, on one thread: a test moves the clock, answers for the provider, and takes the
// books away. Not for what needs sockets or threads.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "store/forwarding_reader.h"
#include "store/forwarding_writer.h"
#include "store/sqlite/sqlite_store.h"
#include "support/hand_turns.h"
#include "support/manual_loop.h"
#include "support/rules_world.h"

namespace payonce::test {

// Provider "sure": says nothing before the test does.
class Teller final : public Provider {
 public:
  explicit Teller(ProviderTerms terms) : its_terms(std::move(terms)) {}

  ProviderTerms const& terms() const override { return its_terms; }
  void call(ProviderCall const& call, Done done) override {
    calls.push_back(call);
    waiting_.push_back(std::move(done));
  }
  Result<Notice> read_notice(HttpRequest const&, Time) const override { return notice; }
  void name_number(Notice, Named done) override { done(named); }
  void vouch(HttpRequest const&, Vouched done) override { done(vouched); }
  void fetch_statement(std::string const& day, Fetched done) override {
    days_asked.push_back(day);
    done(file);
  }
  Result<Statement> read_statement(std::string_view text, std::string const&) const override {
    if (text == "torn") return fail(ErrorCode::invalid_request, "line 1");
    return statement;
  }
  HttpResponse acknowledge(bool is_safe) const override {
    HttpResponse response;
    response.status = is_safe ? 200 : 503;
    return response;
  }

  // Answers the calls that wait, the oldest first; those that follow from it wait again.
  void answer_all(Answer const& said) {
    for (Done& done : std::exchange(waiting_, {})) done(said);
  }

  ProviderTerms its_terms;
  std::vector<ProviderCall> calls;
  std::vector<std::string> days_asked;
  Result<std::optional<std::string>> file = std::optional<std::string>{"whole"};
  Statement statement;
  Result<Notice> notice = fail(ErrorCode::invalid_request, "no notice");
  std::optional<Notice> named;
  std::optional<bool> vouched;

 private:
  std::vector<Done> waiting_;
};

// Books that a test can take away and bring back.
class Books final : public Store {
 public:
  explicit Books(std::unique_ptr<Store> real) : real_(std::move(real)) {}

  Result<void> migrate() override { return real_->migrate(); }
  std::size_t writer_lanes() const override { return 1; }
  std::unique_ptr<Writer> open_writer() override { return std::make_unique<Pen>(*this, real_->open_writer()); }
  std::unique_ptr<Reader> open_reader() override { return std::make_unique<Eye>(*this, real_->open_reader()); }

  bool are_gone = false;
  bool refuse_commits = false;  // they can be read and written in, and nothing of it stays

 private:
  void must_be_there() const {
    if (are_gone) throw StoreError{StoreError::Kind::unavailable, "gone"};
  }

  template <class It>
  struct Kept {
    explicit Kept(std::unique_ptr<It> it) : kept(std::move(it)) {}
    std::unique_ptr<It> kept;
  };
  class Pen final : private Kept<Writer>, public ForwardingWriter {
   public:
    Pen(Books& books, std::unique_ptr<Writer> real) : Kept(std::move(real)), ForwardingWriter(*kept), books_(books) {}
    // Its thread would be a second one.
    std::unique_ptr<Syncer> defer_durability() override { return nullptr; }
    void begin() override {
      books_.must_be_there();
      ForwardingWriter::begin();
    }
    void commit() override {
      if (!books_.refuse_commits) return ForwardingWriter::commit();
      rollback();
      throw StoreError{StoreError::Kind::unavailable, "full"};
    }

   private:
    Books& books_;
  };
  class Eye final : private Kept<Reader>, public ForwardingReader {
   public:
    Eye(Books& books, std::unique_ptr<Reader> real) : Kept(std::move(real)), ForwardingReader(*kept), books_(books) {}
    std::vector<FoundAttempt> find_attempts(std::span<AttemptId const> ids) override {
      books_.must_be_there();
      return ForwardingReader::find_attempts(ids);
    }
    std::optional<FoundRefund> find_refund(RefundId const& id) override {
      books_.must_be_there();
      return ForwardingReader::find_refund(id);
    }
    std::optional<FoundCapture> find_capture(CaptureId const& id) override {
      books_.must_be_there();
      return ForwardingReader::find_capture(id);
    }
    std::vector<DueAttempt> due_attempts(Time now, std::size_t limit) override {
      books_.must_be_there();
      return ForwardingReader::due_attempts(now, limit);
    }
    std::vector<NoticeRow> due_notices(Time now, std::size_t limit) override {
      books_.must_be_there();
      return ForwardingReader::due_notices(now, limit);
    }
    std::vector<Posting> unbilled(MerchantId const& merchant, std::string const& provider, Time from, Time until,
                                  std::size_t limit) override {
      books_.must_be_there();
      return ForwardingReader::unbilled(merchant, provider, from, until, limit);
    }
    std::optional<StatementRow> find_statement(std::string const& provider, std::string const& day) override {
      books_.must_be_there();
      return ForwardingReader::find_statement(provider, day);
    }

   private:
    Books& books_;
  };

  std::unique_ptr<Store> real_;
};

class EngineWorld : public testing::Test {
 protected:
  EngineWorld() {
    auto added = std::make_unique<Teller>(*terms.provider("sure"));
    teller = added.get();
    providers.add(std::move(added));
    run(registration());
  }
  ~EngineWorld() override {
    committer.stop();
    reads.stop();
    for (char const* const end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
  }

  class HandWatch final : public Clock {
   public:
    Time now() const override { return at; }
    std::chrono::nanoseconds monotonic() const override { return at - test_start + 1h; }
    Time at = test_start;
  };

  // Lets the lanes and the loop do what they have to, until nothing is left.
  void settle() {
    do turns.take_all();
    while (loop.run_posted() > 0 || !turns.waiting.empty());
  }
  void pass(Millis time) {
    clock.at += time;
    loop.pass(time);
    settle();
  }
  // Commits the command as a verb does; an answer that is still out is an internal error.
  Answered run(Command command) {
    Answered result = std::unexpected(Refusal{{ErrorCode::internal, "no answer yet", {}}});
    engine.execute(std::move(command), [&result](Answered answered) { result = std::move(answered); });
    settle();
    return result;
  }
  // Payment n of the order, which its provider has been called for.
  void begin(int n) { EXPECT_TRUE(run(beginning(n, "k-" + std::to_string(n)))); }
  // An order to be captured by hand, whose payment 1 its provider holds the money of.
  RegisterOrder begin_hold() {
    RegisterOrder held = registration();
    held.key = order_key("PA-2");
    held.capture = CaptureMode::manual;
    EXPECT_TRUE(run(held));
    BeginAttempt payment = beginning(1, "k-1");
    payment.key = held.key;
    EXPECT_TRUE(run(payment));
    say(Outcome::authorized);
    return held;
  }
  void say(Answer const& said) {
    teller->answer_all(said);
    settle();
  }
  void say(Outcome said) { say(answer(said)); }

  Order order() { return store.open_reader()->find_order(order_key()).value(); }
  AttemptState state(int n) { return order().find(attempt_id(n))->state; }
  std::vector<CallKind> called() const {
    std::vector<CallKind> kinds;
    for (ProviderCall const& call : teller->calls) kinds.push_back(call.kind);
    return kinds;
  }

  static std::unique_ptr<Store> open_new(std::string const& path) {
    std::filesystem::remove(path);
    auto opened = std::move(*open_sqlite(path, Checkpoints::by_writer));
    EXPECT_TRUE(opened->migrate());
    return opened;
  }

  std::string const path = testing::TempDir() + "engine_" + std::to_string(::getpid()) + ".db";
  ManualLoop loop;
  HandTurns turns;
  HandWatch clock;
  SystemRandom random;
  Books store{open_new(path)};
  TestTerms terms;
  Providers providers;
  Teller* teller = nullptr;
  Metrics metrics;
  FaultPoints fault_points;
  ReadLane reads{store, loop, &turns};
  Committer committer{store, terms, clock, loop, &turns};
  Engine engine{{loop, clock, random, committer, reads, providers, metrics, fault_points}};
};

}  // namespace payonce::test
