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
  row.billed = command.billed;
  return row;
}

Decision keep_unmatched(NoticeRow row, MerchantId const& shown_to, Time now) {
  bool const has_our_shape = is_attempt_id(row.number);
  row.disposition = has_our_shape ? NoticeDisposition::unmatched : NoticeDisposition::foreign;
  if (has_our_shape) row.due_at = now + backoff(unmatched_first, unmatched_longest, row.tries++, row.number);
  Decision decision;
  bool const is_first_time = row.tries <= 1;
  if (has_our_shape && row.billed && is_first_time)
    decision.changes.discrepancy =
        discrepancy_of(row, DiscrepancyKind::unknown, shown_to, "the books have no payment of this number", now);
  decision.changes.notice = std::move(row);
  decision.reply = Reply{ReplyKind::recorded, std::nullopt, std::nullopt};
  return decision;
}

// The refund that the provider speaks of, as far as the books have it.
Refund const* refund_in(Order const& order, Attempt const& attempt, NoticeRow const& row) {
  Refund const* const ours = order.find(RefundId{row.refund_number});
  return ours ? ours : outside_refund(order, attempt.id, row.refund_number);
}

Fit work_in_either(Draft& draft, Attempt const& attempt, NoticeRow const& row, Answer const& answer,
                   Terms const& terms) {
  Evidence const evidence = row.evidence();
  if (row.refund_number.empty()) return work_in(draft, attempt.id, {evidence, answer, {}, std::nullopt}, terms);
  RefundId const id{row.refund_number};
  Refund const* const refund = draft.order().find(id);
  if (refund && refund->attempt == attempt.id) return work_in_refund(draft, id, evidence, answer, terms);
  if (refund) {
    draft.raise_alarm(attempt.id, fmt::format("the provider speaks of refund {}, which is one of payment {}", id.value,
                                              refund->attempt.value));
    return Fit::misfit;
  }
  // A refund that is listed and does not fit is told, though nothing of it may have moved yet.
  if (row.billed && !answer.misfit.empty()) {
    draft.raise_alarm(attempt.id, answer.misfit);
    return Fit::misfit;
  }
  return work_in_outside_refund(draft, attempt, row.refund_number, evidence, answer, terms);
}

// A bill in other units than the rest of the provider's interface is a likely mistake in reading it.
std::string hint_for(Money ours, Money theirs) {
  bool const is_hundredfold = ours.minor == theirs.minor * 100 || theirs.minor == ours.minor * 100;
  return is_hundredfold ? "; the amounts differ by a factor of 100, as if one were in other units" : "";
}

// What a line of a statement does beyond what a notice does: the provider's fee is booked, once with its row, and what
// does not fit is listed for a person.
void book_line(Draft& draft, AttemptId const& id, NoticeRow const& row, Fit fit) {
  Order const& order = draft.order();
  Attempt const& attempt = *order.find(id);
  Refund const* const refund = row.refund_number.empty() ? nullptr : refund_in(order, attempt, row);
  if (row.billed->fee && attempt.provider == row.provider)
    if (auto fee =
            posting_of_fee(order.head.key, attempt, refund ? refund->id : RefundId{}, *row.billed->fee, draft.now()))
      draft.post(std::move(*fee));
  if (fit == Fit::fits) return;
  std::string const& why = refund && !refund->review.empty() ? refund->review : attempt.review;
  std::string const hint = hint_for(refund ? refund->amount : attempt.amount, *row.answer.amount);
  draft.keep(discrepancy_of(row, DiscrepancyKind::differs, order.head.key.merchant, why + hint, draft.now()));
}

// Another notice under a known id is a repetition. A line of a bill may have been corrected since.
Decision repeated(NoticeRow const& known, ApplyNotice const& command, Order const* order, Time now) {
  Decision decision;
  decision.reply = Reply{ReplyKind::duplicate, std::nullopt, std::nullopt};
  if (!known.billed || !command.billed || known.disposition == NoticeDisposition::foreign) return decision;
  if (known.answer.amount == command.answer.amount && known.billed->fee == command.billed->fee) return decision;
  NoticeRow listed = known;
  listed.answer.amount = command.answer.amount;
  listed.billed = command.billed;
  auto const words = [](std::optional<Money> const& money) { return money ? to_text(*money) : std::string{"none"}; };
  decision.changes.discrepancy =
      discrepancy_of(listed, DiscrepancyKind::changed, order ? order->head.key.merchant : command.shown_to,
                     fmt::format("the statement of {} said {}, fee {}; this one says {}, fee {}", known.billed->day,
                                 words(known.answer.amount), words(known.billed->fee), words(command.answer.amount),
                                 words(command.billed->fee)),
                     now);
  return decision;
}

}  // namespace

Decision apply_notice(Situation const& situation, ApplyNotice const& command, Terms const& terms, Time now) {
  bool const is_duplicate =
      situation.known_notice && situation.known_notice->disposition != NoticeDisposition::unmatched;
  if (is_duplicate) return repeated(*situation.known_notice, command, situation.order, now);
  NoticeRow row = row_for(situation, command, now);
  AttemptId const id{row.number};
  Attempt const* const attempt = situation.order ? situation.order->find(id) : nullptr;
  if (!attempt) return keep_unmatched(std::move(row), command.shown_to, now);

  Answer answer = row.answer;
  if (attempt->provider != row.provider)
    answer.misfit =
        fmt::format("the message comes from {}, the payment was made by {}", row.provider, attempt->provider);
  if (!can_carry(row.evidence(), answer.outcome))
    answer.misfit = fmt::format("a {} can't say {}", to_text(row.evidence()), to_text(answer.outcome));
  if (row.billed) read_as_line(*situation.order, *attempt, row.refund_number, answer);

  Draft draft{*situation.order, now};
  Fit const fit = work_in_either(draft, *attempt, row, answer, terms);
  row.disposition = fit == Fit::fits ? NoticeDisposition::applied : NoticeDisposition::misfit;
  row.answer.outcome = answer.outcome;
  row.due_at.reset();
  if (row.billed) book_line(draft, id, row, fit);
  std::string const actor = row.billed ? fmt::format("reconciliation:{} {}", row.provider, row.billed->day) : "";
  draft.keep(std::move(row));
  Decision decision = draft.finish(ReplyKind::recorded, &id);
  for (TimelineEvent& event : decision.changes.events) event.actor = actor;
  return decision;
}

}  // namespace payonce
