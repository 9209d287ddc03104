// Where an order stands, as one would say it to a colleague.
#include <fmt/format.h>

#include <algorithm>

#include "verify/story.h"

namespace payonce {

namespace {

std::string word_of(std::optional<Evidence> evidence) {
  if (!evidence) return "nobody's word";
  switch (*evidence) {
    case Evidence::response: return "the provider's answer to our call";
    case Evidence::query: return "the provider's answer to our question";
    case Evidence::notice: return "the provider's notice";
    case Evidence::statement: return "the provider's statement";
    case Evidence::operator_: return "a person's word";
  }
  return "";
}

std::string of_live(Attempt const& live) {
  std::string const& id = live.id.value;
  switch (live.state) {
    case AttemptState::requires_action:
      return fmt::format("The order is not paid yet: {} waits for the buyer until {}.", id,
                         to_rfc3339(live.expires_at));
    case AttemptState::authorized:
      return fmt::format("The order is not paid yet: {} holds {} for the shop until {}, and {} of it was captured.", id,
                         to_text(live.amount), to_rfc3339(live.expires_at),
                         to_text(Money{came_minor(live), live.amount.currency}));
    case AttemptState::unknown:
      return fmt::format(
          "It is not known yet whether the order is paid: the answer about {} was lost or said nothing, the money may "
          "have moved, and nobody should pay again before the provider has told.",
          id);
    default: return fmt::format("The order is being paid by {}; the provider has not said how it ends.", id);
  }
}

std::string of_last(Order const& order) {
  if (order.attempts.empty()) return "Nobody has tried to pay this order yet.";
  Attempt const& last = order.attempts.back();
  return fmt::format("The order is not paid and nothing of it is under way: its last payment {} is {} by {}{}{}.",
                     last.id.value, to_text(last.state), word_of(last.evidence), last.answer_code.empty() ? "" : ": ",
                     last.answer_code);
}

std::string of_order(Order const& order) {
  OrderHead const& head = order.head;
  Attempt const* const paying = order.paying();
  if (paying && head.policy == Policy::single)
    return fmt::format("The order is paid, once, by {} with {}, on {}.", paying->id.value,
                       to_text(Money{came_minor(*paying), paying->amount.currency}), word_of(paying->evidence));
  if (head.policy == Policy::split)
    return fmt::format("The order is {}: {} of {} minor units of {} are paid, {} more are being paid.",
                       to_text(head.state), order.paid_minor(), head.amount.minor, head.amount.currency.code(),
                       order.held_minor());
  if (Attempt const* live = order.live()) return of_live(*live);
  if (order.head.state == OrderState::closed) return "The order is closed and was not paid.";
  return of_last(order);
}

std::string of_refund(Order const& order, Attempt const& surplus) {
  auto const refund = std::ranges::find(order.refunds, surplus.id, &Refund::attempt);
  if (refund == order.refunds.end()) return "and is not on its way back, which a person must look into";
  switch (refund->state) {
    case RefundState::processing:
    case RefundState::unknown: return "and is on its way back";
    case RefundState::succeeded: return "and has gone back";
    case RefundState::failed: return "and the provider refused to give it back, so a person must";
    case RefundState::returned: return "and went back without reaching the buyer, so a person must give it";
  }
  return "";
}

// What went back, on request, of the payment that paid the order.
std::string of_requested_refunds(Order const& order, Attempt const& paying) {
  std::int64_t done = 0;
  std::int64_t under_way = 0;
  for (Refund const& refund : order.refunds) {
    if (refund.attempt != paying.id) continue;
    if (is_watched(refund.state)) under_way += refund.amount.minor;
    if (refund.state == RefundState::succeeded) done += refund.amount.minor;
  }
  std::string text;
  if (done > 0) text += fmt::format(" {} of it has gone back.", to_text(Money{done, paying.amount.currency}));
  if (under_way > 0)
    text += fmt::format(" {} of it is on its way back.", to_text(Money{under_way, paying.amount.currency}));
  return text;
}

}  // namespace

std::string truth_of(Order const& order) {
  std::string truth = of_order(order);
  for (Attempt const& attempt : order.attempts) {
    if (pays(attempt)) truth += of_requested_refunds(order, attempt);
    if (attempt.state == AttemptState::disputed)
      truth += fmt::format(" The payer's bank has taken {} into dispute.", attempt.id.value);
    if (attempt.state == AttemptState::reversed)
      truth += fmt::format(" The money of {} was taken back for good.", attempt.id.value);
    if (attempt.surplus)
      truth += fmt::format(" {} of {} came on top {}.", to_text(attempt.amount), attempt.id.value,
                           of_refund(order, attempt));
    if (attempt.state == AttemptState::released)
      truth += fmt::format(" {} gave way and is watched until it can't charge any more.", attempt.id.value);
  }
  return truth;
}

}  // namespace payonce
