#include "check/laws.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/fold.h"

namespace payonce::check {

namespace {

bool is_dead(AttemptState state) { return state == AttemptState::failed || state == AttemptState::canceled; }
std::string broken_sums(Order const& order) {
  std::int64_t paid = 0;
  std::int64_t held = 0;
  for (Attempt const& attempt : order.attempts) {
    if (is_live(attempt.state)) held += attempt.amount.minor - came_of(attempt);
    if (!attempt.surplus) paid += came_of(attempt);
    bool const has_rival = has_place(attempt) && std::ranges::any_of(order.attempts, [&](Attempt const& other) {
                             return other.id != attempt.id && other.part == attempt.part && has_place(other);
                           });
    if (has_rival) return "1: two payments of the order, or of one part of it, are live or paid";
  }
  if (paid != order.head.paid_minor || held != order.head.held_minor)
    return "1: the order's sums are not its payments'";
  return paid + held > order.head.amount.minor ? "1: more is paid and held than the order asks for" : "";
}

std::string broken_attempt_row(Attempt const& attempt) {
  bool const is_ended = !is_watched(attempt.state);
  if (is_ended && (!attempt.evidence || !attempt.settled_at)) return "2: a payment ended without evidence";
  if (attempt.state == AttemptState::failed && attempt.answer_code.empty() && attempt.answer.empty())
    return "2: a payment failed without a stored answer";
  if (is_ended == attempt.due_at.has_value())
    return is_ended ? "2: an ended payment is due for recovery" : "2: nobody looks after an unresolved payment";
  if (attempt.surplus && !has_come(attempt.state)) return "7: surplus that is no money";
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
    std::int64_t given_back = 0;
    for (Refund const& refund : order.refunds)
      if (refund.attempt == attempt.id && refund.state != RefundState::failed && refund.state != RefundState::returned)
        given_back += refund.amount.minor;
    if (given_back > came_of(attempt)) return "8: more goes back than came";
    auto const surplus_refunds = std::ranges::count_if(
        order.refunds, [&](Refund const& it) { return it.attempt == attempt.id && it.gives_surplus_back(); });
    if (surplus_refunds != (attempt.surplus ? 1 : 0)) return "7: surplus is not given back exactly once";
  }
  return {};
}

std::string broken_captures(Order const& order, Attempt const& attempt) {
  std::int64_t came = 0;
  std::int64_t under_way = 0;
  int captures_under_way = 0;
  for (Capture const& capture : order.captures) {
    if (capture.attempt != attempt.id) continue;
    bool const is_ended = !is_watched(capture.state);
    if (is_ended == capture.due_at.has_value()) return "8: an ended capture is due, or nobody looks after a live one";
    if (is_ended && !capture.evidence) return "2: a capture ended without evidence";
    if (capture.state == CaptureState::succeeded) came += capture.amount.minor;
    if (is_ended) continue;
    under_way += capture.amount.minor;
    ++captures_under_way;
  }
  if (came != came_of(attempt)) return "8: what came of a hold is not the sum of its captures";
  if (captures_under_way > 1) return "8: two captures of one hold are under way";
  return came + under_way > attempt.amount.minor ? "8: more is captured than is held" : "";
}

std::string broken_rows(Order const& order) {
  if (std::string broken = broken_sums(order); !broken.empty()) return broken;
  for (Attempt const& attempt : order.attempts)
    if (std::string broken = broken_attempt_row(attempt); !broken.empty()) return broken;
  bool const is_paid = order.head.state == OrderState::paid;
  if (order.head.state == OrderState::closed && order.live()) return "1: a closed order has a payment that may charge";
  bool const is_split = order.head.policy == Policy::split;
  bool const has_all = is_split ? order.head.paid_minor >= order.head.amount.minor : order.paying() != nullptr;
  if (is_paid != has_all && order.head.state != OrderState::closed) return "5: the order's state is not its payments'";
  if (order.head.capture == CaptureMode::manual)
    for (Attempt const& attempt : order.attempts)
      if (std::string broken = broken_captures(order, attempt); !broken.empty()) return broken;
  return broken_refund_rows(order);
}

// What the books know to have come, in halves of the payment.
int came_halves(Cell const& cell) {
  if (cell.came_half) return 1;
  return has_come(AttemptState{cell.state}) ? all_halves : 0;
}

// Once each of its notices has come, whatever their order, the books say what became of a dispute, or a person knows.
std::string broken_dispute(Cell const& cell) {
  auto const state = AttemptState{cell.state};
  auto const is_told = [&](NoticeKind kind) { return (cell.notices & (1 << int(kind))) != 0; };
  if (state == AttemptState::disputed && cell.dispute == Dispute::none) return "7: nobody disputes what is disputed";
  if (state == AttemptState::reversed && cell.dispute != Dispute::lost) return "7: nobody took back what is reversed";
  bool const is_kept = state == AttemptState::reversed || !has_come(state) || cell.review != 0;
  return is_told(NoticeKind::dispute_lost) && !is_kept ? "7: money that is gone is called a success" : "";
}

std::string broken_at_provider(Cell const& cell) {
  auto const state = AttemptState{cell.state};
  bool const told_of_charge = cell.notices & (1 << int(NoticeKind::charged));
  if (cell.charges > 1) return "3: one payment is charged or held twice";
  if (is_dead(state) && cell.taken > 0 && !cell.has_changed_its_mind) return "2: money that moved is called a failure";
  if (cell.provider != offline && came_halves(cell) > cell.taken)
    return "2: money that nobody took is called a success";
  if (told_of_charge && !has_come(state)) return "5: a notice is stored, its payment is not booked";
  if (std::string broken = broken_dispute(cell); !broken.empty()) return broken;
  for (CaptureCell const& capture : cell.captures) {
    if (capture.ledger == PartLedger::done && CaptureState{capture.state} == CaptureState::failed)
      return "2: a capture that took money is called a failure";
    if (capture.is_there && CaptureState{capture.state} == CaptureState::succeeded &&
        capture.ledger != PartLedger::done)
      return "2: a capture that took nothing is called a success";
  }
  bool const is_paying = has_come(state) && !cell.surplus;
  if (cell.has_effect != (is_paying ? 1 : 0)) return "6: the effects are not those of a paid order";
  int paid_out = 0;
  for (RefundCell const& refund : cell.refunds) {
    bool const has_succeeded = refund.is_there && RefundState{refund.state} == RefundState::succeeded;
    if (refund.paid_out > 1) return "8: one refund is paid out twice";
    if (has_succeeded && refund.paid_out == 0) return "8: a refund that nobody paid out is called a success";
    if (refund.has_effect != (has_succeeded ? 1 : 0)) return "6: the effects are not those of the refund";
    paid_out += refund.paid_out * halves_of(refund);
  }
  if (paid_out > cell.taken) return "8: the provider gave back more than it took";
  return {};
}

std::string broken_promise(Attempt const& old, Attempt const& fresh) {
  bool const is_kept = old.request == fresh.request && old.key == fresh.key && old.provider == fresh.provider &&
                       old.fingerprint == fresh.fingerprint && old.amount == fresh.amount && old.part == fresh.part &&
                       old.created_at == fresh.created_at;
  bool const begins_hold = old.state != fresh.state && fresh.state == AttemptState::authorized;
  if (!is_kept || (old.expires_at != fresh.expires_at && !begins_hold))
    return "4: what was promised to the provider changed";
  if (came_of(fresh) < came_of(old)) return "7: money that came is forgotten";
  if (!has_come(old.state)) return {};
  if (!has_come(fresh.state)) return "7: a success was taken back";
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
  for (Capture const& old : commit.before.captures) {
    Capture const& fresh = *commit.after.find(old.id);
    if (old.state == CaptureState::succeeded && fresh.state != old.state) return "8: a capture is taken back";
    if (old.amount != fresh.amount || old.request != fresh.request) return "4: what was promised of a capture changed";
  }
  for (Refund const& fresh : commit.after.refunds) {
    bool const is_begun = !commit.before.find(fresh.id) && fresh.origin == RefundOrigin::request;
    if (is_begun && commit.before.find(fresh.attempt)->state != AttemptState::succeeded)
      return "8: money is given back that did not come or that the payer's bank has";
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
  auto const changes_row = [&](auto const& fresh) {
    auto const* const old = order.find(fresh.id);
    return !old || old->state != fresh.state || old->tries != fresh.tries;
  };
  return changes_attempt || std::ranges::any_of(changes.refunds, changes_row) ||
         std::ranges::any_of(changes.captures, changes_row);
}

bool is_begun_by(Command const& command) {
  return std::holds_alternative<BeginAttempt>(command) || std::holds_alternative<BeginRefund>(command) ||
         std::holds_alternative<BeginCapture>(command);
}

}  // namespace

std::int64_t came_of(Attempt const& attempt) {
  if (attempt.captured_minor > 0) return attempt.captured_minor;
  return has_come(attempt.state) ? attempt.amount.minor : 0;
}

bool has_place(Attempt const& attempt) {
  return is_live(attempt.state) || (has_come(attempt.state) && !attempt.surplus);
}

std::string broken_in_state(State const& state, Order const& order, Terms const& terms) {
  for (Cell const& cell : state.cells) {
    if (!cell.is_there) continue;
    if (std::string broken = broken_at_provider(cell); !broken.empty()) return broken;
  }
  return broken_by_asking(order, terms);
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
    if (call.capture && call.capture->request != "capture " + call.capture->id.value)
      return "4: the provider is sent another capture than the stored one";
  }
  // The answer of the commit is lost, and it runs again.
  Decision const again =
      decide(situation_of(commit.after, commit.command, commit.known_after), commit.command, terms, now);
  if (is_substantial(commit.after, again.changes)) return "9: the same command, run again, changes something";
  bool const may_call = is_begun_by(commit.command) || std::holds_alternative<RecordOutcome>(commit.command) ||
                        std::holds_alternative<RecordRefundOutcome>(commit.command) ||
                        std::holds_alternative<RecordCaptureOutcome>(commit.command);
  if (!again.calls.empty() && !may_call) return "9: the same command, run again, calls the provider again";
  return {};
}

