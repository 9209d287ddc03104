// The birth of a capture. Here stand the rules "no more is captured than is held" and "one capture after the other";
// the database repeats them as the trigger capture_within_held and the index one_capture_under_way.
#include <fmt/format.h>

#include <algorithm>

#include "payment/fingerprint.h"
#include "payment/rules.h"

namespace payonce {

namespace {

// The request's key is taken: the same request gets its capture as it now stands, another one is refused.
Decision replay(Situation const& situation, BeginCapture const& command, Time now) {
  Capture const& capture = *situation.key_capture;
  if (auto const field = first_difference(capture, command); !field.empty())
    return refuse_reused_key("capture " + capture.id.value, field);

  Draft draft{*situation.key_order, now};
  if (capture.id != command.capture) return draft.finish(ReplyKind::confirmed, capture.id);
  // Our own commit, whose answer was lost. The provider call is still ours to make unless recovery took the capture up.
  bool const untouched = capture.state == CaptureState::processing && capture.tries == 0 && !capture.evidence;
  if (untouched) draft.call(CallKind::capture, capture.id);
  return draft.finish(ReplyKind::created, command.capture);
}

// Why nothing of this payment can be captured; empty if something can.
std::string not_capturable(Attempt const& attempt, ProviderTerms const* provider) {
  if (attempt.state != AttemptState::authorized)
    return fmt::format("The payment is {}; only one that is AUTHORIZED can be captured", to_text(attempt.state));
  if (attempt.cancel_requested) return "The payment is being given up: its hold is being closed at the provider";
  if (!provider || !provider->write_capture)
    return fmt::format("Provider {} of this payment is not configured here", attempt.provider);
  return {};
}

// How many captures of this payment its provider knows or may get to know.
int captures_of(Order const& order, AttemptId const& attempt) {
  return static_cast<int>(std::ranges::count_if(
      order.captures, [&](Capture const& it) { return it.attempt == attempt && it.state != CaptureState::failed; }));
}

std::optional<Decision> amount_refused(Order const& order, Attempt const& attempt, BeginCapture const& command,
                                       ProviderTerms const& provider) {
  auto const currency = attempt.amount.currency.code();
  std::int64_t const left = attempt.amount.minor - came_minor(attempt);
  if (command.currency && *command.currency != currency)
    return refuse(ErrorCode::amount_mismatch,
                  fmt::format("The payment is in {}, not {}", currency, command.currency->substr(0, 16)), "currency");
  if (command.amount_minor < 1)
    return refuse(ErrorCode::invalid_request, "A capture is over at least one minor unit", "amount");
  if (command.amount_minor > left)
    return refuse(
        ErrorCode::capture_exceeds_held,
        fmt::format("{} minor units of {} are held by this payment, not {}", left, currency, command.amount_minor),
        "amount");
  bool const leaves_some = !command.is_final && command.amount_minor < left;
  if (leaves_some && captures_of(order, attempt.id) + 1 >= provider.captures_max)
    return refuse(ErrorCode::invalid_request,
                  fmt::format("Provider {} takes at most {} captures of one payment, so that this one must be final",
                              provider.name, provider.captures_max),
                  "final");
  if (auto const why = refusal_of(provider, {command.amount_minor, attempt.amount.currency}); !why.empty())
    return refuse(ErrorCode::invalid_request, why, "amount");
  return std::nullopt;
}

}  // namespace

Decision refuse_capture_under_way(Order const& order, Attempt const& attempt, Capture const& under_way) {
  return refuse(ErrorCode::capture_in_progress,
                fmt::format("Capture {} of this payment is {}; wait until it has ended, or repeat its key to follow it",
                            under_way.id.value, to_text(under_way.state)),
                {}, &order, &attempt);
}

Decision begin_capture(Situation const& situation, BeginCapture const& command, Terms const& terms, Time now) {
  // The key comes before everything, as for payments.
  if (situation.key_capture) return replay(situation, command, now);
  if (auto refusal = held_key_refused(situation)) return std::move(*refusal);

  Order const* const order = situation.order;
  Attempt const* const attempt = order ? order->find(command.attempt) : nullptr;
  if (!attempt) return refuse(ErrorCode::not_found, "There is no such payment of this merchant");
  ProviderTerms const* const provider = terms.provider(attempt->provider);
  if (auto const why = not_capturable(*attempt, provider); !why.empty())
    return refuse(ErrorCode::payment_not_capturable, why, {}, order, attempt);
  if (Capture const* under_way = order->capturing(attempt->id))
    return refuse_capture_under_way(*order, *attempt, *under_way);
  if (auto refusal = amount_refused(*order, *attempt, command, *provider)) return std::move(*refusal);

  // From here on it must succeed.
  Draft draft{*order, now};
  Capture capture{.id = command.capture,
                  .attempt = command.attempt,
                  .key = command.idempotency_key,
                  .amount = {command.amount_minor, attempt->amount.currency},
                  .is_final = command.is_final};
  capture.request = provider->write_capture(capture, *attempt);
  capture.due_at = lease_end(draft, *provider);
  Capture const& added = draft.add(std::move(capture));
  draft
      .note(*attempt, "capture.created",
            fmt::format("Capture {} of {}{} begun under key \"{}\".", added.id.value, to_text(added.amount),
                        added.is_final ? ", the last one," : "", added.key))
      .actor = command.actor;
  draft.call(CallKind::capture, command.capture);
  return draft.finish(ReplyKind::created, command.capture);
}

}  // namespace payonce
