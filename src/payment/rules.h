// One function per command; decide() dispatches to them. Shared by the files of this folder only.
#pragma once

#include "payment/decide.h"
#include "payment/draft.h"

namespace payonce {

// The order as a first registration makes it, and its line in the timeline.
Order new_order(RegisterOrder const& command, Time now);
void note_registered(Draft& draft);
// An open order without live attempts ends unpaid.
void close(Draft& draft, std::string why, std::string actor);

Decision register_order(Order const* order, RegisterOrder const& command, Terms const& terms, Time now);
Decision begin_attempt(Situation const& situation, BeginAttempt const& command, Terms const& terms, Time now);
Decision record_offline_payment(Situation const& situation, RecordOfflinePayment const& command, Terms const& terms,
                                Time now);
Decision record_outcome(Order const* order, RecordOutcome const& command, Terms const& terms, Time now);
Decision apply_notice(Situation const& situation, ApplyNotice const& command, Terms const& terms, Time now);
Decision cancel_attempt(Order const* order, CancelAttempt const& command, Terms const& terms, Time now);
Decision close_order(Order const* order, CloseOrder const& command, Time now);
Decision expire_order(Order const* order, ExpireOrder const& command, Terms const& terms, Time now);
// The answer to a take-up when somebody else was first.
Decision nothing_to_do(Order const* order);
Decision take_up_attempt(Order const* order, TakeUpAttempt const& command, Terms const& terms, Time now);
Decision take_up_refund(Order const* order, TakeUpRefund const& command, Terms const& terms, Time now);
Decision begin_refund(Situation const& situation, BeginRefund const& command, Terms const& terms, Time now);
Decision begin_capture(Situation const& situation, BeginCapture const& command, Terms const& terms, Time now);
Decision take_up_capture(Order const* order, TakeUpCapture const& command, Terms const& terms, Time now);
Decision record_capture_outcome(Order const* order, RecordCaptureOutcome const& command, Terms const& terms, Time now);
Decision record_refund_outcome(Order const* order, RecordRefundOutcome const& command, Terms const& terms, Time now);

// Why the provider does not take this money; empty if it does.
std::string refusal_of(ProviderTerms const& provider, Money amount);

// How far beyond a call's time-out its taker holds the attempt, so that nobody else asks while it may still answer.
inline constexpr Millis lease_margin{2'000};

// The time at which somebody else may take up what a call that starts now is about.
Time lease_end(Draft const& draft, ProviderTerms const& terms);

// Whether the create may be sent again without being a second charge. Half the window: our clock and the provider's may
// differ, and the call itself takes time.
bool key_is_remembered(Attempt const& attempt, ProviderTerms const& provider, Time now);

// What an answer proves. A bare no proves nothing: failing needs an answer that can be stored and shown.
Outcome proven_by(Answer const& answer);

// One answer about an attempt, worked into the order: the only place where an attempt changes its state after it began.
struct News {
  Evidence evidence;
  Answer const& answer;
  std::string actor;
  std::optional<int> first_create_at_try;
};
enum class Fit { fits, misfit };
// `misfit`: the answer speaks of another amount, currency or account; the attempt is marked for a person instead.
Fit work_in(Draft& draft, AttemptId const& id, News const& news, Terms const& terms);

// The same for a refund.
Fit work_in_refund(Draft& draft, RefundId const& id, Evidence evidence, Answer const& answer, Terms const& terms);

// The same for a refund of this attempt under a number that payonce did not give: it is put into the books.
Fit work_in_outside_refund(Draft& draft, Attempt const& attempt, std::string const& number, Evidence evidence,
                           Answer const& answer, Terms const& terms);

// The refund of this attempt in the books that was made under a number or id of the provider's, or null.
Refund const* outside_refund(Order const& order, AttemptId const& attempt, std::string_view number);

// A line of a statement lists a movement; the answer becomes what that says of the payment, or of the refund if a
// number of one is given.
void read_as_line(Order const& order, Attempt const& attempt, std::string_view refund_number, Answer& answer);

// The row of a person's list for a line of a statement.
Discrepancy discrepancy_of(NoticeRow const& line, DiscrepancyKind kind, MerchantId merchant, std::string text,
                           Time now);

// The same for a capture, which may complete its payment.
Fit work_in_capture(Draft& draft, CaptureId const& id, Evidence evidence, Answer const& answer, Terms const& terms);

// News that a payment that was held has been captured, and how much of it in all: the end of the capture under way, or
// of captures that payonce did not make. Nothing if the news go on as they would without a hold.
std::optional<Fit> work_in_total(Draft& draft, AttemptId const& id, News const& news, Terms const& terms);

// What follows from an attempt's having come from that state to one of its ends.
void settle(Draft& draft, AttemptId const& id, AttemptState from, News const& news, Terms const& terms);

// The answer becomes the one that the attempt's state rests on.
void keep_answer(Attempt& attempt, News const& news);
// A line of the timeline: the attempt has come from that state to its present one by these news.
TimelineEvent& tell(Draft& draft, Attempt const& attempt, AttemptState from, News const& news);

// News of a dispute or a reversal. A misfit if no money is known to have come.
Fit take_back(Draft& draft, AttemptId const& id, News const& news, Terms const& terms);

// Books an attempt's success on its order: pays it, with its effects, or becomes a surplus that is given back.
// `from` is the state it had before.
void book_success(Draft& draft, AttemptId const& id, Terms const& terms, AttemptState from);

// The order, which is open, is PAID once all of it has come; `last`, which pays, is the attempt that its effects follow
// from.
void pay_if_complete(Draft& draft, AttemptId const& last, Terms const& terms);

// A live attempt loses its place. It stays watched, and is closed at its provider if that can be.
void release(Draft& draft, AttemptId const& id, std::string why, Terms const& terms);

// The attempt is wanted no more: it is closed at its provider as soon as possible. Once.
void ask_to_close(Draft& draft, AttemptId const& id, Terms const& terms);

// The names in the timeline of an attempt's, a refund's and a capture's having come to this state.
std::string_view event_type(AttemptState to);
std::string_view event_type(RefundState to);
std::string_view event_type(CaptureState to);

// One effect for each that the merchant wants on this: of the attempt, or of a refund of it (empty: none).
void add_effects(Draft& draft, Trigger on, AttemptId const& attempt, RefundId const& refund, Terms const& terms);

// The refusal of a key that another request has.
Decision refuse_reused_key(std::string_view holder, std::string_view field);
// The same when it is a request of another kind; nothing if nobody has the key.
std::optional<Decision> held_key_refused(Situation const& situation);

// The refusal of what must wait for the end of a capture.
Decision refuse_capture_under_way(Order const& order, Attempt const& attempt, Capture const& under_way);

// Ends an attempt of which surely nothing ever reached the provider.
void end_unsent(Draft& draft, AttemptId const& id, std::string const& actor);

}  // namespace payonce
