#include "check/steps.h"

#include <algorithm>

#include "check/stepper.h"

namespace payonce::check {

namespace {

template <class Flights>
void take_off(Flights& all, Flight flight, Byte calls_max) {
  std::span const flights{all.data(), std::min<std::size_t>(all.size(), calls_max)};
  auto const place = std::ranges::find(flights, Byte{0}, &Flight::kind);
  // With no place left the call is not made, as if the node had died before it.
  if (place != flights.end()) *place = flight;
}

std::size_t refund_place(State const& state, std::size_t cell, RefundId const& id) {
  std::size_t j = 0;
  while (j < state.cells[cell].refunds.size() && refund_number_of(state, cell, j) != id) ++j;
  return j;
}

std::size_t capture_place(std::size_t cell, CaptureId const& id) {
  std::size_t j = 0;
  while (j < captures_max && capture_number_of(cell, j) != id) ++j;
  return j;
}

}  // namespace

void Stepper::make_calls(State& next, std::vector<ProviderCall> const& calls) const {
  for (ProviderCall const& call : calls) {
    std::size_t const i = cell_of(next, call.attempt.id);
    Flight const flight{.kind = static_cast<Byte>(static_cast<int>(call.kind) + 1),
                        .is_first = call.first_create,
                        .may_arrive = 1,
                        .is_awaited = 1};
    Cell& cell = next.cells.at(i);
    if (call.refund)
      take_off(cell.refunds.at(refund_place(next, i, call.refund->id)).flights, flight, scope.calls_max);
    else if (call.capture)
      take_off(cell.captures.at(capture_place(i, call.capture->id)).flights, flight, scope.calls_max);
    else
      take_off(cell.flights, flight, scope.calls_max);
  }
}

void Stepper::book_effects(State& next, std::vector<Effect> const& effects) {
  for (Effect const& effect : effects) {
    Cell& cell = next.cells.at(cell_of(next, effect.attempt));
    Byte& count = effect.refund.empty()
                      ? cell.has_effect
                      : cell.refunds.at(refund_place(next, cell_of(next, effect.attempt), effect.refund)).has_effect;
    if (++count > 1) broken_ = "6: an effect is written twice";
  }
}

bool Stepper::run(Command const& command, State& base, NoticeRow const* known, std::vector<ProviderCall>* held_back) {
  broken_.clear();
  Decision const decision = decide(situation_of(order, command, known), command, terms, now);
  if (!decision.reply) return false;
  Order after = order;
  apply(after, decision.changes);
  NoticeRow const* const known_after = decision.changes.notice ? &*decision.changes.notice : known;
  broken_ = broken_by_commit(base, {order, after, command, decision, known_after}, terms);
  fold(after, scope, base);
  book_effects(base, decision.changes.effects);
  if (held_back)
    *held_back = decision.calls;
  else
    make_calls(base, decision.calls);
  return true;
}

std::vector<Step> steps_from(State const& state, Scope const& scope, Terms const& terms, Words words,
                             std::string& broken) {
  Stepper stepper{state, scope, terms, words};
  broken = broken_in_state(state, stepper.order, terms);
  if (!broken.empty()) return {};
  add_call_steps(stepper);
  add_world_steps(stepper);
  add_shop_steps(stepper);
  return std::move(stepper.steps);
}

State first_state(Scope const& scope) {
  auto const due_in = [](Byte ticks) { return ticks == 0 ? Byte{0} : static_cast<Byte>(1 + ticks); };
  return {.order_expires = due_in(scope.order_life),
          .order_due = due_in(scope.order_life),
          .crashes = scope.crashes,
          .lost_answers = scope.lost_answers,
          .lost_commits = scope.lost_commits,
          .changes_of_mind = scope.changes_of_mind,
          .misfits = scope.misfits,
          .disputes = scope.disputes};
}

}  // namespace payonce::check
