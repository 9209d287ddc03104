// The store port: what the rest of the program may ask of a database. Nothing above it knows which database runs.
// All functions block; they are called on lane threads only (store/committer.h, store/read_lane.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "payment/decision.h"
#include "payment/order.h"

namespace payonce {

// What a failing database call means for the batch that made it. Thrown, since only the lanes can react.
class StoreError : public std::runtime_error {
 public:
  enum class Kind {
    conflict,     // a unique key, lock or serialization conflict: roll back, run the batch again
    in_doubt,     // the commit may or may not have happened: run again, commands recognise their earlier success
    refused,      // a constraint refused the data for good: a rule of ours is broken or a command is bad
    unavailable,  // disk full, file locked for too long, connection lost before the commit: nothing was written
  };
  StoreError(Kind kind, std::string const& what) : std::runtime_error(what), kind(kind) {}
  Kind kind;
};

struct MerchantKey {
  MerchantId merchant;
  std::string key;
  auto operator<=>(MerchantKey const&) const = default;
  bool operator==(MerchantKey const&) const = default;
};

// Who has an idempotency key: an attempt, a refund or a capture; the others are empty.
struct KeyHolder {
  OrderKey order;
  AttemptId attempt = {};
  RefundId refund = {};
  CaptureId capture = {};
};

struct NoticeId {
  std::string provider;
  std::string event_id;
  auto operator<=>(NoticeId const&) const = default;
  bool operator==(NoticeId const&) const = default;
};

// The last version of each row that a batch changed. `is_new` tells an insert from an update; an insert that meets an
// existing row is a conflict.
struct WriteSet {
  template <class Row>
  struct Write {
    Row row;
    bool is_new;
  };
  struct AttemptWrite {
    OrderKey key;
    Attempt row;
    bool is_new;
    Policy policy;
  };
  struct RefundWrite {
    OrderKey key;
    Refund row;
    bool is_new;
  };
  struct CaptureWrite {
    OrderKey key;
    Capture row;
    bool is_new;
  };

  std::vector<Write<OrderHead>> heads;
  std::vector<AttemptWrite> attempts;
  std::vector<RefundWrite> refunds;
  std::vector<CaptureWrite> captures;
  std::vector<Effect> effects;        // inserts
  std::vector<TimelineEvent> events;  // inserts, in order
  std::vector<Posting> postings;      // inserts, in order
  std::vector<Write<NoticeRow>> notices;
  std::vector<Discrepancy> discrepancies;  // inserts; one that was found before stays as it is

  bool empty() const {
    return heads.empty() && attempts.empty() && refunds.empty() && captures.empty() && effects.empty() &&
           events.empty() && postings.empty() && notices.empty() && discrepancies.empty();
  }
};

// An effect with what its message tells the shop.
struct DueEffect {
  Effect effect;
  Attempt attempt;
  std::optional<Refund> refund = {};  // when it follows from one
};

// What came of one delivery: the new state of the effect row.
struct DeliveryResult {
  MerchantId merchant;
  AttemptId attempt;
  RefundId refund = {};
  std::string name;
  EffectState state = EffectState::pending;
  std::optional<Time> due_at = {};        // when pending
  std::optional<Time> delivered_at = {};  // when delivered
  std::string last_error = {};
};

// An effect as a person names it. The attempt may be left out when there is a refund.
struct EffectName {
  AttemptId attempt;
  RefundId refund;
  std::string name;
};

struct ApiKeyRow {
  MerchantId merchant;
  std::string name;      // for people: who uses it
  std::string hash_hex;  // SHA-256 of the secret; the secret itself is shown once and stored nowhere
  Time created_at;
  std::optional<Time> revoked_at;
};

struct AuditRow {
  MerchantId merchant;
  std::string actor;
  std::string action;  // e.g. api_key.created, payment.resolved
  std::string detail;
  Time at;
};

// Makes durable what a writer has committed, while the writer goes on.
class Syncer {
 public:
  virtual ~Syncer() = default;
  // What was committed before the call is durable when it returns. Throws StoreError when it can't be made so.
  virtual void make_durable() = 0;
  // Whether it would have nothing to do. Writer's thread.
  virtual bool is_durable() = 0;
};

// One connection that writes. At most one transaction at a time: begin, any of the calls, then commit or rollback.
class Writer {
 public:
  virtual ~Writer() = default;

