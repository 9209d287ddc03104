// What an answer about a refund does. A refund keeps its one number for ever: in doubt means ask, then send the same
// again.
#include <fmt/format.h>

#include "base/id.h"
#include "base/limits.h"
#include "payment/backoff.h"
#include "payment/rules.h"
#include "payment/transition.h"

namespace payonce {

std::string_view event_type(RefundState to) {
  switch (to) {
    case RefundState::processing: return "refund.processing";
    case RefundState::unknown: return "refund.unknown";
    case RefundState::succeeded: return "refund.succeeded";
    case RefundState::failed: return "refund.failed";
    case RefundState::returned: return "refund.returned";
  }
  return "";
}

namespace {

// Why the money that this answer speaks of is not the money of this refund; empty if it is.
std::string misfit_of(Refund const& refund, Answer const& answer) {
  if (!answer.misfit.empty()) return answer.misfit;
  if (answer.outcome != Outcome::succeeded || !answer.amount || *answer.amount == refund.amount) return {};
  return fmt::format("the provider speaks of {}, the refund is {}", to_text(*answer.amount), to_text(refund.amount));
}

// Why a person has to look at an answer that contradicts the refund's end; empty if it does not.
std::string contradiction_of(Order const& order, Refund const& refund, Outcome said, std::string_view code) {
  if (refund.state == RefundState::returned && said == Outcome::succeeded)
    return fmt::format("the provider brought the money back and now says that it gave it to the buyer ({})", code);
  if (refund.state != RefundState::failed || said != Outcome::succeeded) return {};
  std::int64_t const captured = came_minor(*order.find(refund.attempt));
  if (order.given_back_minor(refund.attempt) + refund.amount.minor <= captured) return {};
  return "the provider gave the money back after it had refused to, and meanwhile other refunds took its place: more "
         "went back than came";
}

}  // namespace

namespace {

// The provider takes back that it gave the money back. A message may be old or out of order; another refund in this
// one's place would then be one too many. So a message only makes payonce ask.
bool must_ask_first(RefundState from, Outcome said, Evidence evidence) {
  return from == RefundState::succeeded && said == Outcome::declined &&
         (evidence == Evidence::notice || evidence == Evidence::response);
}

}  // namespace

Fit work_in_refund(Draft& draft, RefundId const& id, Evidence evidence, Answer const& answer, Terms const& terms) {
  Refund const& before = *draft.order().find(id);
  Attempt const& attempt = *draft.order().find(before.attempt);
  if (std::string const misfit = misfit_of(before, answer); !misfit.empty()) {
    draft.raise_alarm(id, "does not fit: " + misfit);
    return Fit::misfit;
  }
  RefundState const from = before.state;
  Outcome const said = proven_by(answer);
  if (std::string const why = contradiction_of(draft.order(), before, said, answer.code); !why.empty()) {
    draft.raise_alarm(id, why);
    return Fit::misfit;
  }
  if (must_ask_first(from, said, evidence)) {
    draft.raise_alarm(id, fmt::format("the provider first gave the money back and now says that it did not ({}); it is "
                                      "asked",
                                      answer.code));
    draft.call(CallKind::query_refund, id);
    return Fit::fits;
  }
  RefundState const to = next_state(from, said);
  if (to == from && !is_watched(from)) return Fit::fits;

  Refund& refund = draft.change(id);
  refund.state = to;
  if (to != from || answer.code != refund.answer_code) {
    refund.evidence = evidence;
    refund.answer_code = answer.code;
    refund.answer = answer.text.substr(0, limits::provider_answer_bytes);
    if (!answer.provider_ref.empty()) refund.provider_ref = answer.provider_ref;
    auto& event = draft.note(refund, event_type(to),
                             fmt::format("The {} says {}{}{}.", to_text(evidence), to_text(answer.outcome),
                                         answer.code.empty() ? "" : ": ", answer.code));
    event.from = to_text(from);
    event.to = to_text(to);
    event.evidence = evidence;
    event.code = answer.code;
  }
  ProviderTerms const* const provider = terms.provider(attempt.provider);
  if (is_watched(to)) {
    if (!provider) return Fit::fits;
    refund.due_at = draft.now() + backoff(provider->retry_first, provider->retry_longest, refund.tries, id.value);
    if (evidence == Evidence::query && answer.outcome == Outcome::not_found) {
      refund.due_at = lease_end(draft, *provider);
      draft.call(CallKind::refund, id);
    }
    return Fit::fits;
  }
  refund.due_at.reset();
  if (to == RefundState::succeeded) refund.review.clear();
  if (to == RefundState::failed) draft.raise_alarm(id, "the provider refuses to give the money back; do it by hand");
  if (to == RefundState::returned)
    draft.raise_alarm(id, "the money did not reach the buyer and is the shop's again; give it back another way");
  // It ends here: whoever ended before and stays as it is has left above.
  add_effects(draft, to == RefundState::succeeded ? Trigger::refund_succeeded : Trigger::refund_failed, attempt.id, id,
              terms);
  return Fit::fits;
}

namespace {

// One of ours that the provider names by its own number.
Refund const* named_by_provider(Order const& order, AttemptId const& attempt, std::string_view number) {
  for (Refund const& it : order.refunds)
    if (it.attempt == attempt && it.provider_ref == number) return &it;
  return nullptr;
}

}  // namespace

Refund const* outside_refund(Order const& order, AttemptId const& attempt, std::string_view number) {
  Refund const* const outside = order.find(outside_refund_id(attempt, number));
  return outside ? outside : named_by_provider(order, attempt, number);
}

namespace {

// One of ours whose answer is still out and that is over as much: what the provider speaks of may be this one.
Refund const* same_under_way(Order const& order, AttemptId const& attempt, std::optional<Money> const& amount) {
  for (Refund const& it : order.refunds)
    if (it.attempt == attempt && is_watched(it.state) && it.provider_ref.empty() && (!amount || it.amount == *amount))
      return &it;
  return nullptr;
}

}  // namespace

Fit work_in_outside_refund(Draft& draft, Attempt const& attempt, std::string const& number, Evidence evidence,
                           Answer const& answer, Terms const& terms) {
  if (Refund const* known = outside_refund(draft.order(), attempt.id, number))
    return work_in_refund(draft, known->id, evidence, answer, terms);
  if (answer.outcome != Outcome::succeeded) return Fit::fits;  // nothing moved, and nobody here waits for it
  if (Refund const* maybe_ours = same_under_way(draft.order(), attempt.id, answer.amount)) {
    draft.raise_alarm(attempt.id, fmt::format("the provider speaks of refund {}, which may be {}; it is asked",
                                              number.substr(0, 64), maybe_ours->id.value));
    draft.change(maybe_ours->id).due_at = draft.now();
    return Fit::misfit;
  }
  std::int64_t const left =
      has_come(attempt.state) ? came_minor(attempt) - draft.order().given_back_minor(attempt.id) : 0;
  bool const fits = answer.misfit.empty() && answer.amount && answer.amount->currency == attempt.amount.currency &&
                    answer.amount->minor > 0 && answer.amount->minor <= left;
  if (!fits) {
    draft.raise_alarm(
        attempt.id,
        fmt::format("{}the provider speaks of refund {} over {}, which payonce did not make; {} minor units "
                    "could have been given back",
                    has_come(attempt.state) ? "" : taken_back_alarm, number.substr(0, 64),
                    answer.amount ? to_text(*answer.amount) : "an unknown amount", left));
    return Fit::misfit;
  }
  RefundId const id = outside_refund_id(attempt.id, number);
  Refund refund{.id = id, .attempt = attempt.id, .reason = "outside", .amount = *answer.amount};
  refund.origin = RefundOrigin::outside;
  refund.due_at = draft.now();
  Refund const& added = draft.add(std::move(refund));
  draft
      .note(added, "refund.created",
            fmt::format("Refund of {} was made at the provider without payonce, as {}.", to_text(added.amount),
                        number.substr(0, 64)))
      .to = to_text(added.state);
  return work_in_refund(draft, id, evidence, answer, terms);
}

Decision record_refund_outcome(Order const* order, RecordRefundOutcome const& command, Terms const& terms, Time now) {
  Refund const* const refund = order ? order->find(command.refund) : nullptr;
  if (!refund) return refuse(ErrorCode::not_found, "There is no such refund");
  if (!can_carry(command.evidence, command.answer.outcome))
    return refuse(ErrorCode::evidence_refused,
                  fmt::format("A {} can't say {}", to_text(command.evidence), to_text(command.answer.outcome)),
                  "outcome");
  Draft draft{*order, now};
  work_in_refund(draft, command.refund, command.evidence, command.answer, terms);
  return draft.finish(ReplyKind::recorded, command.refund);
}

}  // namespace payonce
