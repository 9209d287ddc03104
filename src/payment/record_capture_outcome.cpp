// What an answer about a capture does to it, to its payment and to the order. A capture keeps its one number for ever:
// in doubt means ask, then send the same again.
#include <fmt/format.h>

#include <algorithm>

#include "base/id.h"
#include "base/limits.h"
#include "payment/backoff.h"
#include "payment/rules.h"
#include "payment/transition.h"

namespace payonce {

std::string_view event_type(CaptureState to) {
  switch (to) {
    case CaptureState::processing: return "capture.processing";
    case CaptureState::unknown: return "capture.unknown";
    case CaptureState::succeeded: return "capture.succeeded";
    case CaptureState::failed: return "capture.failed";
  }
  return "";
}

namespace {

// Why the money that this answer speaks of is not the money of this capture; empty if it is.
std::string misfit_of(Attempt const& attempt, Capture const& capture, Answer const& answer) {
  if (!answer.misfit.empty()) return answer.misfit;
  if (answer.outcome != Outcome::succeeded || capture.state == CaptureState::succeeded) return {};
  if (answer.amount && *answer.amount != capture.amount)
    return fmt::format("the provider speaks of {}, the capture is {}", to_text(*answer.amount),
                       to_text(capture.amount));
  if (came_minor(attempt) + capture.amount.minor <= attempt.amount.minor) return {};
  return "it took money after it had been refused, and meanwhile other captures took all that was held";
}

void keep_answer(Draft& draft, Capture& capture, Evidence evidence, Answer const& answer) {
  capture.evidence = evidence;
  capture.answer_code = answer.code;
  capture.answer = answer.text.substr(0, limits::provider_answer_bytes);
  if (!answer.provider_ref.empty()) capture.provider_ref = answer.provider_ref;
  auto& event =
      draft.note(*draft.order().find(capture.attempt), event_type(capture.state),
                 fmt::format("Capture {} of {}: the {} says {}{}{}.", capture.id.value, to_text(capture.amount),
                             to_text(evidence), to_text(answer.outcome), answer.code.empty() ? "" : ": ", answer.code));
  event.evidence = evidence;
  event.code = answer.code;
}

void set_came(Attempt& attempt, std::int64_t minor) {
  attempt.captured_minor = minor == attempt.amount.minor ? 0 : minor;
}

// The money of a capture has come. With its last one the payment is complete; so it is when it was not held any more as
// far as the books knew, since money that came is believed whatever was known before.
void book_capture(Draft& draft, Capture const& capture, Evidence evidence, Answer answer, Terms const& terms) {
  Attempt& attempt = draft.change(capture.attempt);
  AttemptState const from = attempt.state;
  std::int64_t const came = came_minor(attempt) + capture.amount.minor;
  set_came(attempt, came);
  if (has_come(from)) {
    draft.raise_alarm(attempt.id, fmt::format("capture {} took {} after the payment was complete", capture.id.value,
                                              to_text(capture.amount)));
    return;
  }
  bool const is_complete = capture.is_final || came == attempt.amount.minor || from != AttemptState::authorized;
  if (!is_complete) return;
  answer.provider_ref.clear();  // the capture's
  attempt.state = next_state(from, Event::succeeded);
  News const news{evidence, answer, {}, std::nullopt};
  keep_answer(attempt, news);
  tell(draft, attempt, from, news);
  settle(draft, attempt.id, from, news, terms);
}

}  // namespace

Fit work_in_capture(Draft& draft, CaptureId const& id, Evidence evidence, Answer const& answer, Terms const& terms) {
  Capture const& before = *draft.order().find(id);
  Attempt const& attempt = *draft.order().find(before.attempt);
  if (std::string const misfit = misfit_of(attempt, before, answer); !misfit.empty()) {
    draft.raise_alarm(attempt.id, fmt::format("does not fit: capture {}: {}", id.value, misfit));
    return Fit::misfit;
  }
  CaptureState const from = before.state;
  CaptureState const to = next_state(from, proven_by(answer));
  if (to == from && !is_watched(from)) return Fit::fits;

  Capture& capture = draft.change(id);
  capture.state = to;
  if (to != from || answer.code != capture.answer_code) keep_answer(draft, capture, evidence, answer);
  if (is_watched(to)) {
    ProviderTerms const* const provider = terms.provider(attempt.provider);
    if (!provider) return Fit::fits;
    capture.due_at = draft.now() + backoff(provider->retry_first, provider->retry_longest, capture.tries, id.value);
    if (evidence == Evidence::query && answer.outcome == Outcome::not_found) {
      capture.due_at = lease_end(draft, *provider);
      draft.call(CallKind::capture, id);
    }
    return Fit::fits;
  }
  capture.due_at.reset();
  if (to == CaptureState::succeeded) {
    book_capture(draft, capture, evidence, answer, terms);
    return Fit::fits;
  }
  draft.raise_alarm(attempt.id,
                    fmt::format("capture {} of {} was refused: {}", id.value, to_text(capture.amount), answer.code));
  // The reason may be that the hold is gone: ask.
  if (attempt.state == AttemptState::authorized) draft.change(attempt.id).due_at = draft.now();
  return Fit::fits;
}

std::optional<Fit> work_in_total(Draft& draft, AttemptId const& id, News const& news, Terms const& terms) {
  Attempt const& attempt = *draft.order().find(id);
  Capture const* const under_way = draft.order().capturing(id);
  std::int64_t const came = came_minor(attempt);
  std::int64_t const expected = under_way ? came + under_way->amount.minor : came > 0 ? came : attempt.amount.minor;
  std::int64_t const total = news.answer.amount ? news.answer.amount->minor : expected;
  if (total < came || (total == came && under_way)) return Fit::fits;  // from before the last capture
  if (total == came) return std::nullopt;
  if (under_way && total == expected) {
    Answer answer = news.answer;
    answer.amount = under_way->amount;
    Fit const fit = work_in_capture(draft, under_way->id, news.evidence, answer, terms);
    return attempt.state == AttemptState::authorized ? std::nullopt : std::optional{fit};
  }
  Money const said{total, attempt.amount.currency};
  if (under_way || has_come(attempt.state)) {
    draft.raise_alarm(id, fmt::format("the provider says that {} of the hold was captured, which are {} minor units "
                                      "more than here",
                                      to_text(said), total - came));
    if (under_way) draft.change(under_way->id).due_at = draft.now();
    return Fit::misfit;
  }
  if (came == 0 && total == attempt.amount.minor) return std::nullopt;  // all at once, as without a hold
  Capture capture{.id = outside_capture_id(id, total),
                  .attempt = id,
                  .amount = {total - came, said.currency},
                  .state = CaptureState::succeeded};
  Answer answer = news.answer;
  answer.provider_ref.clear();  // the payment's
  keep_answer(draft, draft.add(std::move(capture)), news.evidence, answer);
  set_came(draft.change(id), total);
  return std::nullopt;
}

Decision record_capture_outcome(Order const* order, RecordCaptureOutcome const& command, Terms const& terms, Time now) {
  if (!order || !order->find(command.capture)) return refuse(ErrorCode::not_found, "There is no such capture");
  if (!can_carry(command.evidence, command.answer.outcome))
    return refuse(ErrorCode::evidence_refused,
                  fmt::format("A {} can't say {}", to_text(command.evidence), to_text(command.answer.outcome)),
                  "outcome");
  Draft draft{*order, now};
  work_in_capture(draft, command.capture, command.evidence, command.answer, terms);
  return draft.finish(ReplyKind::recorded, command.capture);
}

}  // namespace payonce
