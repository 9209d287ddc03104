// What can be asked of an order. Each command is data; ids are minted by the caller before the commit, so that a
// command that is run again after a lost commit answer recognises its own earlier success.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "payment/order.h"

namespace payonce {

// A provider's answer, translated by its connector.
struct Answer {
  Outcome outcome = Outcome::in_doubt;
  std::string provider_ref;
  // What the provider says it charged, captured in all, or refunded, if it says so.
  std::optional<Money> amount;
  std::string code;
  std::string text;
  std::string action_url;
  // A short reason when the answer is about something that is not ours although the number fits (other account).
  std::string misfit;
  std::optional<Time> hold_until = {};  // with `authorized`: when the provider lets the money go, if it says so
};

struct RegisterOrder {
  OrderKey key;
  Money amount;
  Policy policy = Policy::single;
  std::string metadata;
  std::optional<Time> expires_at = {};  // from then on it is closed, at the provider first
  CaptureMode capture = CaptureMode::automatic;
};

struct BeginAttempt {
  OrderKey key;
  AttemptId attempt;
  std::string idempotency_key;
  std::string provider;  // empty: the merchant's default
  std::string method;
  std::optional<std::int64_t> amount_minor;  // must equal the order's when named
  std::optional<std::string> currency;
  std::string metadata;
  std::string part = {};  // of a split order: which part this pays
  // Takes the place of the attempt that is live now, if that can't charge any more or the merchant's settings let it be
  // released.
  bool replaces = false;
  // Registers the order at the amount and currency named, which must be set then, if it does not exist yet.
  bool registers_order = false;
};

// What came of a call to the provider about an attempt.
struct RecordOutcome {
  OrderKey key;
  AttemptId attempt;
  Evidence evidence = Evidence::response;
  Answer answer;
  std::string actor;  // who says so, when a person does
  // Set when it answers a create call before which nothing had reached the provider: the attempt's `tries` at that
  // call. `not_sent` then proves that still nothing has, unless somebody took the attempt up meanwhile.
  std::optional<int> first_create_at_try;
};

// What a line of a provider's statement says beyond what a notice can.
struct Billed {
  std::string day;                // of the statement: 2026-01-02
  std::optional<Money> fee = {};  // what the provider kept; negative: what it gave back of an earlier fee

  bool operator==(Billed const&) const = default;
};

// A provider's message, its signature checked, or a line of its statement. The number it names may be unknown to us.
struct ApplyNotice {
  std::string provider;
  std::string event_id;
  std::string number;         // the attempt it names, as the provider spells it
  std::string refund_number;  // set when it is about a refund of that attempt
  Answer answer;
  std::string body;                   // the raw bytes, kept
  std::optional<Billed> billed = {};  // set when it is a line of a statement
  MerchantId shown_to = {};           // of a statement: whose person looks at a line that names nobody's payment
};

struct CancelAttempt {
  MerchantId merchant;
  AttemptId attempt;
  std::string actor;
  bool spares_holds = false;  // as for a buyer: money that is held is the shop's to capture or to give up
};

struct CloseOrder {
  OrderKey key;
  std::string actor;
};

// The order's time is over, or it is time to see whether what it waits for has ended. `due_at` as for attempts below.
struct ExpireOrder {
  OrderKey key;
  Time due_at;
};

// Recovery takes a due attempt up. `due_at` is what the finder saw: if it moved, somebody else was first.
struct TakeUpAttempt {
  OrderKey key;
  AttemptId attempt;
  Time due_at;
};

struct TakeUpRefund {
  OrderKey key;
  RefundId refund;
  Time due_at;
};

// The shop gives money of a payment back, in whole or in part. The amount is always named.
struct BeginRefund {
  MerchantId merchant;
  AttemptId attempt;
  RefundId refund;
  std::string idempotency_key;
  std::int64_t amount_minor = 0;
  std::optional<std::string> currency;  // must equal the payment's when named
  std::string reason;
  std::string actor;
};

struct RecordRefundOutcome {
  OrderKey key;
  RefundId refund;
  Evidence evidence = Evidence::response;
  Answer answer;
};

struct TakeUpCapture {
  OrderKey key;
  CaptureId capture;
  Time due_at;
};

// The shop takes money that is held: all of it or less, at once or in parts. The amount is always named.
struct BeginCapture {
  MerchantId merchant;
  AttemptId attempt;
  CaptureId capture;
  std::string idempotency_key;
  std::int64_t amount_minor = 0;
  std::optional<std::string> currency;  // must equal the payment's when named
  bool is_final = true;                 // the rest of the hold is not wanted
  std::string actor;
};

struct RecordCaptureOutcome {
  OrderKey key;
  CaptureId capture;
  Evidence evidence = Evidence::response;
  Answer answer;
};

// Support books money that came by other means (客服补单).
struct RecordOfflinePayment {
  OrderKey key;
  AttemptId attempt;
  std::string idempotency_key;
  Money amount;
  std::string reason;
  std::string document;  // the number of the paper that proves it
  std::string actor;
  std::string part = {};
};

using Command = std::variant<RegisterOrder, BeginAttempt, RecordOutcome, ApplyNotice, CancelAttempt, CloseOrder,
                             ExpireOrder, TakeUpAttempt, BeginRefund, TakeUpRefund, RecordRefundOutcome, BeginCapture,
                             TakeUpCapture, RecordCaptureOutcome, RecordOfflinePayment>;

}  // namespace payonce
