#include "check/laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/fold.h"

namespace payonce::check {

namespace {

bool is_dead(AttemptState state) { return state == AttemptState::failed || state == AttemptState::canceled; }
bool takes_the_place(Attempt const& attempt) {
  return is_live(attempt.state) || (attempt.state == AttemptState::succeeded && !attempt.surplus);
}

std::string broken_sums(Order const& order) {
  std::int64_t paid = 0;
  std::int64_t held = 0;
  for (Attempt const& attempt : order.attempts) {
    if (is_live(attempt.state)) held += attempt.amount.minor;
    if (attempt.state == AttemptState::succeeded && !attempt.surplus) paid += attempt.amount.minor;
  }
  if (paid != order.head.paid_minor || held != order.head.held_minor)
    return "1: the order's sums are not its payments'";
  if (paid + held > order.head.amount.minor) return "1: more is paid and held than the order asks for";
  if (std::ranges::count_if(order.attempts, takes_the_place) > 1)
    return "1: two payments of the order are live or paid";
  return {};
}

std::string broken_attempt_row(Attempt const& attempt) {
  bool const is_ended = !is_watched(attempt.state);
  if (is_ended && (!attempt.evidence || !attempt.settled_at)) return "2: a payment ended without evidence";
  if (attempt.state == AttemptState::failed && attempt.answer_code.empty() && attempt.answer.empty())
    return "2: a payment failed without a stored answer";
  if (is_ended == attempt.due_at.has_value())
    return is_ended ? "2: an ended payment is due for recovery" : "2: nobody looks after an unresolved payment";
  if (attempt.surplus && attempt.state != AttemptState::succeeded) return "7: surplus that is no money";
  return {};
}

std::string broken_refund_rows(Order const& order) {
  for (Refund const& refund : order.refunds) {
    bool const is_ended = !is_watched(refund.state);
    if (is_ended && !refund.evidence) return "2: a refund ended without evidence";
    if (is_ended == refund.due_at.has_value())
      return is_ended ? "8: an ended refund is due for recovery" : "8: nobody looks after an unresolved refund";
    if (refund.state == RefundState::failed && refund.review.empty()) return "8: no person is told of a failed refund";
  }
  for (Attempt const& attempt : order.attempts) {
    std::int64_t const captured = attempt.state == AttemptState::succeeded ? attempt.amount.minor : 0;
    std::int64_t given_back = 0;
    for (Refund const& refund : order.refunds)
      if (refund.attempt == attempt.id && refund.state != RefundState::failed && refund.state != RefundState::returned)
        given_back += refund.amount.minor;
    if (given_back > captured) return "8: more goes back than came";
    auto const surplus_refunds = std::ranges::count_if(
        order.refunds, [&](Refund const& it) { return it.attempt == attempt.id && it.gives_surplus_back(); });
    if (surplus_refunds != (attempt.surplus ? 1 : 0)) return "7: surplus is not given back exactly once";
  }
  return {};
}

std::string broken_rows(Order const& order) {
  if (std::string broken = broken_sums(order); !broken.empty()) return broken;
  for (Attempt const& attempt : order.attempts)
    if (std::string broken = broken_attempt_row(attempt); !broken.empty()) return broken;
  bool const is_paid = order.head.state == OrderState::paid;
  if (order.head.state == OrderState::closed && order.live()) return "1: a closed order has a payment that may charge";
  if (is_paid != (order.paying() != nullptr)) return "5: the order's state is not its payments'";
  return broken_refund_rows(order);
}

std::string broken_at_provider(Cell const& cell) {
  auto const state = AttemptState{cell.state};
  bool const told_of_charge = cell.notices & (1 << int(NoticeKind::charged));
  if (cell.charges > 1) return "3: one payment is charged twice";
  if (is_dead(state) && cell.charges > 0 && !cell.has_changed_its_mind)
    return "2: money that moved is called a failure";
  if (state == AttemptState::succeeded && cell.charges == 0 && cell.provider != offline)
    return "2: a payment that nobody charged is called a success";
  if (told_of_charge && state != AttemptState::succeeded) return "5: a notice is stored, its payment is not booked";
  bool const is_paying = state == AttemptState::succeeded && !cell.surplus;
  if (cell.has_effect != (is_paying ? 1 : 0)) return "6: the effects are not those of a paid order";
  int paid_out = 0;
  for (RefundCell const& refund : cell.refunds) {
    bool const has_succeeded = refund.is_there && RefundState{refund.state} == RefundState::succeeded;
    if (refund.paid_out > 1) return "8: one refund is paid out twice";
    if (has_succeeded && refund.paid_out == 0) return "8: a refund that nobody paid out is called a success";
    if (refund.has_effect != (has_succeeded ? 1 : 0)) return "6: the effects are not those of the refund";
    paid_out += refund.paid_out * (refund.is_part ? 1 : 2);
  }
  if (paid_out > 2 * cell.charges) return "8: the provider gave back more than it charged";
  return {};
}

// What anyone may do at any moment without changing anything.
std::string broken_by_repetition(Order const& order, Attempt const& attempt, Terms const& terms) {
  BeginAttempt again{.key = the_order(),
                     .attempt = AttemptId{"pay_of_another_request"},
                     .idempotency_key = attempt.key,
                     .provider = attempt.provider,
                     .method = {},
                     .amount_minor = attempt.amount.minor,
                     .currency = "USD",
                     .metadata = {}};
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

// Another key, while the order has its payment.
std::string broken_by_newcomer(Order const& order, Terms const& terms) {
  bool const is_expired = order.head.expires_at && *order.head.expires_at <= now;
  bool const is_free = order.head.state == OrderState::open && !order.live() && !is_expired;
  BeginAttempt const newcomer{.key = the_order(),
                              .attempt = AttemptId{"pay_of_a_newcomer"},
                              .idempotency_key = "new",
                              .provider = {},
                              .method = {},
                              .amount_minor = {},
                              .currency = {},
                              .metadata = {}};
  Decision const decision = decide(situation_of(order, newcomer), newcomer, terms, now);
  if (decision.reply.has_value() == is_free) return {};
  return is_free ? "1: a free order refuses a payment" : "1: a second payment of the order begins";
}

std::string broken_promise(Attempt const& old, Attempt const& fresh) {
  bool const is_kept = old.request == fresh.request && old.key == fresh.key && old.provider == fresh.provider &&
                       old.fingerprint == fresh.fingerprint && old.amount == fresh.amount &&
                       old.expires_at == fresh.expires_at && old.created_at == fresh.created_at;
  if (!is_kept) return "4: what was promised to the provider changed";
  if (old.state != AttemptState::succeeded) return {};
  if (fresh.state != AttemptState::succeeded) return "7: a success was taken back";
  return fresh.surplus == old.surplus ? "" : "7: a success changed what it is for";
}

std::string broken_history(Commit const& commit) {
  for (Attempt const& old : commit.before.attempts)
    if (std::string broken = broken_promise(old, *commit.after.find(old.id)); !broken.empty()) return broken;
  for (Refund const& old : commit.before.refunds) {
    Refund const& fresh = *commit.after.find(old.id);
    if (old.state == RefundState::succeeded && fresh.state != old.state)
      return "8: a refund that was paid out is taken back";
    if (old.amount != fresh.amount) return "4: what was promised of a refund changed";
  }
  bool const was_paid = commit.before.head.state == OrderState::paid;
  if (was_paid && commit.after.head.state != OrderState::paid) return "7: a paid order is not paid any more";
  return {};
}

// Whether the changes would alter a row beyond when recovery looks at it next.
bool is_substantial(Order const& order, Changes const& changes) {
  if (changes.head || !changes.effects.empty() || !changes.events.empty() || changes.notice) return true;
  bool const changes_attempt = std::ranges::any_of(changes.attempts, [&](Attempt const& fresh) {
    Attempt const* const old = order.find(fresh.id);
    return !old || old->state != fresh.state || old->tries != fresh.tries || old->exposed != fresh.exposed ||
           old->cancel_requested != fresh.cancel_requested || old->review != fresh.review;
  });
  return changes_attempt || std::ranges::any_of(changes.refunds, [&](Refund const& fresh) {
           Refund const* const old = order.find(fresh.id);
           return !old || old->state != fresh.state || old->tries != fresh.tries;
         });
}

bool is_begun_by(Command const& command) {
  return std::holds_alternative<BeginAttempt>(command) || std::holds_alternative<BeginRefund>(command);
}

}  // namespace

std::string broken_in_state(State const& state, Order const& order, Terms const& terms) {
  for (Cell const& cell : state.cells) {
    if (!cell.is_there) continue;
    if (std::string broken = broken_at_provider(cell); !broken.empty()) return broken;
  }
  for (Attempt const& attempt : order.attempts) {
    if (attempt.provider == provider_names[offline]) continue;
    if (std::string broken = broken_by_repetition(order, attempt, terms); !broken.empty()) return broken;
  }
  for (Refund const& refund : order.refunds) {
    if (refund.gives_surplus_back()) continue;
    if (std::string broken = broken_by_repetition(order, refund, terms); !broken.empty()) return broken;
  }
  return broken_by_newcomer(order, terms);
}

std::string broken_by_commit(State const&, Commit const& commit, Terms const& terms) {
  if (std::string broken = broken_history(commit); !broken.empty()) return broken;
  if (std::string broken = broken_rows(commit.after); !broken.empty()) return broken;
  Decision const& decision = commit.decision;
  if (std::holds_alternative<ApplyNotice>(commit.command) && !decision.changes.notice)
    return "5: a notice is worked in without its row";
  for (ProviderCall const& call : decision.calls) {
    Attempt const* const row = commit.after.find(call.attempt.id);
    if (!row) return "3: a call about a payment that is not in the books";
    if (call.kind == CallKind::create && call.attempt.request != "create " + row->id.value)
      return "4: the provider is sent another request than the stored one";
    if (call.refund && call.refund->request != "refund " + call.refund->id.value)
      return "4: the provider is sent another refund than the stored one";
  }
  // The answer of the commit is lost, and it runs again.
  Decision const again =
      decide(situation_of(commit.after, commit.command, commit.known_after), commit.command, terms, now);
  if (is_substantial(commit.after, again.changes)) return "9: the same command, run again, changes something";
  bool const may_call = is_begun_by(commit.command) || std::holds_alternative<RecordOutcome>(commit.command) ||
                        std::holds_alternative<RecordRefundOutcome>(commit.command);
  if (!again.calls.empty() && !may_call) return "9: the same command, run again, calls the provider again";
  return {};
}

bool is_quiet(State const& state) {
  if (state.order_due != 0) return false;
  return std::ranges::all_of(state.cells, [](Cell const& cell) {
    if (!cell.is_there) return true;
    bool const is_open_there = cell.ledger == Ledger::pending || cell.ledger == Ledger::waits_for_buyer;
    bool const is_missed = cell.ledger == Ledger::charged && is_dead(AttemptState{cell.state});
    auto const is_under_way = [](Flight const& flight) { return flight.kind != 0; };
    return !is_watched(AttemptState{cell.state}) && !is_open_there && !is_missed && !cell.commit_in_doubt &&
           std::ranges::none_of(cell.flights, is_under_way) &&
           std::ranges::all_of(cell.refunds, [&](RefundCell const& refund) {
             return !refund.is_there ||
                    (!is_watched(RefundState{refund.state}) && refund.ledger != RefundLedger::pending &&
                     std::ranges::none_of(refund.flights, is_under_way));
           });
  });
}

}  // namespace payonce::check
