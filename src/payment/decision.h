// What the rules decide: rows to write, a reply for the caller, and actions to perform after the commit.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "payment/command.h"
#include "payment/journal.h"
#include "payment/order.h"
#include "payment/statement.h"

namespace payonce {

// One line of the append-only timeline; also one entry of the event feed.
struct TimelineEvent {
  OrderKey key;
  AttemptId attempt;  // empty for events of the order itself
  RefundId refund;    // empty unless about a refund
  std::string type;   // e.g. order.registered, payment.created, payment.succeeded, payment.alarm, refund.succeeded
  std::string from;   // states as on the wire; empty if none
  std::string to;
  std::optional<Evidence> evidence;
  std::string actor;  // a person's or API key's name; empty for the service itself
  std::string code;   // the provider's code
  std::string text;   // a sentence for `explain`
  Time at;
};

enum class EffectState { pending, delivered, dead };
std::string_view to_text(EffectState state);
std::optional<EffectState> parse_effect_state(std::string_view text);

// One consequence of a payment or of a refund for the shop. Its identity is (attempt, refund, name); `id` is that
// identity as one text and goes out as webhook-id.
struct Effect {
  OrderKey key;
  AttemptId attempt;
  RefundId refund = {};  // empty unless it follows from a refund
  std::string name;
  EffectState state = EffectState::pending;
  int tries = 0;
  std::optional<Time> due_at;
  Time created_at;
  std::optional<Time> delivered_at;
  std::string last_error;

  std::string const& subject() const { return refund.empty() ? attempt.value : refund.value; }
  std::string id() const { return subject() + "." + name; }
};

enum class NoticeDisposition {
  applied,    // it matched an attempt and was worked into the order (also if that changed nothing)
  misfit,     // it matched, but amount, currency or account do not fit; a person is needed
  unmatched,  // it names a number of our shape that we do not have (yet); it is tried again
  foreign,    // it names a number that is not ours; kept, and not tried again
};
std::string_view to_text(NoticeDisposition disposition);
std::optional<NoticeDisposition> parse_notice_disposition(std::string_view text);

struct NoticeRow {
  std::string provider;
  std::string event_id;
  std::string number;
  std::string refund_number;
  NoticeDisposition disposition = NoticeDisposition::foreign;
  Answer answer;
  std::string body;
  int tries = 0;
  std::optional<Time> due_at;  // set while unmatched
  Time received_at;
  std::optional<Billed> billed = {};  // set when it is a line of a statement

  Evidence evidence() const { return billed ? Evidence::statement : Evidence::notice; }
};

struct Changes {
  std::optional<OrderHead> head;
  std::vector<Attempt> attempts;
  std::vector<Refund> refunds;
  std::vector<Capture> captures;
  std::vector<Effect> effects;  // new ones only
  std::vector<TimelineEvent> events;
  std::vector<Posting> postings;
  std::optional<NoticeRow> notice;
  std::optional<Discrepancy> discrepancy;

  bool empty() const {
    return !head && attempts.empty() && refunds.empty() && captures.empty() && effects.empty() && events.empty() &&
           postings.empty() && !notice && !discrepancy;
  }
};

// A call to the provider that must be made after the commit, by the one whose commit asked for it.
enum class CallKind { create, query, close, refund, query_refund, capture, query_capture };
std::string_view to_text(CallKind kind);

struct ProviderCall {
  CallKind kind = CallKind::query;
  OrderKey key;
  Attempt attempt;
  std::optional<Refund> refund;         // for refund and query_refund
  bool first_create = false;            // nothing had reached the provider before this call
  std::optional<Capture> capture = {};  // for capture and query_capture
};

enum class ReplyKind {
  created,    // this command made it
  confirmed,  // it was there already, with the same content (a replay)
  recorded,   // the outcome or notice was worked in
  duplicate,  // the notice was known
  accepted,   // the wish is noted and is being carried out (cancel, close)
  nothing,    // there was nothing to do (somebody else was first)
};

struct Reply {
  ReplyKind kind = ReplyKind::nothing;
  std::optional<OrderHead> order;
  std::optional<Attempt> attempt;
  std::optional<Refund> refund = {};
  std::optional<Capture> capture = {};
};

// A refusal. Nothing is written for it but an alarm for a person, so that it burns no key.
struct Refusal {
  Error error;
  std::optional<Attempt> live = {};  // the attempt that stands in the way …
  OrderId order = {};                // … and its order
};

struct Decision {
  Changes changes;
  std::vector<ProviderCall> calls;
  std::expected<Reply, Refusal> reply;
};

}  // namespace payonce
