// A payment provider in the simulated world: its own ledger, and manners that differ from bank to bank. It never lies
// about money, but may charge late what it first declined. It also watches what it is asked for: a bank is the first to
// see that somebody asks twice.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "payment/decision.h"
#include "simulate/stage.h"
#include "verify/bank_ledger.h"

namespace payonce::simulate {

// What a bank is sent, as bytes: all that it knows.
struct BankCall {
  CallKind kind;
  int order;
  std::string number;
  std::string part_number = {};  // of a refund or a capture
  std::string request = {};      // of a create, a refund or a capture
};

// What a bank tells by itself.
struct BankNotice {
  std::string bank;
  int order;
  std::string event_id;
  std::string number;
  std::string refund_number = {};
  Outcome outcome;
  std::int64_t amount_minor;
};

// The bytes of requests, and what they say.
std::string write_simulated_create(Charge const& charge);
std::string write_simulated_refund(Refund const& refund, Attempt const& attempt);
std::string write_simulated_capture(Capture const& capture, Attempt const& attempt);

// An answer with a code, which is its text as well.
Answer said(Outcome outcome, std::string_view code);

class Bank {
 public:
  using Tell = std::function<void(BankNotice)>;

  Bank(Stage& stage, BankPlan const& plan, Tell tell) : stage_(stage), plan_(plan), tell_(std::move(tell)) {}

  BankPlan const& plan() const { return plan_; }

  // A call arrives; the answer is what the bank would say to it.
  Answer perform(BankCall const& call);

  // The buyer pays at the bank, if it waits for that, or tells it to forget it.
  void buyer_acts(std::string const& number, bool pays);

  // Whether it took any money for it.
  bool has_charged(std::string const& number) const;
  // What became of a dispute of this payment, once that is decided.
  std::optional<Outcome> dispute_of(std::string const& number) const;
  bool has_open_disputes() const { return open_disputes_ > 0; }
  bool knows(std::string const& number) const { return rows_.contains(number); }
  // Whether it is about to charge what it declined, or has done so and nobody has understood it yet.
  bool is_late_with(int order) const;
  bool is_late() const;
  void is_understood(BankNotice const& notice);

  void write_ledger(BankLedger& ledger) const;

 private:
  enum class State { working, waiting_for_buyer, held, charged, declined, closed };
  struct Part {
    std::int64_t amount_minor;
    bool is_refused;
  };
  struct Row {
    std::string number;
    int order;
    std::string request;
    std::int64_t amount_minor;
    std::string currency;
    Time expires_at;
    Time first_seen_at;
    State state = State::working;
    bool is_to_be_held = false;
    int charges = 0;  // times that it charged or held
    std::int64_t taken_minor = 0;
    Time hold_until = {};
    bool is_late = false;  // charged after it was declined, and nobody else knows yet
    std::map<std::string, Part> refunds = {};
    std::map<std::string, Part> captures = {};
    std::optional<Outcome> dispute = {};
  };

  Answer create(BankCall const& call);
  Answer refund(BankCall const& call);
  Answer query_refund(BankCall const& call) const;
  Answer capture(BankCall const& call);
  Answer query_capture(BankCall const& call) const;
  Answer close(BankCall const& call);
  void begin(Row& row);
  // Charges it, or holds its money.
  void agree(Row& row);
  void charge(Row& row);
  void hold(Row& row);
  void take(Row& row, std::int64_t minor);
  void let_go(Row& row);
  void may_be_disputed(Row const& row);
  void decide_dispute(std::string const& number);
  void decline(Row& row, State state);
  void settle_later(std::string const& number, Millis delay, bool charges);
  void notify(Row const& row, std::string refund_number, Outcome outcome, std::int64_t amount_minor);
  Answer standing_of(Row const& row) const;

  Stage& stage_;
  BankPlan const& plan_;
  Tell tell_;
  std::map<std::string, Row, std::less<>> rows_;
  std::map<int, int> charges_to_come_;  // of orders: what it declined, and charges without anyone knowing yet
  int open_disputes_ = 0;
  std::uint64_t last_event_ = 0;
};

}  // namespace payonce::simulate
