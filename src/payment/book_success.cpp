// What money that came does to its order: it pays it, or it is surplus.
#include <fmt/format.h>

#include "base/id.h"
#include "payment/rules.h"
#include "payment/transition.h"

namespace payonce {

namespace {

// Why money that came does not pay the order, as the end of "… came although the order is"; empty if it does.
// `from` is the state that the attempt had before.
std::string surplus_reason(Order const& order, Attempt const& attempt, AttemptState from) {
  OrderHead const& head = order.head;
  if (head.state != OrderState::open) return std::string{to_text(head.state)};
  Attempt const* const other = order.in_place(attempt.part, attempt.id);
  // Of two that could pay it, the one of which something was captured stays.
  if (other && (!is_live(other->state) || came_minor(*other) > 0))
    return fmt::format("paid for part \"{}\" by {}", attempt.part, other->id.value);
  if (other && from == AttemptState::released) return "being paid by another payment";
  if (head.policy == Policy::single) {
    // A free order may have been given another amount since; this money is not what it asks for any more.
    return attempt.amount == head.amount ? std::string{} : fmt::format("over {} now", to_text(head.amount));
  }
  // The live attempt of the same part gives way to money that is here. (What came is counted among the paid already.)
  std::int64_t const held = order.held_minor() - (other ? other->amount.minor : 0);
  if (order.paid_minor() + held <= head.amount.minor) return {};
  return fmt::format("waiting for {} only, in parts under way or paid already", to_text(head.amount));
}

Money came(Attempt const& attempt) { return {came_minor(attempt), attempt.amount.currency}; }

void give_back(Draft& draft, Attempt const& attempt, ProviderTerms const* provider) {
  Refund refund{
      .id = surplus_refund_id(attempt.id), .attempt = attempt.id, .reason = "surplus", .amount = came(attempt)};
  refund.origin = RefundOrigin::surplus;
  refund.due_at = provider ? lease_end(draft, *provider) : draft.now();
  if (provider) refund.request = provider->write_refund(refund, attempt);
  Refund const& added = draft.add(std::move(refund));
  draft
      .note(added, "refund.created",
            fmt::format("Surplus of {} is given back under the one number {}.", to_text(added.amount), added.id.value))
      .to = to_text(added.state);
  if (provider) draft.call(CallKind::refund, added.id);
}

void book_surplus(Draft& draft, AttemptId const& id, std::string const& why, Terms const& terms) {
  Attempt& attempt = draft.change(id);
  attempt.surplus = true;
  draft.note(attempt, "payment.surplus", fmt::format("{} came although the order is {}.", to_text(came(attempt)), why));
  add_effects(draft, Trigger::payment_surplus, id, {}, terms);
  MerchantSettings const* const merchant = terms.merchant(draft.order().head.key.merchant);
  if (merchant && merchant->surplus == SurplusPolicy::manual)
    draft.raise_alarm(
        id, fmt::format("{} came too much; give it back by a refund of this payment", to_text(came(attempt))));
  else
    give_back(draft, attempt, terms.provider(attempt.provider));
}

}  // namespace

void book_success(Draft& draft, AttemptId const& id, Terms const& terms, AttemptState from) {
  Attempt const& attempt = draft.change(id);
  if (std::string const why = surplus_reason(draft.order(), attempt, from); !why.empty())
    return book_surplus(draft, id, why, terms);
  if (Attempt const* const live = draft.order().in_place(attempt.part, id))
    release(draft, live->id,
            fmt::format("Payment {} turned out to have paid the order; this one is being closed.", id.value), terms);
  add_effects(draft, Trigger::payment_succeeded, id, {}, terms);
  pay_if_complete(draft, id, terms);
}

void pay_if_complete(Draft& draft, AttemptId const& last, Terms const& terms) {
  Order const& order = draft.order();
  // The shop may capture less than it has asked for: then the one payment of the order has brought all that is wanted.
  bool const all_came = order.paid_minor() >= order.head.amount.minor;
  bool const is_its_only_one = order.head.policy == Policy::single;
  if (!all_came && !is_its_only_one) return;
  draft.change_head().state = OrderState::paid;
  add_effects(draft, Trigger::order_paid, last, {}, terms);
}

void release(Draft& draft, AttemptId const& id, std::string why, Terms const& terms) {
  Attempt& attempt = draft.change(id);
  AttemptState const from = attempt.state;
  attempt.state = next_state(from, Event::released);
  attempt.action_url.clear();
  auto& event = draft.note(attempt, event_type(attempt.state), std::move(why));
  event.from = to_text(from);
  event.to = to_text(attempt.state);
  ask_to_close(draft, id, terms);
}

void ask_to_close(Draft& draft, AttemptId const& id, Terms const& terms) {
  Attempt& attempt = draft.change(id);
  if (attempt.cancel_requested) return;
  attempt.cancel_requested = true;
  ProviderTerms const* const provider = terms.provider(attempt.provider);
  if (!provider || !provider->close_is_proof) return;
  attempt.due_at = lease_end(draft, *provider);
  draft.call(CallKind::close, id);
}

void add_effects(Draft& draft, Trigger on, AttemptId const& attempt, RefundId const& refund, Terms const& terms) {
  OrderKey const& key = draft.order().head.key;
  MerchantSettings const* const merchant = terms.merchant(key.merchant);
  if (!merchant) return;
  for (auto const& [name, wanted_on] : merchant->effects) {
    if (wanted_on != on) continue;
    Effect effect;
    effect.key = key;
    effect.attempt = attempt;
    effect.refund = refund;
    effect.name = name;
    effect.due_at = effect.created_at = draft.now();
    draft.add(std::move(effect));
  }
}

}  // namespace payonce
