// What anyone may ask at any moment of any state, and must be answered without harm.
#include <algorithm>

#include "base/id.h"
#include "check/fold.h"
#include "check/laws.h"

namespace payonce::check {

namespace {

// What anyone may do at any moment without changing anything.
std::string broken_by_repetition(Order const& order, Attempt const& attempt, Terms const& terms) {
  BeginAttempt again{.key = the_order(),
                     .attempt = AttemptId{"pay_of_another_request"},
                     .idempotency_key = attempt.key,
                     .provider = attempt.provider,
                     .method = {},
                     .amount_minor = attempt.amount.minor,
                     .currency = "USD",
                     .metadata = {},
                     .part = attempt.part};
  Decision const same = decide(situation_of(order, again), again, terms, now);
  bool const is_replay = same.reply && same.reply->kind == ReplyKind::confirmed && same.reply->attempt &&
                         same.reply->attempt->id == attempt.id && same.reply->attempt->state == attempt.state;
  if (!is_replay) return "10: a repeated key does not get its own payment";
  if (!same.changes.empty()) return "9: a repeated key changes something";
  if (!same.calls.empty()) return "3: a repeated key calls the provider";
  again.amount_minor = attempt.amount.minor + 1;
  Decision const other = decide(situation_of(order, again), again, terms, now);
  bool const is_refused = !other.reply && other.reply.error().error.code == ErrorCode::idempotency_key_reused &&
                          other.reply.error().error.field == "amount";
  return is_refused ? "" : "10: a key is taken for another amount";
}

std::string broken_by_repetition(Order const& order, Refund const& refund, Terms const& terms) {
  BeginRefund again{.merchant = the_order().merchant,
                    .attempt = refund.attempt,
                    .refund = RefundId{"ref_of_another_request"},
                    .idempotency_key = refund.key,
                    .amount_minor = refund.amount.minor,
                    .currency = {},
                    .reason = refund.reason,
                    .actor = {}};
  Decision const same = decide(situation_of(order, again), again, terms, now);
  bool const is_replay = same.reply && same.reply->kind == ReplyKind::confirmed && same.reply->refund &&
                         same.reply->refund->id == refund.id;
  if (!is_replay) return "10: a repeated key does not get its own refund";
  if (!same.changes.empty() || !same.calls.empty()) return "9: a repeated key of a refund changes something";
  again.amount_minor += 1;
  Decision const other = decide(situation_of(order, again), again, terms, now);
  return other.reply ? "10: a key is taken for a refund of another amount" : "";
}

std::string broken_by_repetition(Order const& order, Capture const& capture, Terms const& terms) {
  BeginCapture again{.merchant = the_order().merchant,
                     .attempt = capture.attempt,
                     .capture = CaptureId{"cap_of_another_request"},
                     .idempotency_key = capture.key,
                     .amount_minor = capture.amount.minor,
                     .currency = {},
                     .is_final = capture.is_final,
                     .actor = {}};
  Decision const same = decide(situation_of(order, again), again, terms, now);
  bool const is_replay = same.reply && same.reply->kind == ReplyKind::confirmed && same.reply->capture &&
                         same.reply->capture->id == capture.id;
  if (!is_replay) return "10: a repeated key does not get its own capture";
  if (!same.changes.empty() || !same.calls.empty()) return "9: a repeated key of a capture changes something";
  again.amount_minor += 1;
  Decision const other = decide(situation_of(order, again), again, terms, now);
  return other.reply ? "10: a key is taken for a capture of another amount" : "";
}

BeginAttempt newcomer_for(std::string part) {
  return {.key = the_order(),
          .attempt = AttemptId{"pay_of_a_newcomer"},
          .idempotency_key = "new",
          .provider = {},
          .method = {},
          .amount_minor = {},
          .currency = {},
          .metadata = {},
          .part = std::move(part)};
}

// Another key, while the order has its payment, or the part has.
std::string broken_by_newcomer(Order const& order, Terms const& terms) {
  OrderHead const& head = order.head;
  bool const is_split = head.policy == Policy::split;
  bool const is_expired = head.expires_at && *head.expires_at <= now;
  bool const has_room = is_split ? head.paid_minor + head.held_minor < head.amount.minor : !order.live();
  bool const is_free = head.state == OrderState::open && !is_expired && has_room;
  BeginAttempt newcomer = newcomer_for(is_split ? "third" : "");
  Decision const decision = decide(situation_of(order, newcomer), newcomer, terms, now);
  if (decision.reply.has_value() != is_free)
    return is_free ? "1: a free order refuses a payment" : "1: a second payment of the order begins";
  newcomer.amount_minor = head.amount.minor + 1;
  if (is_free && decide(situation_of(order, newcomer), newcomer, terms, now).reply)
    return "1: a payment over another amount than the order's begins";
  for (Attempt const& attempt : order.attempts) {
    BeginAttempt const rival = newcomer_for(attempt.part);
    if (is_split && has_place(attempt) && decide(situation_of(order, rival), rival, terms, now).reply)
      return "1: a second payment of a part of the order begins";
  }
  return {};
}

// What says something of this payment and has no right to, and what may not be asked of it.
std::string broken_by_stranger(Order const& order, Attempt const& attempt, Terms const& terms) {
  if (is_watched(attempt.state)) {
    ApplyNotice notice;
    notice.provider = "stranger";
    notice.event_id = "event of a stranger";
    notice.number = attempt.id.value;
    notice.answer.outcome = Outcome::succeeded;
    notice.answer.amount = attempt.amount;
    Decision const decision = decide(situation_of(order, notice), notice, terms, now);
    auto const ends = [](Attempt const& it) { return !is_watched(it.state); };
    if (std::ranges::any_of(decision.changes.attempts, ends)) return "2: another provider's word is believed";
  }
  if (!attempt.surplus || !order.find(surplus_refund_id(attempt.id))) return {};
  BeginRefund const by_hand{.merchant = the_order().merchant,
                            .attempt = attempt.id,
                            .refund = RefundId{"ref_of_surplus"},
                            .idempotency_key = "by hand",
                            .amount_minor = 1,
                            .currency = {},
                            .reason = {},
                            .actor = {}};
  Decision const decision = decide(situation_of(order, by_hand), by_hand, terms, now);
  bool const is_refused = !decision.reply && decision.reply.error().error.code == ErrorCode::payment_not_refundable;
  return is_refused ? "" : "7: surplus, which goes back by itself, is also given back on request";
}

}  // namespace

std::string broken_by_asking(Order const& order, Terms const& terms) {
  for (Attempt const& attempt : order.attempts) {
    if (attempt.provider == provider_names[offline]) continue;
    if (std::string broken = broken_by_repetition(order, attempt, terms); !broken.empty()) return broken;
    if (std::string broken = broken_by_stranger(order, attempt, terms); !broken.empty()) return broken;
  }
  for (Refund const& refund : order.refunds) {
    if (refund.key.empty()) continue;
    if (std::string broken = broken_by_repetition(order, refund, terms); !broken.empty()) return broken;
  }
  for (Capture const& capture : order.captures)
    if (std::string broken = broken_by_repetition(order, capture, terms); !broken.empty()) return broken;
  return broken_by_newcomer(order, terms);
}

}  // namespace payonce::check
