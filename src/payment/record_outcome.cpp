// What an answer about an attempt does to it and to its order.
#include <fmt/compile.h>

#include "base/limits.h"
#include "payment/backoff.h"
#include "payment/rules.h"
#include "payment/transition.h"

namespace payonce {

namespace {

// Why the money that this answer speaks of is not the money of this attempt; empty if it is. Of a hold, less may come.
std::string misfit_of(Attempt const& attempt, Answer const& answer, CaptureMode mode) {
  if (!answer.misfit.empty()) return answer.misfit;
  bool const may_be_less = mode == CaptureMode::manual && answer.outcome == Outcome::succeeded;
  if (answer.outcome == Outcome::authorized && mode == CaptureMode::automatic)
    return "the provider holds the money instead of taking it";
  if (answer.outcome != Outcome::succeeded && answer.outcome != Outcome::authorized) return {};
  if (!answer.amount || *answer.amount == attempt.amount) return {};
  if (may_be_less && answer.amount->currency == attempt.amount.currency && answer.amount->minor > 0 &&
      answer.amount->minor < attempt.amount.minor)
    return {};
  return fmt::format("the provider speaks of {}, the payment is {}", to_text(*answer.amount), to_text(attempt.amount));
}

// Whether the answer has something to keep: a repeated one has not, and makes no second line in the timeline.
bool says_something_new(Attempt const& attempt, AttemptState to, Answer const& answer) {
  bool const new_ref = !answer.provider_ref.empty() && answer.provider_ref != attempt.provider_ref;
  bool const new_url =
      to == AttemptState::requires_action && !answer.action_url.empty() && answer.action_url != attempt.action_url;
  return to != attempt.state || !attempt.evidence || answer.code != attempt.answer_code || new_ref || new_url;
}

// Whether the provider may have the number now. Only the word that the first create did not leave us takes that back,
// and not after somebody took the attempt up, nor after the provider spoke of the number by itself.
bool is_exposed(Attempt const& attempt, News const& news) {
  bool const first_create_did_not_leave =
      news.answer.outcome == Outcome::not_sent && news.first_create_at_try == attempt.tries;
  bool const was_spoken_of = attempt.evidence == Evidence::notice || attempt.state == AttemptState::unknown ||
                             attempt.state == AttemptState::requires_action;
  if (first_create_did_not_leave && !was_spoken_of) return false;
  return attempt.exposed || news.answer.outcome != Outcome::not_sent;
}

// The provider does not know the number, when asked or told to close it, and from its expiry on lets nobody pay it: it
// never will. A little later than that, since clocks differ and a payment may be on its way.
bool is_expired_unused(Attempt const& attempt, Answer const& answer, ProviderTerms const* provider, Time now) {
  return provider && provider->expiry_is_proof && attempt.state != AttemptState::authorized &&
         answer.outcome == Outcome::not_found && !answer.code.empty() &&
         now > attempt.expires_at + provider->request_life;
}

// What to do after the provider said that it does not know the number. "Not found" is not "failed".
void after_not_found(Draft& draft, AttemptId const& id, ProviderTerms const& provider) {
  Attempt& attempt = draft.change(id);
  Time const sent_at = attempt.first_sent_at.value_or(attempt.created_at);
  bool const still_wanted = !attempt.cancel_requested && draft.now() < attempt.expires_at;
  if (still_wanted && key_is_remembered(attempt, provider, draft.now())) {
    attempt.due_at = lease_end(draft, provider);
    draft.call(CallKind::create, id);
    return;
  }
  bool const create_has_arrived_or_died = draft.now() - sent_at > provider.request_life;
  if (provider.close_is_proof && create_has_arrived_or_died) {
    attempt.cancel_requested = true;
    attempt.due_at = lease_end(draft, provider);
    draft.call(CallKind::close, id);
  }
}

void schedule(Draft& draft, Attempt& attempt, ProviderTerms const& provider) {
  // Until a hold ends there is nothing to ask.
  if (attempt.state == AttemptState::authorized && !attempt.cancel_requested && attempt.expires_at > draft.now()) {
    attempt.due_at = attempt.expires_at;
    return;
  }
  Time next = draft.now() + backoff(provider.retry_first, provider.retry_longest, attempt.tries, attempt.id.value);
  // At its end the buyer's time is over, whatever the back-off says.
  if (attempt.expires_at > draft.now() && attempt.expires_at < next) next = attempt.expires_at;
  attempt.due_at = next;
}

}  // namespace

bool key_is_remembered(Attempt const& attempt, ProviderTerms const& provider, Time now) {
  Time const sent_at = attempt.first_sent_at.value_or(attempt.created_at);
  return provider.create_is_idempotent && now - sent_at < provider.key_window / 2;
}

std::string_view event_type(AttemptState to) {
  switch (to) {
    case AttemptState::processing: return "payment.processing";
    case AttemptState::requires_action: return "payment.requires_action";
    case AttemptState::unknown: return "payment.unknown";
    case AttemptState::authorized: return "payment.authorized";
    case AttemptState::released: return "payment.released";
    case AttemptState::succeeded: return "payment.succeeded";
    case AttemptState::failed: return "payment.failed";
    case AttemptState::canceled: return "payment.canceled";
    case AttemptState::disputed: return "payment.disputed";
    case AttemptState::reversed: return "payment.reversed";
  }
  return "";
}

void keep_answer(Attempt& attempt, News const& news) {
  Answer const& answer = news.answer;
  attempt.evidence = news.evidence;
  attempt.answer_code = answer.code;
  attempt.answer = answer.text.substr(0, limits::provider_answer_bytes);
  if (!answer.provider_ref.empty()) attempt.provider_ref = answer.provider_ref;
  if (!answer.action_url.empty()) attempt.action_url = answer.action_url;
  if (attempt.state != AttemptState::requires_action) attempt.action_url.clear();
}

TimelineEvent& tell(Draft& draft, Attempt const& attempt, AttemptState from, News const& news) {
  auto& event =
      draft.note(attempt, event_type(attempt.state),
                 fmt::format(FMT_COMPILE("The {} says {}{}{}."), to_text(news.evidence), to_text(news.answer.outcome),
                             news.answer.code.empty() ? "" : ": ", news.answer.code));
  event.from = to_text(from);
  event.to = to_text(attempt.state);
  event.evidence = news.evidence;
  event.actor = news.actor;
  event.code = news.answer.code;
  return event;
}

Outcome proven_by(Answer const& answer) {
  bool const is_bare = answer.code.empty() && answer.text.empty();
  return answer.outcome == Outcome::declined && is_bare ? Outcome::in_doubt : answer.outcome;
}

Time lease_end(Draft const& draft, ProviderTerms const& terms) {
  return draft.now() + terms.call_timeout + lease_margin;
}

void end_unsent(Draft& draft, AttemptId const& id, std::string const& actor) {
  Answer answer;
  answer.outcome = Outcome::declined;
  answer.code = "never_sent";
  answer.text = "no request for this payment ever left payonce";
  Attempt& attempt = draft.change(id);
  AttemptState const from = attempt.state;
  News const news{Evidence::response, answer, actor, std::nullopt};
  attempt.cancel_requested = true;
  attempt.state = next_state(from, Event::closed);
  keep_answer(attempt, news);
  attempt.due_at.reset();
  attempt.settled_at = draft.now();
  attempt.review.clear();
  tell(draft, attempt, from, news);
}

namespace {

// How an alarm about money that does not fit begins.
constexpr std::string_view misfit_alarm = "does not fit: ";

// An end answers the alarm that there was none yet. It does not answer where money went that did not fit: that takes
// the right money, or a person; nor who took it back: that takes a person.
bool settles_alarm(Attempt const& attempt, AttemptState to, News const& news) {
  if (news.evidence == Evidence::operator_) return true;
  if (attempt.review.starts_with(taken_back_alarm)) return false;
  return !attempt.review.starts_with(misfit_alarm) || to == AttemptState::succeeded;
}

// A notice after which the provider is asked: the buyer has done something there, something has been done to a hold, or
// it is said to be over, perhaps by a message from before it (a first card that was refused).
// So is a bill that lists some money of a hold and can't tell how much it is in all.
bool calls_for_question(Attempt const& attempt, News const& news) {
  if (news.evidence == Evidence::statement) return news.answer.outcome == Outcome::pending;
  if (news.evidence != Evidence::notice) return false;
  bool const tells_to_look = news.answer.outcome == Outcome::pending;
  if (attempt.state == AttemptState::requires_action) return tells_to_look;
  return attempt.state == AttemptState::authorized && !attempt.cancel_requested &&
         (tells_to_look || news.answer.outcome == Outcome::declined);
}

// The event that an answer is. A hold of which some was captured ends as paid, not as given up.
Event event_in(Attempt const& attempt, News const& news, ProviderTerms const* provider, Time now) {
  if (calls_for_question(attempt, news)) return Event::pending;
  if (is_expired_unused(attempt, news.answer, provider, now)) return Event::closed;
  Event const event = event_of(proven_by(news.answer), attempt.cancel_requested);
  return proof::proves_no_charge(event) && came_minor(attempt) > 0 ? Event::succeeded : event;
}

// The provider holds the money: the shop may capture it from now on.
void begin_hold(Draft& draft, Attempt& attempt, Answer const& answer, ProviderTerms const* provider,
                Terms const& terms) {
  attempt.expires_at = answer.hold_until.value_or(draft.now() + (provider ? provider->hold_life : Millis{0}));
  if (!attempt.cancel_requested) add_effects(draft, Trigger::payment_authorized, attempt.id, {}, terms);
}

}  // namespace

void settle(Draft& draft, AttemptId const& id, AttemptState from, News const& news, Terms const& terms) {
  Attempt& attempt = draft.change(id);
  attempt.due_at.reset();
  attempt.settled_at = draft.now();
  if (settles_alarm(attempt, attempt.state, news)) attempt.review.clear();
  if (attempt.state == AttemptState::succeeded) book_success(draft, id, terms, from);
}

Fit work_in(Draft& draft, AttemptId const& id, News const& news, Terms const& terms) {
  Attempt const& before = *draft.order().find(id);
  AttemptState const from = before.state;
  Answer const& answer = news.answer;
  ProviderTerms const* const provider = terms.provider(before.provider);

  CaptureMode const mode = draft.order().head.capture;
  if (std::string const misfit = misfit_of(before, answer, mode); !misfit.empty()) {
    draft.raise_alarm(id, std::string{misfit_alarm} + misfit);
    if (!is_watched(from)) return Fit::misfit;
    // Money may have moved, so that what was being processed is in doubt from now on.
    Attempt& attempt = draft.change(id);
    attempt.exposed = true;
    attempt.state = next_state(from, Event::in_doubt);
    if (attempt.state != from) tell(draft, attempt, from, news);
    if (provider) schedule(draft, attempt, *provider);
    return Fit::misfit;
  }

  if (is_take_back(answer.outcome)) return take_back(draft, id, news, terms);
  if (answer.outcome == Outcome::succeeded && mode == CaptureMode::manual)
    if (auto const fit = work_in_total(draft, id, news, terms)) return *fit;
  AttemptState const to = next_state(from, event_in(before, news, provider, draft.now()));
  bool const had_ended = to == from && !is_watched(from);
  // A hold can't charge by itself. An old message or not: the provider is told to let it go.
  if (had_ended && answer.outcome == Outcome::authorized && !has_come(from)) draft.call(CallKind::close, id);
  if (had_ended) return Fit::fits;  // late, repeated or reordered: the end stands

  bool const ask_now = calls_for_question(before, news);
  Attempt& attempt = draft.change(id);
  attempt.exposed = is_exposed(attempt, news);
  bool const is_news = says_something_new(attempt, to, answer);
  attempt.state = to;
  if (is_news) {
    keep_answer(attempt, news);
    tell(draft, attempt, from, news);
  }
  if (to == AttemptState::authorized && from != to) begin_hold(draft, attempt, answer, provider, terms);
  if (is_watched(to)) {
    if (!provider) return Fit::fits;
    schedule(draft, attempt, *provider);
    if (ask_now) attempt.due_at = draft.now();
    // A payment that waits for the buyer may be unknown at the provider until the buyer goes there.
    bool const was_asked_in_vain = news.evidence == Evidence::query && answer.outcome == Outcome::not_found;
    bool const waits_for_others = to == AttemptState::requires_action || to == AttemptState::authorized;
    if (was_asked_in_vain && !waits_for_others) after_not_found(draft, id, *provider);
    return Fit::fits;
  }
  settle(draft, id, from, news, terms);
  return Fit::fits;
}

Decision record_outcome(Order const* order, RecordOutcome const& command, Terms const& terms, Time now) {
  if (!order || !order->find(command.attempt)) return refuse(ErrorCode::not_found, "There is no such payment");
  if (!can_carry(command.evidence, command.answer.outcome))
    return refuse(ErrorCode::evidence_refused,
                  fmt::format("A {} can't say {}", to_text(command.evidence), to_text(command.answer.outcome)),
                  "outcome");
  Draft draft{*order, now};
  work_in(draft, command.attempt, {command.evidence, command.answer, command.actor, command.first_create_at_try},
          terms);
  return draft.finish(ReplyKind::recorded, &command.attempt);
}

}  // namespace payonce
