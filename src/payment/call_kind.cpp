#include "payment/call_kind.h"

namespace payonce {

Command outcome_of(ProviderCall const& call, Answer answer) {
  Evidence const evidence = is_query(call.kind) ? Evidence::query : Evidence::response;
  if (is_about_refund(call.kind)) return RecordRefundOutcome{call.key, call.refund->id, evidence, std::move(answer)};
  RecordOutcome outcome{call.key, call.attempt.id, evidence, std::move(answer), {}, std::nullopt};
  if (call.first_create) outcome.first_create_at_try = call.attempt.tries;
  return outcome;
}

}  // namespace payonce
