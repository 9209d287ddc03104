// Recovery's next step for a due attempt or refund. Whoever commits the step first has it: the due time moves, and
// everyone who saw the old one finds nothing to do.
#include <fmt/format.h>

#include "payment/rules.h"

namespace payonce {

namespace {

// When its provider is not configured any more nobody can be asked; look again now and then, and say so.
constexpr Millis without_provider{60'000};

void alarm_if_old(Draft& draft, AttemptId const& id, ProviderTerms const& provider) {
  Attempt const& attempt = *draft.order().find(id);
  bool const is_held = attempt.state == AttemptState::authorized;
  bool const is_in_time =
      (attempt.state == AttemptState::requires_action || is_held) && draft.now() < attempt.expires_at;
  Time const since = is_held ? attempt.expires_at : attempt.created_at;
  if (is_in_time || draft.now() - since < provider.unknown_alarm_after || !attempt.review.empty()) return;
  draft.raise_alarm(id, fmt::format("unresolved since {}; the provider is still being asked", to_rfc3339(since)));
}

// Whether to repeat the create instead of asking. Every second time only: a first answer that told nothing is given
// again and again, and then another way of asking is needed.
bool asks_by_repeating(Attempt const& attempt, ProviderTerms const& provider, Time now) {
  bool const can_be_found = provider.finds_by_number || !attempt.provider_ref.empty();
  return !can_be_found && attempt.tries % 2 == 1 && key_is_remembered(attempt, provider, now);
}

}  // namespace

Decision nothing_to_do(Order const* order) {
  Decision decision;
  decision.reply = Reply{ReplyKind::nothing, order ? std::optional{order->head} : std::nullopt, std::nullopt};
  return decision;
}

Decision take_up_attempt(Order const* order, TakeUpAttempt const& command, Terms const& terms, Time now) {
  Attempt const* const found = order ? order->find(command.attempt) : nullptr;
  if (!found || !is_watched(found->state) || found->due_at != command.due_at) return nothing_to_do(order);

  Draft draft{*order, now};
  Attempt& attempt = draft.change(command.attempt);
  ProviderTerms const* const provider = terms.provider(attempt.provider);
  ++attempt.tries;
  if (!provider) {
    attempt.due_at = now + without_provider;
    draft.raise_alarm(attempt.id, fmt::format("provider {} is not configured any more", attempt.provider));
    return draft.finish(ReplyKind::recorded, &command.attempt);
  }
  attempt.due_at = lease_end(draft, *provider);
  alarm_if_old(draft, attempt.id, *provider);

  // A hold is let go by the provider; when, only the provider knows.
  bool const is_over = now >= attempt.expires_at && attempt.state != AttemptState::authorized;
  bool const must_end = attempt.cancel_requested || is_over;
  if (!attempt.exposed && must_end) {
    end_unsent(draft, attempt.id, {});
  } else if (!attempt.exposed) {
    attempt.exposed = true;
    attempt.first_sent_at = now;
    draft.call(CallKind::create, attempt.id, true);
  } else if (must_end && provider->close_is_proof) {
    attempt.cancel_requested = true;
    draft.call(CallKind::close, attempt.id);
  } else {
    bool const repeats = !must_end && asks_by_repeating(attempt, *provider, now);
    draft.call(repeats ? CallKind::create : CallKind::query, attempt.id);
  }
  return draft.finish(ReplyKind::recorded, &command.attempt);
}

Decision take_up_capture(Order const* order, TakeUpCapture const& command, Terms const& terms, Time now) {
  Capture const* const found = order ? order->find(command.capture) : nullptr;
  if (!found || !is_watched(found->state) || found->due_at != command.due_at) return nothing_to_do(order);

  Draft draft{*order, now};
  Capture& capture = draft.change(command.capture);
  Attempt const& attempt = *draft.order().find(capture.attempt);
  ProviderTerms const* const provider = terms.provider(attempt.provider);
  ++capture.tries;
  if (!provider) {
    capture.due_at = now + without_provider;
    draft.raise_alarm(attempt.id, fmt::format("provider {} is not configured any more", attempt.provider));
    return draft.finish(ReplyKind::recorded, capture.id);
  }
  capture.due_at = lease_end(draft, *provider);
  if (attempt.review.empty() && now - capture.created_at >= provider->unknown_alarm_after)
    draft.raise_alarm(attempt.id, fmt::format("capture {} is unresolved since {}; the provider is still being asked",
                                              capture.id.value, to_rfc3339(capture.created_at)));
  draft.call(CallKind::query_capture, capture.id);
  return draft.finish(ReplyKind::recorded, capture.id);
}

Decision take_up_refund(Order const* order, TakeUpRefund const& command, Terms const& terms, Time now) {
  Refund const* const found = order ? order->find(command.refund) : nullptr;
  if (!found || !is_watched(found->state) || found->due_at != command.due_at) return nothing_to_do(order);

  Draft draft{*order, now};
  Refund& refund = draft.change(command.refund);
  Attempt const& attempt = *draft.order().find(refund.attempt);
  ProviderTerms const* const provider = terms.provider(attempt.provider);
  ++refund.tries;
  if (!provider) {
    refund.due_at = now + without_provider;
    draft.raise_alarm(refund.id, fmt::format("provider {} is not configured any more", attempt.provider));
    return draft.finish(ReplyKind::recorded, &refund.attempt);
  }
  refund.due_at = lease_end(draft, *provider);
  bool const is_overdue = refund.state == RefundState::unknown && refund.review.empty() &&
                          now - refund.created_at >= provider->unknown_alarm_after;
  if (is_overdue)
    draft.raise_alarm(refund.id, fmt::format("unresolved since {}; the provider is still being asked",
                                             to_rfc3339(refund.created_at)));
  if (refund.request.empty()) refund.request = provider->write_refund(refund, attempt);
  draft.call(CallKind::query_refund, refund.id);
  return draft.finish(ReplyKind::recorded, &attempt.id);
}

}  // namespace payonce