  virtual void begin() = 0;
  // Durable when it returns, unless that was deferred. After a throw the transaction is over (rolled back, or in
  // doubt).
  virtual void commit() = 0;
  // From now on commit() makes changes visible, and the object returned makes them durable. Null when this database
  // can't part the two; commit() stays durable then.
  virtual std::unique_ptr<Syncer> defer_durability() { return nullptr; }
  // Never throws; harmless when no transaction is open.
  virtual void rollback() noexcept = 0;

  // Whether another connection may have written since this one's transaction before. Inside a transaction, once.
  virtual bool has_changed_elsewhere() { return true; }

  // Locks the orders in the order given (callers sort) and loads them whole. Absent orders are left out.
  virtual std::vector<Order> load_orders(std::span<OrderKey const> keys) = 0;
  // One entry per question, in order.
  virtual std::vector<std::optional<KeyHolder>> find_keys(std::span<MerchantKey const> keys) = 0;
  virtual std::vector<std::optional<OrderKey>> find_attempts(std::span<AttemptId const> attempts) = 0;
  virtual std::vector<std::optional<NoticeRow>> find_notices(std::span<NoticeId const> ids) = 0;

  virtual void write(WriteSet const& changes) = 0;

  // Takes up to `limit` pending effects of this name that are due, longest waiting first: their due_at becomes
  // lease_until and tries grows by one, so that no other worker takes them meanwhile. By name, so that the backlog of
  // one effect never holds up another.
  virtual std::vector<DueEffect> claim_effects(MerchantId const& merchant, std::string const& name, Time now,
                                               Time lease_until, std::size_t limit) = 0;
  virtual void record_deliveries(std::span<DeliveryResult const> results) = 0;
  // Makes a dead or delivered effect pending again, due now. False if there is no such effect.
  virtual bool resend_effect(MerchantId const& merchant, EffectName const& effect, Time now) = 0;

  virtual void insert_api_key(ApiKeyRow const& key) = 0;
  // False if the merchant has no live key of this name.
  virtual bool revoke_api_key(MerchantId const& merchant, std::string const& name, Time now) = 0;
  virtual void insert_audit(AuditRow const& row) = 0;

  // The statement of its provider and day, in place of an earlier reading of it.
  virtual void put_statement(StatementRow const& statement) = 0;
  // False if the merchant has no open discrepancy of this id.
  virtual bool resolve_discrepancy(MerchantId const& merchant, std::string const& id, std::string const& actor,
                                   std::string const& note, Time now) = 0;
  // Resolves what later lines of the provider's statements have answered: a missing payment that came after all, an
  // unknown one that is in the books by now.
  virtual void resolve_answered_discrepancies(std::string const& provider, Time now) = 0;
};

struct StoredEvent {
  std::int64_t sequence;  // grows in commit order within a merchant; the cursor of the feed
  TimelineEvent event;
};

struct DueAttempt {
  OrderKey key;
  AttemptId attempt;
  Time due_at;
};

struct DueRefund {
  OrderKey key;
  RefundId refund;
  Time due_at;
};

struct DueCapture {
  OrderKey key;
  CaptureId capture;
  Time due_at;
};

struct DueOrder {
  OrderKey key;
  Time due_at;
};

struct FoundAttempt {
  OrderKey key;
  Attempt attempt;
};

struct FoundRefund {
  OrderKey key;
  Refund refund;
};

struct FoundCapture {
  OrderKey key;
  Capture capture;
};

// What went from one account to another in a time.
struct Turnover {
  std::string debit;
  std::string credit;
  Money amount;
};

// One connection that reads. Each call sees what was committed before it.
class Reader {
 public:
  virtual ~Reader() = default;

  // Returns once all that was read so far is durable: nobody is told what a power cut could take back.
  virtual void wait_until_durable() {}

