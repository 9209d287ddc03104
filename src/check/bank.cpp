#include "check/bank.h"

namespace payonce::check {

namespace {

constexpr std::array at_once{Choice::agrees, Choice::declines};
constexpr std::array every{Choice::agrees, Choice::declines, Choice::takes_time, Choice::sends_buyer_away};
constexpr std::array without_buyer{Choice::agrees, Choice::declines, Choice::takes_time};

bool is_idempotent(Cell const& cell) { return cell.provider == idempotent; }

// Whether a repeated request is recognised as the one that came before.
bool is_recognised(Cell const& cell, Scope const& scope) {
  return is_idempotent(cell) && cell.ledger_age < scope.key_memory;
}

Outcome answer_of(Cell const& cell) {
  switch (cell.ledger) {
    case Ledger::unknown: return Outcome::not_found;
    case Ledger::pending: return Outcome::pending;
    case Ledger::waits_for_buyer: return Outcome::requires_action;
    case Ledger::held: return Outcome::authorized;
    case Ledger::charged: return Outcome::succeeded;
    case Ledger::declined:
    case Ledger::closed: return Outcome::declined;
  }
  return Outcome::in_doubt;
}

bool is_settled_for_good(Cell const& cell, Scope const& scope) {
  if (cell.ledger == Ledger::closed || cell.has_changed_its_mind) return true;
  return cell.ledger != Ledger::unknown && is_recognised(cell, scope);
}

}  // namespace

std::string_view to_text(Choice choice) {
  switch (choice) {
    case Choice::agrees: return "which does it";
    case Choice::declines: return "which refuses";
    case Choice::takes_time: return "which takes its time";
    case Choice::sends_buyer_away: return "which waits for the buyer";
  }
  return "";
}

std::span<Choice const> choices_for_create(Cell const& cell, Scope const& scope) {
  if (is_settled_for_good(cell, scope)) return std::span{every}.first(1);
  return scope.may_wait_for_buyer ? std::span<Choice const>{every} : std::span<Choice const>{at_once};
}

std::span<Choice const> choices_for_refund(RefundCell const& refund, Scope const& scope) {
  if (refund.ledger != PartLedger::unknown) return std::span{every}.first(1);
  return scope.may_refuse_refunds ? std::span<Choice const>{without_buyer} : std::span{every}.first(1);
}

std::span<Choice const> choices_for_capture(CaptureCell const& capture, Scope const& scope) {
  if (capture.ledger != PartLedger::unknown) return std::span{every}.first(1);
  return scope.may_refuse_captures ? std::span<Choice const>{without_buyer} : std::span{every}.first(1);
}

void agree(Cell& cell, Scope const& scope) {
  if (cell.charges < 3) ++cell.charges;
  cell.ledger = scope.holds ? Ledger::held : Ledger::charged;
  cell.was_open |= scope.holds ? 1 : 0;
  if (!scope.holds && cell.taken < 6) cell.taken += all_halves;
}

void take(Cell& cell, CaptureCell& capture) {
  capture.ledger = PartLedger::done;
  cell.taken += halves_of(capture);
  if (capture.is_final || cell.taken == all_halves) cell.ledger = Ledger::charged;
}

void let_go(Cell& cell) {
  cell.ledger = cell.taken > 0 ? Ledger::charged : Ledger::closed;
  cell.was_declined = 1;  // of the rest at least
}

int promised_halves(Cell const& cell) {
  int halves = 0;
  for (RefundCell const& refund : cell.refunds)
    if (refund.ledger == PartLedger::pending || refund.ledger == PartLedger::done) halves += halves_of(refund);
  return halves;
}

Outcome create_arrives(Cell& cell, Choice choice, Scope const& scope) {
  if (is_settled_for_good(cell, scope)) return answer_of(cell);
  if (cell.ledger == Ledger::unknown) cell.ledger_age = 0;
  // The request carries its end, so that nothing is charged afterwards.
  if (cell.expires == 0 && is_watched(AttemptState{cell.state}) && cell.ledger == Ledger::unknown)
    choice = Choice::declines;
  // Another charge under the same number can't take the first one back.
  bool const has_agreed = cell.ledger == Ledger::charged || cell.ledger == Ledger::held;
  if (has_agreed && choice != Choice::declines) choice = Choice::agrees;
  switch (choice) {
    case Choice::agrees: agree(cell, scope); break;
    case Choice::declines:
      if (!has_agreed) cell.ledger = Ledger::declined;
      cell.was_declined = 1;
      return Outcome::declined;
    case Choice::takes_time: cell.ledger = Ledger::pending; break;
    case Choice::sends_buyer_away: cell.ledger = Ledger::waits_for_buyer; break;
  }
  if (cell.ledger == Ledger::pending || cell.ledger == Ledger::waits_for_buyer) cell.was_open = 1;
  return answer_of(cell);
}

Outcome query_arrives(Cell const& cell, Scope const& scope) {
  return scope.finds_by_number ? answer_of(cell) : Outcome::in_doubt;
}

Outcome close_arrives(Cell& cell) {
  bool const can_be_closed = cell.ledger == Ledger::unknown || cell.ledger == Ledger::waits_for_buyer;
  if (cell.ledger == Ledger::held) let_go(cell);
  // Some say yes, and can be paid all the same.
  if (cell.provider == proves_nothing && can_be_closed) return Outcome::declined;
  // A closed number that was unknown is remembered, so that a create that comes later is refused.
  if (can_be_closed) {
    cell.ledger = Ledger::closed;
    cell.was_declined = 1;
  }
  return answer_of(cell);
}

Outcome capture_arrives(Cell& cell, CaptureCell& capture, Choice choice) {
  if (capture.ledger == PartLedger::unknown) {
    bool const has_room = cell.ledger == Ledger::held && cell.taken + halves_of(capture) <= all_halves;
    if (!has_room || choice == Choice::declines)
      capture.ledger = PartLedger::refused;
    else if (choice == Choice::takes_time)
      capture.ledger = PartLedger::pending;
    else
      take(cell, capture);
  }
  return query_part_arrives(capture.ledger);
}

Outcome refund_arrives(Cell const& cell, RefundCell& refund, Choice choice) {
  if (refund.ledger == PartLedger::unknown) {
    bool const has_money = cell.ledger == Ledger::charged && promised_halves(cell) + halves_of(refund) <= cell.taken;
    if (!has_money || choice == Choice::declines)
      refund.ledger = PartLedger::refused;
    else if (choice == Choice::takes_time)
      refund.ledger = PartLedger::pending;
    else {
      refund.ledger = PartLedger::done;
      ++refund.paid_out;
    }
  }
  return query_part_arrives(refund.ledger);
}

Outcome query_part_arrives(PartLedger ledger) {
  switch (ledger) {
    case PartLedger::unknown: return Outcome::not_found;
    case PartLedger::pending: return Outcome::pending;
    case PartLedger::done: return Outcome::succeeded;
    case PartLedger::refused: return Outcome::declined;
  }
  return Outcome::in_doubt;
}

std::string_view to_text(NoticeKind kind) {
  switch (kind) {
    case NoticeKind::charged: return "it is paid";
    case NoticeKind::declined: return "it is refused";
    case NoticeKind::open: return "it is under way";
    case NoticeKind::other_amount: return "another amount is paid";
    case NoticeKind::dispute_opened: return "the payer's bank disputes it";
    case NoticeKind::dispute_won: return "the dispute is won";
    case NoticeKind::dispute_lost: return "the dispute is lost";
  }
  return "";
}

bool may_tell(Cell const& cell, NoticeKind kind) {
  switch (kind) {
    case NoticeKind::charged: return cell.ledger == Ledger::charged;
    case NoticeKind::declined: return cell.was_declined;
    case NoticeKind::open: return cell.was_open;
    case NoticeKind::other_amount: return cell.ledger != Ledger::unknown;
    case NoticeKind::dispute_opened: return cell.dispute != Dispute::none;
    case NoticeKind::dispute_won: return cell.dispute == Dispute::won;
    case NoticeKind::dispute_lost: return cell.dispute == Dispute::lost;
  }
  return false;
}

}  // namespace payonce::check
