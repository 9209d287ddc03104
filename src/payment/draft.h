// A working copy of an order while a command is decided. It remembers which rows were touched, so that a decision names
// just those, and derives what follows from them (the order's sums).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "payment/decision.h"
#include "payment/terms.h"

namespace payonce {

// How an alarm begins that news of money taken back came before any of money that came. Only a person answers it: the
// money's coming does not, and later alarms are told behind it.
inline constexpr std::string_view taken_back_alarm = "taken back before it came: ";

class Draft {
 public:
  Draft(Order order, Time now) : order_(std::move(order)), now_(now) {}

  Order const& order() const { return order_; }
  Time now() const { return now_; }

  // The row for change. It must exist. The reference is good until a row of its kind is added.
  OrderHead& change_head();
  Attempt& change(AttemptId const& id);
  Refund& change(RefundId const& id);
  Capture& change(CaptureId const& id);
  // The new row, its times set.
  Attempt& add(Attempt attempt);
  Refund& add(Refund refund);
  Capture& add(Capture capture);
  void add(Effect effect) { effects_.push_back(std::move(effect)); }

  // A line of the timeline about the order, an attempt or a refund (a capture's is one of its attempt); states, code
  // and evidence are filled in by the caller.
  TimelineEvent& note(std::string_view type, std::string text);
  TimelineEvent& note(Attempt const& attempt, std::string_view type, std::string text);
  TimelineEvent& note(Refund const& refund, std::string_view type, std::string text);

  // Marks an attempt or refund as needing a person and tells the feed. Said once for the same reason.
  void raise_alarm(AttemptId const& id, std::string reason);
  void raise_alarm(RefundId const& id, std::string reason);

  void call(CallKind kind, AttemptId const& id, bool first_create = false);
  void call(CallKind kind, RefundId const& id);
  void call(CallKind kind, CaptureId const& id);
  void keep(NoticeRow notice) { notice_ = std::move(notice); }
  void keep(Discrepancy discrepancy) { discrepancy_ = std::move(discrepancy); }
  // A movement that follows from no change of state.
  void post(Posting posting) { postings_.push_back(std::move(posting)); }

  // The decision, with a reply about the attempt named (or the order alone). It takes the draft apart: call it last.
  Decision finish(ReplyKind kind, AttemptId const* about = nullptr);
  // The same about a refund or a capture, and its attempt.
  Decision finish(ReplyKind kind, RefundId const& about);
  Decision finish(ReplyKind kind, CaptureId const& about);

 private:
  // What of the head follows from the rest: paid and held are never counted up or down on their own, and an order that
  // has ended is not looked at again.
  void tally();
  // What the changes of state mean for the accounts.
  std::vector<Posting> postings() const;

  Order order_;
  Time now_;
  bool head_touched_ = false;
  // What was touched, with how it stood before; a few at most.
  std::vector<std::pair<AttemptId, Stood>> attempts_touched_;
  std::vector<std::pair<RefundId, RefundState>> refunds_touched_;
  std::vector<std::pair<CaptureId, CaptureState>> captures_touched_;
  std::vector<Effect> effects_;
  std::vector<TimelineEvent> events_;
  std::optional<NoticeRow> notice_;
  std::optional<Discrepancy> discrepancy_;
  std::vector<Posting> postings_;
  std::vector<ProviderCall> calls_;
};

// A refusal, with the attempt of the order that stands in the way if there is one.
Decision refuse(ErrorCode code, std::string detail, std::string field = {}, Order const* order = nullptr,
                Attempt const* in_the_way = nullptr);

}  // namespace payonce
