// Money that came and is taken back: disputes, and captures that fail afterwards. A success is left only this way, and
// the order is not charged again by itself: whoever wants the money again makes a new order.
#include <fmt/format.h>

#include "payment/rules.h"
#include "payment/transition.h"

namespace payonce {

namespace {

std::string in_words(Outcome outcome) {
  switch (outcome) {
    case Outcome::dispute_opened: return "The payer's bank has taken the money into dispute.";
    case Outcome::dispute_won: return "The dispute is won: the money is the shop's again.";
    case Outcome::dispute_lost: return "The dispute is lost: the money is gone.";
    default: return "The provider has taken the money back: the capture failed afterwards.";
  }
}

Trigger trigger_of(AttemptState to) {
  if (to == AttemptState::disputed) return Trigger::payment_disputed;
  return to == AttemptState::reversed ? Trigger::payment_reversed : Trigger::dispute_won;
}

}  // namespace

Fit take_back(Draft& draft, AttemptId const& id, News const& news, Terms const& terms) {
  Attempt const& before = *draft.order().find(id);
  AttemptState const from = before.state;
  if (!has_come(from)) {
    draft.raise_alarm(id,
                      fmt::format("{}the provider speaks of {} although no money is known to have come; it is asked",
                                  taken_back_alarm, to_text(news.answer.outcome)));
    if (is_watched(from)) draft.change(id).due_at = draft.now();
    return Fit::misfit;
  }
  AttemptState const to = next_state(from, event_of(news.answer.outcome, false));
  bool const is_won = news.answer.outcome == Outcome::dispute_won && from != AttemptState::reversed;
  if (is_won && before.disputes == 0)
    draft.raise_alarm(id, "a dispute is won of which nobody had told; should it be told later, that is old news");
  if (to == from) return Fit::fits;

  Attempt& attempt = draft.change(id);
  attempt.state = to;
  attempt.disputes += to == AttemptState::disputed ? 1 : 0;
  keep_answer(attempt, news);
  TimelineEvent& event = tell(draft, attempt, from, news);
  if (to == AttemptState::succeeded) event.type = "payment.dispute_won";
  event.text = in_words(news.answer.outcome);

  // Each consequence exists once per payment: what a second dispute of the same payment means is for a person.
  if (attempt.disputes <= 1 || to == AttemptState::reversed)
    add_effects(draft, trigger_of(to), id, {}, terms);
  else
    draft.raise_alarm(id, fmt::format("dispute number {} of this payment", attempt.disputes));
  if (to != AttemptState::succeeded && draft.order().given_back_minor(id) > 0)
    draft.raise_alarm(id, "the money was taken back although it was given back already, or is just being");
  return Fit::fits;
}

}  // namespace payonce
