// One function per command; decide() dispatches to them. Shared by the files of this folder only.
#pragma once

#include "payment/decide.h"
#include "payment/draft.h"

namespace payonce {

Decision register_order(const Order* order, const RegisterOrder& command, Time now);
Decision begin_attempt(const Situation& situation, const BeginAttempt& command, const Terms& terms, Time now);
Decision record_offline_payment(const Situation& situation, const RecordOfflinePayment& command, const Terms& terms,
                                Time now);
Decision record_outcome(const Order* order, const RecordOutcome& command, const Terms& terms, Time now);
Decision apply_notice(const Situation& situation, const ApplyNotice& command, const Terms& terms, Time now);
Decision cancel_attempt(const Order* order, const CancelAttempt& command, const Terms& terms, Time now);
Decision close_order(const Order* order, const CloseOrder& command, Time now);
Decision take_up_attempt(const Order* order, const TakeUpAttempt& command, const Terms& terms, Time now);
Decision take_up_refund(const Order* order, const TakeUpRefund& command, const Terms& terms, Time now);
Decision record_refund_outcome(const Order* order, const RecordRefundOutcome& command, const Terms& terms, Time now);

// How far beyond a call's time-out its taker holds the attempt, so that nobody else asks while it may still answer.
inline constexpr Millis lease_margin{2'000};

// The time at which somebody else may take up what a call that starts now is about.
Time lease_end(const Draft& draft, const ProviderTerms& terms);

// What an answer proves. A bare no proves nothing: failing needs an answer that can be stored and shown.
Outcome proven_by(const Answer& answer);

// One answer about an attempt, worked into the order: the only place where an attempt changes its state after it began.
struct News {
  Evidence evidence;
  const Answer& answer;
  std::string actor;
  std::optional<int> first_create_at_try;
};
enum class Fit { fits, misfit };
// `misfit`: the answer speaks of another amount, currency or account; the attempt is marked for a person instead.
Fit work_in(Draft& draft, const AttemptId& id, const News& news, const Terms& terms);

// The same for a refund.
Fit work_in_refund(Draft& draft, const RefundId& id, Evidence evidence, const Answer& answer, const Terms& terms);

// Books an attempt's success on its order: pays it, with its effects, or becomes a surplus that is given back.
// `from` is the state it had before.
void book_success(Draft& draft, const AttemptId& id, const Terms& terms, AttemptState from);

// Ends an attempt of which surely nothing ever reached the provider.
void end_unsent(Draft& draft, const AttemptId& id, const std::string& actor);

}  // namespace payonce
