// The birth of a refund. Here stands the rule "no more goes back than came"; the database repeats it as the trigger
// refund_within_captured.
#include <fmt/format.h>

#include <algorithm>

#include "base/id.h"
#include "payment/fingerprint.h"
#include "payment/rules.h"

namespace payonce {

namespace {

// The request's key is taken: the same request gets its refund as it now stands, another one is refused.
Decision replay(Situation const& situation, BeginRefund const& command, Time now) {
  Refund const& refund = *situation.key_refund;
  if (auto const field = first_difference(refund, command); !field.empty())
    return refuse_reused_key("refund " + refund.id.value, field);

  Draft draft{*situation.key_order, now};
  if (refund.id != command.refund) return draft.finish(ReplyKind::confirmed, refund.id);
  // Our own commit, whose answer was lost. The provider call is still ours to make unless recovery took the refund up.
  bool const untouched = refund.state == RefundState::processing && refund.tries == 0 && !refund.evidence;
  if (untouched) draft.call(CallKind::refund, refund.id);
  return draft.finish(ReplyKind::created, command.refund);
}

// Why nothing of this payment can be given back on request; empty if it can.
std::string not_refundable(Order const& order, Attempt const& attempt, ProviderTerms const* provider) {
  if (attempt.state != AttemptState::succeeded)
    return fmt::format("The payment is {}; only one that is SUCCEEDED can be given back", to_text(attempt.state));
  if (attempt.surplus && order.find(surplus_refund_id(attempt.id)))
    return "The payment is surplus and goes back by itself, as a whole";
  if (attempt.provider == "offline")
    return "The payment was received outside payonce, which can't give it back; do it by hand";
  if (!provider || !provider->write_refund)
    return fmt::format("Provider {} of this payment is not configured here; configure it, or do it by hand",
                       attempt.provider);
  return {};
}

// Another click on the same button, under a key of its own, while it is open what the first one did.
Refund const* same_under_way(Order const& order, BeginRefund const& command) {
  auto const at = std::ranges::find_if(order.refunds, [&](Refund const& it) {
    return is_watched(it.state) && it.attempt == command.attempt && it.amount.minor == command.amount_minor &&
           it.reason == command.reason;
  });
  return at == order.refunds.end() ? nullptr : &*at;
}

int refunds_of(Order const& order, AttemptId const& attempt) {
  return static_cast<int>(std::ranges::count(order.refunds, attempt, &Refund::attempt));
}

// The first moment at which the provider takes another refund of this payment.
Time next_refund_at(Order const& order, AttemptId const& attempt, ProviderTerms const& provider, Time now) {
  Time earliest = now;
  for (Refund const& before : order.refunds)
    if (before.attempt == attempt) earliest = std::max(earliest, before.created_at + provider.refund_spacing);
  return earliest;
}

std::optional<Decision> amount_refused(Order const& order, Attempt const& attempt, BeginRefund const& command,
                                       ProviderTerms const& provider) {
  auto const currency = attempt.amount.currency.code();
  if (command.currency && *command.currency != currency)
    return refuse(ErrorCode::amount_mismatch,
                  fmt::format("The payment is in {}, not {}", currency, command.currency->substr(0, 16)), "currency");
  if (command.amount_minor < 1)
    return refuse(ErrorCode::invalid_request, "A refund is over at least one minor unit", "amount");
  if (Refund const* same = same_under_way(order, command))
    return refuse(ErrorCode::refund_in_progress,
                  fmt::format("Refund {} of the same amount for the same reason is still {}; repeat its key to follow "
                              "it, or name another reason if this is another refund",
                              same->id.value, to_text(same->state)),
                  "reason");
  if (provider.refunds_max > 0 && refunds_of(order, attempt.id) >= provider.refunds_max)
    return refuse(ErrorCode::payment_not_refundable, fmt::format("Provider {} takes at most {} refunds of one payment",
                                                                 provider.name, provider.refunds_max));
  if (auto const why = refusal_of(provider, {command.amount_minor, attempt.amount.currency}); !why.empty())
    return refuse(ErrorCode::invalid_request, why, "amount");
  std::int64_t const left = came_minor(attempt) - order.given_back_minor(attempt.id);
  if (command.amount_minor <= left) return std::nullopt;
  return refuse(
      ErrorCode::refund_exceeds_captured,
      fmt::format("{} minor units of {} are left of this payment, not {}", left, currency, command.amount_minor),
      "amount");
}

}  // namespace

Decision begin_refund(Situation const& situation, BeginRefund const& command, Terms const& terms, Time now) {
  // The key comes before everything, as for payments.
  if (situation.key_refund) return replay(situation, command, now);
  if (auto refusal = held_key_refused(situation)) return std::move(*refusal);

  Order const* const order = situation.order;
  Attempt const* const attempt = order ? order->find(command.attempt) : nullptr;
  if (!attempt) return refuse(ErrorCode::not_found, "There is no such payment of this merchant");
  ProviderTerms const* const provider = terms.provider(attempt->provider);
  if (auto const why = not_refundable(*order, *attempt, provider); !why.empty())
    return refuse(ErrorCode::payment_not_refundable, why, {}, order, attempt);
  if (auto refusal = amount_refused(*order, *attempt, command, *provider)) return std::move(*refusal);

  // From here on it must succeed.
  Draft draft{*order, now};
  Refund refund{.id = command.refund,
                .attempt = command.attempt,
                .key = command.idempotency_key,
                .reason = command.reason,
                .amount = {command.amount_minor, attempt->amount.currency}};
  refund.request = provider->write_refund(refund, *attempt);
  // Too soon after another one, the call is left to recovery, which asks first and then sends.
  Time const earliest = next_refund_at(*order, attempt->id, *provider, now);
  bool const is_due = earliest <= now;
  refund.due_at = is_due ? lease_end(draft, *provider) : earliest;
  Refund const& added = draft.add(std::move(refund));
  auto& event = draft.note(
      added, "refund.created",
      fmt::format("Refund of {} begun under key \"{}\": {}", to_text(added.amount), added.key, added.reason));
  event.to = to_text(added.state);
  event.actor = command.actor;
  if (is_due) draft.call(CallKind::refund, command.refund);
  return draft.finish(ReplyKind::created, command.refund);
}

}  // namespace payonce
