// What happens by itself: recovery, the provider's own doings and notices, crashes, and time.
#include <algorithm>

#include "check/stepper.h"
#include "payment/call_kind.h"

namespace payonce::check {

namespace {

constexpr Byte due_now = 1;

void take_up(Stepper& stepper, Command const& command, std::string const& what) {
  stepper.commit(command, stepper.state, true, [&] { return "recovery takes up " + what; });
  if (stepper.state.crashes == 0) return;
  State base = stepper.state;
  --base.crashes;
  std::vector<ProviderCall> not_made;
  if (stepper.run(command, base, nullptr, &not_made) && !not_made.empty())
    stepper.finish(base, false, [&] { return "recovery takes up " + what + " and dies before its call"; });
}

void add_recovery(Stepper& stepper) {
  if (stepper.state.order_due == due_now)
    stepper.commit(ExpireOrder{the_order(), *stepper.order.head.due_at}, stepper.state, true,
                   [] { return "the order's time is over"; });
  for (Attempt const& attempt : stepper.order.attempts) {
    std::size_t const i = cell_of(stepper.state, attempt.id);
    if (stepper.state.cells[i].due == due_now)
      take_up(stepper, TakeUpAttempt{the_order(), attempt.id, *attempt.due_at}, stepper.name_of(i));
  }
  for (Refund const& refund : stepper.order.refunds)
    if (refund.due_at && *refund.due_at <= now)
      take_up(stepper, TakeUpRefund{the_order(), refund.id, *refund.due_at},
              "a refund of " + stepper.name_of(cell_of(stepper.state, refund.attempt)));
  for (Capture const& capture : stepper.order.captures)
    if (capture.due_at && *capture.due_at <= now)
      take_up(stepper, TakeUpCapture{the_order(), capture.id, *capture.due_at},
              "a capture of " + stepper.name_of(cell_of(stepper.state, capture.attempt)));
}

// The provider finishes what it has begun.
void add_provider_doings(Stepper& stepper, std::size_t i) {
  Cell const& cell = stepper.state.cells[i];
  auto const becomes = [&](Ledger ledger, bool is_fair, std::string_view what) {
    State next = stepper.state;
    Cell& there = next.cells[i];
    there.ledger = ledger;
    if (ledger == Ledger::charged) agree(there, stepper.scope);
    if (ledger == Ledger::declined) there.was_declined = 1;
    there.has_changed_its_mind |= cell.ledger == Ledger::declined || cell.ledger == Ledger::closed;
    if (there.has_changed_its_mind > cell.has_changed_its_mind) --next.changes_of_mind;
    stepper.add(next, is_fair, [&] { return fmt::format("the provider of {} {}", stepper.name_of(i), what); });
  };
  bool const is_over = cell.expires == 0 || !is_watched(AttemptState{cell.state});
  switch (cell.ledger) {
    case Ledger::pending:
      becomes(Ledger::charged, true, "has agreed to it");
      becomes(Ledger::declined, true, "has refused it");
      break;
    case Ledger::waits_for_buyer:
      if (!is_over) becomes(Ledger::charged, false, "is paid by the buyer");
      becomes(Ledger::declined, is_over, "sees the buyer leave");
      break;
    case Ledger::declined:
    case Ledger::closed:
      if (stepper.state.changes_of_mind > 0 && cell.charges == 0)
        becomes(Ledger::charged, false, "charges it after it had said no");
      break;
    case Ledger::unknown:
    case Ledger::held:
    case Ledger::charged: break;
  }
}

// Nobody wanted the money that it holds, or not all of it.
void add_end_of_hold(Stepper& stepper, std::size_t i) {
  Cell const& cell = stepper.state.cells[i];
  bool const is_capturing = std::ranges::any_of(
      cell.captures, [](CaptureCell const& capture) { return capture.ledger == PartLedger::pending; });
  if (cell.ledger != Ledger::held || cell.expires > 0 || is_capturing) return;
  State next = stepper.state;
  let_go(next.cells[i]);
  stepper.add(next, true, [&] { return fmt::format("the provider of {} lets the hold go", stepper.name_of(i)); });
}

// The payer's bank takes money that came, and decides.
void add_disputes(Stepper& stepper, std::size_t i) {
  Cell const& cell = stepper.state.cells[i];
  auto const becomes = [&](Dispute dispute, std::string_view what) {
    State next = stepper.state;
    next.cells[i].dispute = dispute;
    if (dispute == Dispute::open) --next.disputes;
    stepper.add(next, dispute != Dispute::open, [&] { return fmt::format("{}: {}", stepper.name_of(i), what); });
  };
  bool const may_begin = cell.ledger == Ledger::charged && cell.dispute == Dispute::none;
  if (may_begin && stepper.state.disputes > 0) becomes(Dispute::open, "the payer's bank opens a dispute");
  if (cell.dispute != Dispute::open) return;
  becomes(Dispute::won, "the payer's bank gives the money to the shop");
  becomes(Dispute::lost, "the payer's bank gives the money to the payer");
}

// Refunds and captures that it took its time for.
void add_part_doings(Stepper& stepper, std::size_t i) {
  for (bool const agrees : {true, false}) {
    std::string_view const what = agrees ? "does" : "refuses";
    Cell const& cell = stepper.state.cells[i];
    for (std::size_t j = 0; j < cell.refunds.size(); ++j) {
      if (cell.refunds[j].ledger != PartLedger::pending) continue;
      State next = stepper.state;
      RefundCell& there = next.cells[i].refunds[j];
      there.ledger = agrees ? PartLedger::done : PartLedger::refused;
      if (agrees) ++there.paid_out;
      stepper.add(next, true,
                  [&] { return fmt::format("the provider of {} {} its refund", stepper.name_of(i), what); });
    }
    for (std::size_t j = 0; j < cell.captures.size(); ++j) {
      if (cell.captures[j].ledger != PartLedger::pending) continue;
      State next = stepper.state;
      CaptureCell& there = next.cells[i].captures[j];
      there.ledger = PartLedger::refused;
      if (agrees) take(next.cells[i], there);
      stepper.add(next, true,
                  [&] { return fmt::format("the provider of {} {} its capture", stepper.name_of(i), what); });
    }
  }
}

Outcome outcome_in(NoticeKind kind, Scope const& scope) {
  switch (kind) {
    case NoticeKind::charged:
    case NoticeKind::other_amount: return Outcome::succeeded;
    case NoticeKind::declined: return Outcome::declined;
    case NoticeKind::open: return scope.holds ? Outcome::authorized : Outcome::requires_action;
    case NoticeKind::dispute_opened: return Outcome::dispute_opened;
    case NoticeKind::dispute_won: return Outcome::dispute_won;
    case NoticeKind::dispute_lost: return Outcome::dispute_lost;
  }
  return Outcome::in_doubt;
}

ApplyNotice notice_of(Stepper const& stepper, std::size_t i, NoticeKind kind) {
  ApplyNotice notice;
  notice.provider = provider_names[stepper.state.cells[i].provider];
  notice.event_id = "event";
  notice.number = number_of(i).value;
  notice.answer.outcome = outcome_in(kind, stepper.scope);
  notice.answer.code = "code";
  notice.answer.amount = stepper.taken_of(i);
  if (kind == NoticeKind::other_amount) notice.answer.amount->minor += 1;
  return notice;
}

// A notice that is worked in already changes nothing: laws.cpp runs each a second time.
void add_notice(Stepper& stepper, std::size_t i, NoticeKind kind) {
  Byte const bit = static_cast<Byte>(1 << static_cast<int>(kind));
  if ((stepper.state.cells[i].notices & bit) || !may_tell(stepper.state.cells[i], kind)) return;
  State base = stepper.state;
  base.cells[i].notices |= bit;
  if (kind == NoticeKind::other_amount) --base.misfits;
  // A provider that charged says so in the end, however often it takes; so does one whose payer disputes.
  bool const is_fair = kind == NoticeKind::charged || is_take_back(outcome_in(kind, stepper.scope));
  stepper.commit(notice_of(stepper, i, kind), base, is_fair, [&] {
    return fmt::format("the provider's notice about {} comes: {}", stepper.name_of(i), to_text(kind));
  });
}

void add_refund_notices(Stepper& stepper, std::size_t i) {
  Cell const& cell = stepper.state.cells[i];
  for (std::size_t j = 0; j < cell.refunds.size(); ++j) {
    RefundCell const& refund = cell.refunds[j];
    bool const is_over = refund.ledger == PartLedger::done || refund.ledger == PartLedger::refused;
    bool const is_outside = RefundOrigin{refund.origin} == RefundOrigin::outside;
    if (!is_over || refund.notices) continue;
    ApplyNotice notice = notice_of(stepper, i, NoticeKind::open);
    notice.refund_number = is_outside ? outside_refund_number() : refund_number_of(stepper.state, i, j).value;
    notice.answer.outcome = refund.ledger == PartLedger::done ? Outcome::succeeded : Outcome::declined;
    notice.answer.amount = stepper.order.attempts[i].amount;
    if (refund.is_part) notice.answer.amount->minor = half_of(*notice.answer.amount);
    State base = stepper.state;
    base.cells[i].refunds[j].notices = 1;
    // Of a refund that nobody asked for here, there is no other news.
    stepper.commit(notice, base, is_outside,
                   [&] { return fmt::format("a notice about a refund of {} comes", stepper.name_of(i)); });
  }
}

template <class Flights>
void grow_older(Flights& flights) {
  for (Flight& flight : flights) {
    if (flight.kind == 0) continue;
    if (flight.age < request_life) {
      ++flight.age;
      continue;
    }
    flight.may_arrive = 0;
    if (!flight.is_awaited) flight = {};
  }
}

void count_down(Byte& due) {
  if (due > 1) --due;
}
void count_up(Byte& age, Byte longest) {
  if (age < longest) ++age;
}

// An answer is recorded within its lease or one tick later, when recovery may have asked as well.
bool is_waited_for_too_long(Flight const& flight) { return flight.is_awaited && flight.age == request_life; }

bool must_wait(State const& state) {
  auto const has_one = [](auto const& it) { return std::ranges::any_of(it.flights, is_waited_for_too_long); };
  return std::ranges::any_of(state.cells, [&](Cell const& cell) {
    return has_one(cell) || std::ranges::any_of(cell.refunds, has_one) || std::ranges::any_of(cell.captures, has_one);
  });
}

void add_time(Stepper& stepper) {
  if (must_wait(stepper.state)) return;
  State next = stepper.state;
  Scope const& scope = stepper.scope;
  count_down(next.order_due);
  count_down(next.order_expires);
  for (Cell& cell : next.cells) {
    if (!cell.is_there) continue;
    bool const is_open = is_watched(AttemptState{cell.state});
    count_down(cell.due);
    if (cell.sent_age > 0 && is_open) count_up(cell.sent_age, longest_sent_age(scope) + 1);
    if (cell.expires > 0) --cell.expires;
    if (is_open) count_up(cell.age, scope.alarm_after);
    if (cell.ledger != Ledger::unknown && cell.provider == idempotent) count_up(cell.ledger_age, scope.key_memory);
    grow_older(cell.flights);
    for (RefundCell& refund : cell.refunds) {
      if (!refund.is_there) continue;
      count_down(refund.due);
      count_up(refund.age, scope.alarm_after);
      grow_older(refund.flights);
    }
    for (CaptureCell& capture : cell.captures) {
      count_down(capture.due);
      grow_older(capture.flights);
    }
  }
  if (next != stepper.state) stepper.add(next, true, [] { return "time passes"; });
}

// Nobody waits for answers any more; requests under way still arrive.
void add_crash(Stepper& stepper) {
  if (stepper.state.crashes == 0) return;
  State next = stepper.state;
  --next.crashes;
  auto const forget = [](auto& flights) {
    for (Flight& flight : flights) {
      flight.is_awaited = flight.answer = flight.is_first = 0;
      // A question that nobody waits for changes nothing.
      if (flight.kind != 0 && (!flight.may_arrive || is_query(CallKind{flight.kind - 1}))) flight = {};
    }
  };
  for (Cell& cell : next.cells) {
    cell.commit_in_doubt = 0;
    forget(cell.flights);
    for (RefundCell& refund : cell.refunds) forget(refund.flights);
    for (CaptureCell& capture : cell.captures) forget(capture.flights);
  }
  stepper.add(next, false, [] { return "the node dies and comes back"; });
}

}  // namespace

void add_world_steps(Stepper& stepper) {
  add_recovery(stepper);
  for (std::size_t i = 0; i < stepper.order.attempts.size(); ++i) {
    add_provider_doings(stepper, i);
    add_part_doings(stepper, i);
    add_end_of_hold(stepper, i);
    add_disputes(stepper, i);
    if (!stepper.scope.has_notices || stepper.state.cells[i].provider == offline) continue;
    add_notice(stepper, i, NoticeKind::charged);
    add_notice(stepper, i, NoticeKind::declined);
    if (stepper.scope.has_late_notices) add_notice(stepper, i, NoticeKind::open);
    if (stepper.state.misfits > 0) add_notice(stepper, i, NoticeKind::other_amount);
    for (NoticeKind const kind : {NoticeKind::dispute_opened, NoticeKind::dispute_won, NoticeKind::dispute_lost})
      add_notice(stepper, i, kind);
    add_refund_notices(stepper, i);
  }
  add_crash(stepper);
  add_time(stepper);
}

}  // namespace payonce::check