  virtual std::optional<Order> find_order(OrderKey const& key) = 0;
  // Those that exist, in the order given.
  virtual std::vector<FoundAttempt> find_attempts(std::span<AttemptId const> attempts) = 0;
  std::optional<FoundAttempt> find_attempt(AttemptId const& attempt) {
    auto found = find_attempts({&attempt, 1});
    return found.empty() ? std::nullopt : std::optional{std::move(found.front())};
  }
  virtual std::optional<FoundRefund> find_refund(RefundId const& refund) = 0;
  virtual std::optional<FoundCapture> find_capture(CaptureId const& capture) = 0;
  virtual std::optional<ApiKeyRow> find_api_key(std::string const& hash_hex) = 0;
  virtual std::vector<ApiKeyRow> api_keys(MerchantId const& merchant) = 0;

  // The feed: events with sequence > after, oldest first.
  virtual std::vector<StoredEvent> events_after(MerchantId const& merchant, std::int64_t after, std::size_t limit) = 0;
  virtual std::vector<StoredEvent> timeline(OrderKey const& key) = 0;
  virtual std::vector<Effect> effects_of(OrderKey const& key) = 0;
  virtual std::vector<Posting> journal_of(OrderKey const& key) = 0;
  // Sums of the postings of [from, until), one for each currency and pair of accounts.
  virtual std::vector<Turnover> turnovers(MerchantId const& merchant, Time from, Time until) = 0;
  virtual std::vector<Effect> dead_effects(MerchantId const& merchant, std::size_t limit) = 0;
  virtual std::vector<NoticeRow> notices_of(AttemptId const& attempt) = 0;

  // Watched attempts, refunds and captures whose due_at has come, longest waiting first.
  virtual std::vector<DueAttempt> due_attempts(Time now, std::size_t limit) = 0;
  virtual std::vector<DueRefund> due_refunds(Time now, std::size_t limit) = 0;
  virtual std::vector<DueCapture> due_captures(Time now, std::size_t limit) = 0;
  // Open orders that have expired.
  virtual std::vector<DueOrder> due_orders(Time now, std::size_t limit) = 0;
  virtual std::vector<NoticeRow> due_notices(Time now, std::size_t limit) = 0;
  // Attempts and refunds with a review reason: what needs a person.
  virtual std::vector<FoundAttempt> attempts_in_review(MerchantId const& merchant, std::size_t limit) = 0;

  // Counts end at 10,000: that much, or more.
  struct Backlog {
    std::optional<Time> oldest_unknown;  // created_at of the oldest attempt in UNKNOWN
    std::int64_t unknown = 0;
    std::int64_t in_review = 0;
    std::int64_t effects_pending = 0;
    std::int64_t effects_dead = 0;
    std::int64_t notices_unmatched = 0;
    std::int64_t discrepancies = 0;  // open ones
  };
  virtual Backlog backlog() = 0;

  // Money of payments that came through the provider in [from, until), as it was posted, of which no statement has
  // told.
  virtual std::vector<Posting> unbilled(MerchantId const& merchant, std::string const& provider, Time from, Time until,
                                        std::size_t limit) = 0;
  virtual std::optional<StatementRow> find_statement(std::string const& provider, std::string const& day) = 0;
  // Open ones, oldest first.
  virtual std::vector<Discrepancy> open_discrepancies(MerchantId const& merchant, std::size_t limit) = 0;

  // All orders in key order, from the first after `after` (an empty key: from the start). For verify.
  virtual std::vector<Order> orders_after(OrderKey const& after, std::size_t limit) = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  // Brings the schema to this program's version, under a lock. Error when it can't be, or when the schema is newer.
  virtual Result<void> migrate() = 0;
  virtual std::unique_ptr<Writer> open_writer() = 0;
  virtual std::unique_ptr<Reader> open_reader() = 0;
  // How many writers may usefully work side by side.
  virtual std::size_t writer_lanes() const = 0;
  // So many commands in a batch that its own price hardly counts: a busy lane waits a moment for them.
  virtual std::size_t good_batch() const { return 8; }
};

}  // namespace payonce
