#include "payment/call_kind.h"

namespace payonce {

Time lease_of(ProviderCall const& call) {
  if (is_about_refund(call.kind)) return call.refund->due_at.value_or(Time::max());
  if (is_about_capture(call.kind)) return call.capture->due_at.value_or(Time::max());
  return call.attempt.due_at.value_or(Time::max());
}

Command outcome_of(ProviderCall const& call, Answer answer) {
  Evidence const evidence = is_query(call.kind) ? Evidence::query : Evidence::response;
  if (is_about_refund(call.kind)) return RecordRefundOutcome{call.key, call.refund->id, evidence, std::move(answer)};
  if (is_about_capture(call.kind)) return RecordCaptureOutcome{call.key, call.capture->id, evidence, std::move(answer)};
  RecordOutcome outcome{call.key, call.attempt.id, evidence, std::move(answer), {}, std::nullopt};
  if (call.first_create) outcome.first_create_at_try = call.attempt.tries;
  return outcome;
}

}  // namespace payonce
