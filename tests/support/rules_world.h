// A shop in memory for tests of the rules: terms, builders for orders and commands, and a store of one map that finds
// and applies as the committer does. Not for tests of a real store: it has no transactions and no constraints.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "payment/decide.h"

namespace payonce {

using namespace std::chrono_literals;

inline constexpr Time test_start{Millis{1'760'000'000'000}};

// Providers: "sure" (idempotent, a closing is proof), "forgetful" (charges every request, a closing is proof), "blunt"
// (neither). The first two can hold money: "sure" for up to three captures, "forgetful" for one. The merchant "shop"
// may use all three, "sure" first, and wants the effects ship, points and coupon.
class TestTerms final : public Terms {
 public:
  TestTerms();
  MerchantSettings const* merchant(MerchantId const& id) const override;
  ProviderTerms const* provider(std::string_view name) const override;

  MerchantSettings shop;
  std::vector<ProviderTerms> providers;
};

inline Money usd(std::int64_t minor) { return {minor, Currency::of("USD")}; }
inline Money cny(std::int64_t minor) { return {minor, Currency::of("CNY")}; }

inline OrderKey order_key(std::string_view order = "PA-1001") { return {MerchantId{"shop"}, OrderId{order}}; }

// pay_…n, of the shape that providers send back to us.
AttemptId attempt_id(int n);
// ref_r…n, as a caller mints it; surplus goes back under a number of another shape.
RefundId refund_id(int n);
// cap_…n.
CaptureId capture_id(int n);

// Commands about order PA-1001 of merchant "shop", 19.99 USD unless they say otherwise.
RegisterOrder registration(Money amount = usd(1999));
BeginAttempt beginning(int n, std::string idempotency_key, std::string provider = "sure", std::string method = "");
Answer answer(Outcome outcome, std::string code = "code");
RecordOutcome outcome(int n, Evidence evidence, Outcome outcome);
RecordOutcome outcome(int n, Evidence evidence, Answer answer);
ApplyNotice notice(std::string event_id, int n, Answer answer);
RecordOfflinePayment offline_payment(int n, std::string idempotency_key);
// Refund n, for the reason "line n".
BeginRefund refund_request(int n, std::string idempotency_key, std::int64_t amount_minor = 500, int of_attempt = 1);

// Capture n of attempt 1, the last one unless it says otherwise.
BeginCapture capture_request(int n, std::string idempotency_key, std::int64_t amount_minor = 1999,
                             bool is_final = true);

// A row as the books could hold it: an ended one has its evidence and no due time.
Attempt attempt_in(AttemptState state, int n);
// PA-1001 with these attempts; its state and sums follow from them.
Order order_with(std::vector<Attempt> attempts);

// All fields as text, for comparison; without what recovery moves about (due_at, updated_at) on wish.
enum class Bookkeeping { with, without };
std::string describe(OrderHead const& head);
std::string describe(Attempt const& attempt, Bookkeeping bookkeeping = Bookkeeping::with);
std::string describe(Refund const& refund, Bookkeeping bookkeeping = Bookkeeping::with);
std::string describe(Capture const& capture, Bookkeeping bookkeeping = Bookkeeping::with);

class RulesWorld {
 public:
  // Empty books, or books that hold this order.
  RulesWorld() = default;
  explicit RulesWorld(Order order) { orders.emplace(order.head.key, std::move(order)); }

  Decision decide(Command const& command) const;
  // Decides and writes what was decided.
  Decision run(Command const& command);
  void apply(Changes const& changes);

  Order const& order(OrderKey const& key = order_key()) const { return orders.at(key); }
  // Both throw if there is none.
  Attempt const& attempt(int n) const;
  Refund const& refund(int n) const;
  Refund const* refund_of(int n) const;  // or null
  Capture const& capture(int n) const;

  // What a change set would alter beyond bookkeeping of rows that are due, as text; empty if nothing.
  std::string substance_of(Changes const& changes) const;

  TestTerms terms;
  Time now = test_start;
  std::map<OrderKey, Order> orders;
  std::map<std::pair<std::string, std::string>, NoticeRow> notices;
  std::vector<Effect> effects;
  std::vector<TimelineEvent> events;
  std::vector<Posting> journal;
  std::map<std::string, Discrepancy> discrepancies;  // by id

 private:
  Order const* find(OrderKey const& key) const;
  Order const* find_by_number(AttemptId const& id) const;
};

// The invariants that concern one order, with the effects there are of it; one sentence for each that is broken.
std::string broken_invariants(Order const& order, std::vector<Effect> const& effects);
// Where accounts of the journal do not stand as the rows say; empty if they do.
std::string journal_mismatch(Order const& order, std::vector<Posting> const& journal);

// Shorthands that make assertions read well. They throw when the decision is of the other kind, so that a test fails
// and does not end the program.
Reply const& replied(Decision const& decision);
Refusal const& refusal(Decision const& decision);
ErrorCode refused_with(Decision const& decision);
std::vector<CallKind> calls_of(Decision const& decision);
std::vector<std::string> event_types(Decision const& decision);

}  // namespace payonce
