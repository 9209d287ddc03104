// A provider's message, whose event row, order change and effects are one transaction.
#include <fmt/format.h>

#include "base/id.h"
#include "base/limits.h"
#include "payment/backoff.h"
#include "payment/rules.h"

namespace payonce {

namespace {

// A number of our shape that we do not know can only come from books that lost it (a restored backup) or from another
// installation on the same account; so it is looked for often at first, then daily, and never dropped.
constexpr Millis unmatched_first{1'000};
constexpr Millis unmatched_longest{24 * 3'600'000};

NoticeRow row_for(Situation const& situation, ApplyNotice const& command, Time now) {
  if (situation.known_notice) return *situation.known_notice;
  NoticeRow row;
  row.provider = command.provider;
  row.event_id = command.event_id;
  row.number = command.number;
  row.refund_number = command.refund_number;
  row.answer = command.answer;
  row.body = command.body;
  row.received_at = now;
  return row;
}

Decision keep_unmatched(NoticeRow row, Time now) {
  bool const has_our_shape = is_attempt_id(row.number);
  row.disposition = has_our_shape ? NoticeDisposition::unmatched : NoticeDisposition::foreign;
  if (has_our_shape) row.due_at = now + backoff(unmatched_first, unmatched_longest, row.tries++, row.number);
  Decision decision;
  decision.changes.notice = std::move(row);
  decision.reply = Reply{ReplyKind::recorded, std::nullopt, std::nullopt};
  return decision;
}

Fit work_in_either(Draft& draft, Attempt const& attempt, NoticeRow const& row, Answer const& answer,
                   Terms const& terms) {
  if (row.refund_number.empty()) return work_in(draft, attempt.id, {Evidence::notice, answer, {}, std::nullopt}, terms);
  RefundId const id{row.refund_number};
  Refund const* const refund = draft.order().find(id);
  if (refund && refund->attempt == attempt.id) return work_in_refund(draft, id, Evidence::notice, answer, terms);
  if (refund) {
    draft.raise_alarm(attempt.id, fmt::format("the provider speaks of refund {}, which is one of payment {}", id.value,
                                              refund->attempt.value));
    return Fit::misfit;
  }
  return work_in_outside_refund(draft, attempt, row.refund_number, Evidence::notice, answer, terms);
}

}  // namespace

Decision apply_notice(Situation const& situation, ApplyNotice const& command, Terms const& terms, Time now) {
  bool const is_duplicate =
      situation.known_notice && situation.known_notice->disposition != NoticeDisposition::unmatched;
  if (is_duplicate) {
    Decision decision;
    decision.reply = Reply{ReplyKind::duplicate, std::nullopt, std::nullopt};
    return decision;
  }
  NoticeRow row = row_for(situation, command, now);
  AttemptId const id{row.number};
  Attempt const* const attempt = situation.order ? situation.order->find(id) : nullptr;
  if (!attempt) return keep_unmatched(std::move(row), now);

  Answer answer = row.answer;
  if (attempt->provider != row.provider)
    answer.misfit =
        fmt::format("the message comes from {}, the payment was made by {}", row.provider, attempt->provider);
  if (!can_carry(Evidence::notice, answer.outcome))
    answer.misfit = "a notice can't say " + std::string{to_text(answer.outcome)};

  Draft draft{*situation.order, now};
  Fit const fit = work_in_either(draft, *attempt, row, answer, terms);
  row.disposition = fit == Fit::fits ? NoticeDisposition::applied : NoticeDisposition::misfit;
  row.due_at.reset();
  draft.keep(std::move(row));
  return draft.finish(ReplyKind::recorded, &id);
}

}  // namespace payonce
