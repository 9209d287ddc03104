// The rules of the sandbox bank: what a charge, a capture, a closing or a refund leads to. Pure: time comes in, changes
// come out. Not for: faults (fault.h), HTTP (routes.h) or the file that keeps it all (journal.h).
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "sandbox/charge.h"

namespace payonce::sandbox {

struct BankRules {
  bool forgetful = false;    // charge every request again, even under a number that was charged
  Millis settle_delay{300};  // after which "pending" and "decline_then_succeed" succeed, and "short_hold" lets go
};

struct CreateCharge {
  std::string number;
  std::string order;
  std::int64_t amount_minor = 0;
  std::string currency;
  std::string method;
  std::optional<Time> expires_at;
  std::string dialect = {};
  std::string_view forced_method = {};  // set by a fault: decides in place of `method`
  bool holds = false;                   // only hold the money; it moves by captures
};

struct CreateCapture {
  std::string number;
  std::string charge_number;
  std::int64_t amount_minor = 0;
  std::string currency;
  bool is_final = true;
  bool forced_decline = false;  // set by a fault
};

struct CreateRefund {
  std::string number;
  std::string charge_number;
  std::int64_t amount_minor = 0;
  std::string currency;
  std::string reason;
  bool forced_decline = false;  // set by a fault
};

enum class Verdict {
  done,           // the row is the answer, as it now stands
  number_reused,  // the number belongs to other content; `field` names the difference
  number_closed,  // a charge was asked for under a barred number
  not_found,
};

struct ChargeReply {
  Verdict verdict = Verdict::done;
  Charge charge = {};
  std::string_view field = {};
};

struct CaptureReply {
  Verdict verdict = Verdict::done;
  Capture capture = {};
  std::string_view field = {};
};

struct RefundReply {
  Verdict verdict = Verdict::done;
  Refund refund = {};
  std::string_view field = {};
};

// A number that was closed before it was charged, or any closed number of a forgetful bank.
struct BarredNumber {
  std::string number;

  bool operator==(BarredNumber const&) const = default;
};

struct Change {
  std::variant<Charge, Capture, Refund, BarredNumber> row;  // as it now stands
  bool notify = false;                                      // the merchant is to be told
};

// Charges also change by themselves as time goes by: settle_due(now) comes before any other call.
class Bank {
 public:
  // `random` makes the ids and must outlive the bank.
  Bank(BankRules rules, Random& random) : rules_(rules), random_(random) {}

  ChargeReply create(CreateCharge const& request, Time now);
  ChargeReply query(std::string_view number) const;
  // Bars the number, whether it is known or not; answers with what ended already, if anything did.
  ChargeReply close(std::string_view number);
  // The buyer tries to pay a charge that waits or was declined, with this method; nothing else is changed by it.
  ChargeReply pay(std::string_view number, std::string_view method, Time now);
  // Ends a charge from which no money has moved, a declined one too, so that it never succeeds.
  ChargeReply abandon(std::string_view number);
  // The buyer's word on the bank's page. Changes nothing unless the charge waits for it.
  ChargeReply approve(std::string_view number);
  ChargeReply refuse(std::string_view number);
  // Takes money of a hold; the last one completes the charge.
  CaptureReply capture(CreateCapture const& request, Time now);
  CaptureReply query_capture(std::string_view number) const;
  RefundReply refund(CreateRefund const& request, Time now);
  RefundReply query_refund(std::string_view number) const;
  // What moved under this number and was not given back.
  std::int64_t refundable(std::string_view charge_number) const;
  // Those of one charge that succeeded, oldest first.
  std::vector<Capture> captures_of(std::string_view charge_number) const;
  std::vector<Refund> refunds_of(std::string_view charge_number) const;

  // Charges that succeed or expire by themselves, and holds that end.
  void settle_due(Time now);
  // When to call settle_due next; it may turn out that nothing is due then.
  std::optional<Time> next_due() const;

  // Everything that changed since the last call, in order.
  std::vector<Change> take_changes();

  // Puts a row back as the journal has it, replacing an earlier state of the same row.
  void restore(Charge charge);
  void restore(Capture capture);
  void restore(Refund refund);
  void restore(BarredNumber barred);

  std::deque<Charge> const& charges() const { return charges_; }     // oldest first
  std::deque<Capture> const& captures() const { return captures_; }  // oldest first
  std::deque<Refund> const& refunds() const { return refunds_; }     // oldest first
  std::vector<std::string> barred_numbers() const;                   // in no order
  // The order a number belongs to, or empty.
  std::string_view order_of_charge(std::string_view number) const;
  std::string_view order_of_capture(std::string_view number) const;
  std::string_view order_of_refund(std::string_view number) const;

 private:
  struct TextHash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <class Value>
  using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

  struct NumberEntry {
    std::vector<std::size_t> charges;  // indexes, oldest first; more than one only when forgetful
    bool barred = false;
  };

  struct Due {
    Time at;
    std::size_t charge;
    bool operator>(Due const& other) const { return at > other.at; }
  };

  Charge const& telling_charge(NumberEntry const& entry) const;
  Charge begin(CreateCharge const& request, Time now);
  void add(Charge charge);
  void set_state(std::size_t index, ChargeState state, std::string_view code);
  void schedule(std::size_t index);
  // Ends a charge from which nothing more is to move: closed, or complete if some of a hold was captured.
  void end(std::size_t index, std::string_view code);
  Time hold_end(std::string_view method, Time now) const;
  ChargeReply end_by_buyer(std::string_view number, ChargeState state, std::string_view code);
  std::string_view capture_refusal(CreateCapture const& request, Charge const& charge) const;
  std::string_view refund_refusal(CreateRefund const& request, NumberEntry const& entry) const;

  BankRules const rules_;
  Random& random_;
  std::deque<Charge> charges_;
  std::deque<Capture> captures_;
  std::deque<Refund> refunds_;
  ByText<NumberEntry> numbers_;
  ByText<std::size_t> capture_numbers_;
  ByText<std::size_t> refund_numbers_;
  ByText<std::vector<std::size_t>> captures_of_charge_;
  ByText<std::vector<std::size_t>> refunds_of_charge_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<Change> changes_;
};

}  // namespace payonce::sandbox