namespace {

constexpr auto is_under_way = [](Flight const& flight) { return flight.kind != 0; };

bool is_quiet(RefundCell const& refund) {
  if (!refund.is_there) return refund.ledger == PartLedger::unknown || refund.notices;
  return !is_watched(RefundState{refund.state}) && refund.ledger != PartLedger::pending &&
         std::ranges::none_of(refund.flights, is_under_way);
}

bool is_quiet(CaptureCell const& capture) {
  return !capture.is_there || (!is_watched(CaptureState{capture.state}) && capture.ledger != PartLedger::pending &&
                               std::ranges::none_of(capture.flights, is_under_way));
}

bool is_quiet(Cell const& cell) {
  if (!cell.is_there) return true;
  auto const state = AttemptState{cell.state};
  bool const is_open_there = cell.ledger == Ledger::pending || cell.ledger == Ledger::waits_for_buyer ||
                             cell.ledger == Ledger::held || cell.dispute == Dispute::open;
  bool const is_missed = cell.provider != offline && came_halves(cell) != cell.taken;
  AttemptState const after_dispute = cell.dispute == Dispute::lost ? AttemptState::reversed : AttemptState::succeeded;
  bool const is_misjudged = cell.dispute != Dispute::none && state != after_dispute && cell.review == 0;
  return !is_watched(state) && !is_open_there && !is_missed && !is_misjudged && !cell.commit_in_doubt &&
         std::ranges::none_of(cell.flights, is_under_way) &&
         std::ranges::all_of(cell.refunds, [](RefundCell const& it) { return is_quiet(it); }) &&
         std::ranges::all_of(cell.captures, [](CaptureCell const& it) { return is_quiet(it); });
}

}  // namespace

bool is_quiet(State const& state) {
  return state.order_due == 0 && std::ranges::all_of(state.cells, [](Cell const& cell) { return is_quiet(cell); });
}

}  // namespace payonce::check
