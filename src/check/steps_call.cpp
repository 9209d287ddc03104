// Calls on their way: they arrive, are answered, lost, or never left.
#include "check/stepper.h"
#include "payment/call_kind.h"

namespace payonce::check {

namespace {

CallKind kind_of(Flight const& flight) { return CallKind{flight.kind - 1}; }

// One flight of the state, and where it stands in a copy of it.
struct Place {
  std::size_t cell;
  std::size_t flight;
  std::optional<std::size_t> refund = {};
  std::optional<std::size_t> capture = {};

  Flight& in(State& state) const {
    Cell& at = state.cells[cell];
    if (refund) return at.refunds[*refund].flights[flight];
    return capture ? at.captures[*capture].flights[flight] : at.flights[flight];
  }
  Flight const& in(State const& state) const { return in(const_cast<State&>(state)); }
};

std::string words_of(Stepper const& stepper, Place const& place) {
  return fmt::format("the {} call of {}", to_text(kind_of(place.in(stepper.state))), stepper.name_of(place.cell));
}

Command outcome_command(Stepper const& stepper, Place const& place, Answer answer) {
  Flight const& flight = place.in(stepper.state);
  Attempt const& attempt = stepper.order.attempts[place.cell];
  ProviderCall call{.kind = kind_of(flight), .key = the_order(), .attempt = attempt, .refund = {}};
  call.first_create = flight.is_first != 0;
  if (flight.is_first == stale) --call.attempt.tries;
  if (place.refund) call.refund = *stepper.order.find(refund_number_of(stepper.state, place.cell, *place.refund));
  if (place.capture) call.capture = *stepper.order.find(capture_number_of(place.cell, *place.capture));
  return outcome_of(call, std::move(answer));
}

Answer said(Stepper const& stepper, Place const& place, Outcome outcome) {
  Answer answer;
  answer.outcome = outcome;
  answer.code = "code";
  // Of a hold that has ended the provider says how much it took of it.
  bool const is_of_payment = !place.refund && !place.capture;
  if (stepper.scope.holds && is_of_payment && outcome == Outcome::succeeded)
    answer.amount = stepper.taken_of(place.cell);
  return answer;
}

// The call is over, and its outcome is recorded.
void record(Stepper& stepper, Place const& place, State base, Answer answer, bool is_fair, std::string_view how) {
  stepper.commit(outcome_command(stepper, place, std::move(answer)), base, is_fair,
                 [&] { return fmt::format("{} {}", words_of(stepper, place), how); });
}

Outcome arrive(Stepper const& stepper, Place const& place, State& next, Choice choice) {
  Cell& cell = next.cells[place.cell];
  switch (kind_of(place.in(stepper.state))) {
    case CallKind::create: return create_arrives(cell, choice, stepper.scope);
    case CallKind::query: return query_arrives(cell, stepper.scope);
    case CallKind::close: return close_arrives(cell);
    case CallKind::refund: return refund_arrives(cell, cell.refunds[*place.refund], choice);
    case CallKind::query_refund: return query_part_arrives(cell.refunds[*place.refund].ledger);
    case CallKind::capture: return capture_arrives(cell, cell.captures[*place.capture], choice);
    case CallKind::query_capture: return query_part_arrives(cell.captures[*place.capture].ledger);
  }
  return Outcome::in_doubt;
}

std::span<Choice const> choices_for(Stepper const& stepper, Place const& place) {
  static constexpr std::array only{Choice::agrees};
  static constexpr std::array or_later{Choice::agrees, Choice::takes_time};
  Cell const& cell = stepper.state.cells[place.cell];
  switch (kind_of(place.in(stepper.state))) {
    case CallKind::create: return choices_for_create(cell, stepper.scope);
    case CallKind::refund: return choices_for_refund(cell.refunds[*place.refund], stepper.scope);
    case CallKind::capture: return choices_for_capture(cell.captures[*place.capture], stepper.scope);
    case CallKind::query: return stepper.scope.query_lags ? std::span<Choice const>{or_later} : only;
    case CallKind::close:
    case CallKind::query_refund:
    case CallKind::query_capture: return only;
  }
  return only;
}

void add_arrival(Stepper& stepper, Place const& place) {
  Flight const& flight = place.in(stepper.state);
  for (Choice const choice : choices_for(stepper, place)) {
    State next = stepper.state;
    Outcome outcome = arrive(stepper, place, next, choice);
    bool const is_lagging = kind_of(flight) == CallKind::query && choice == Choice::takes_time;
    if (is_lagging) outcome = Outcome::not_found;
    Flight& there = place.in(next);
    there.may_arrive = there.is_first = 0;
    there.answer = static_cast<Byte>(static_cast<int>(outcome) + 1);
    if (!flight.is_awaited) there = {};
    stepper.add(next, true, [&] {
      return fmt::format("{} reaches the provider, {}; it holds: {}", words_of(stepper, place), to_text(choice),
                         to_text(outcome));
    });
  }
}

void add_endings(Stepper& stepper, Place const& place) {
  Flight const& flight = place.in(stepper.state);
  State over = stepper.state;
  place.in(over) = {};
  if (flight.answer != 0) {
    auto const outcome = Outcome{flight.answer - 1};
    record(stepper, place, over, said(stepper, place, outcome), true, fmt::format("is answered: {}", to_text(outcome)));
  } else if (flight.may_arrive) {
    record(stepper, place, over, said(stepper, place, Outcome::not_sent), false, "never left us, and we know it");
  }
  // A time-out: the request may arrive all the same.
  State lost = stepper.state;
  if (lost.lost_answers == 0 && (flight.answer != 0 || flight.may_arrive)) return;
  if (lost.lost_answers != any_number && lost.lost_answers > 0) --lost.lost_answers;
  Flight& there = place.in(lost);
  there.is_awaited = there.answer = there.is_first = 0;
  if (!flight.may_arrive || is_query(kind_of(flight))) there = {};
  bool const can_only_time_out = flight.answer == 0 && !flight.may_arrive;
  record(stepper, place, lost, said(stepper, place, Outcome::in_doubt), can_only_time_out, "is given up: no answer");
  if (can_only_time_out) return;
  Answer nonsense;
  nonsense.outcome = Outcome::declined;
  record(stepper, place, lost, std::move(nonsense), false, "is answered by somebody else on the way: a bare no");
}

void add_steps_of(Stepper& stepper, Place const& place) {
  Flight const& flight = place.in(stepper.state);
  if (flight.kind == 0) return;
  if (flight.may_arrive) add_arrival(stepper, place);
  if (flight.is_awaited) add_endings(stepper, place);
}

}  // namespace

void add_call_steps(Stepper& stepper) {
  for (std::size_t i = 0; i < State::cells_max; ++i) {
    Cell const& cell = stepper.state.cells[i];
    for (std::size_t k = 0; k < cell.flights.size(); ++k) add_steps_of(stepper, {i, k});
    for (std::size_t j = 0; j < cell.refunds.size(); ++j)
      for (std::size_t k = 0; k < cell.refunds[j].flights.size(); ++k)
        add_steps_of(stepper, {.cell = i, .flight = k, .refund = j});
    for (std::size_t j = 0; j < cell.captures.size(); ++j)
      for (std::size_t k = 0; k < cell.captures[j].flights.size(); ++k)
        add_steps_of(stepper, {.cell = i, .flight = k, .capture = j});
  }
}

}  // namespace payonce::check
