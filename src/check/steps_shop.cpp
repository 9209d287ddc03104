// What people ask for: payments under keys of their own, cancellations, refunds, and what an operator does.
#include <algorithm>

#include "check/stepper.h"

namespace payonce::check {

namespace {

std::size_t payments_in(State const& state) {
  return static_cast<std::size_t>(std::ranges::count(state.cells, Byte{1}, &Cell::is_there));
}

// A command that asks for calls: all goes well, or the node dies between its commit and the calls.
template <class Say>
void commit_or_die(Stepper& stepper, Command const& command, bool is_fair, Say const& say) {
  stepper.commit(command, stepper.state, is_fair, say);
  if (stepper.state.crashes == 0) return;
  State base = stepper.state;
  --base.crashes;
  std::vector<ProviderCall> not_made;
  if (!stepper.run(command, base, nullptr, &not_made) || not_made.empty()) return;
  stepper.finish(base, false, [&] { return say() + "; the node dies before it calls the provider"; });
}

BeginAttempt beginning(Stepper const& stepper, std::size_t place, Byte provider) {
  return {.key = the_order(),
          .attempt = number_of(place),
          .idempotency_key = fmt::format("k-{}", place),
          .provider = std::string{provider_names[provider]},
          .method = {},
          .amount_minor = stepper.order.head.amount.minor,
          .currency = "USD",
          .metadata = {}};
}

void add_beginnings(Stepper& stepper) {
  State const& state = stepper.state;
  std::size_t const place = payments_in(state);
  if (place == stepper.scope.payments_max) return;
  for (Byte provider = 0; provider < stepper.scope.keys.size(); ++provider) {
    auto const used = std::ranges::count_if(
        state.cells, [&](Cell const& cell) { return cell.is_there && cell.provider == provider; });
    if (used >= stepper.scope.keys[provider]) continue;
    Command const command = beginning(stepper, place, provider);
    auto const say = [&] { return fmt::format("a payment begins at {}", provider_names[provider]); };
    commit_or_die(stepper, command, false, say);
    if (stepper.scope.may_replace && stepper.order.live()) {
      BeginAttempt in_its_place = std::get<BeginAttempt>(command);
      in_its_place.replaces = true;
      commit_or_die(stepper, in_its_place, false, [&] { return say() + " in the place of the live one"; });
    }
    State base = state;
    if (base.lost_commits == 0) continue;
    --base.lost_commits;
    std::vector<ProviderCall> held_back;
    if (!stepper.run(command, base, nullptr, &held_back)) continue;
    base.cells[place].commit_in_doubt = 1;
    stepper.finish(base, false, [&] { return say() + "; the answer of its commit is lost"; });
  }
  if (!stepper.scope.may_pay_offline) return;
  RecordOfflinePayment const by_hand{
      the_order(), number_of(place), fmt::format("k-{}", place), stepper.order.head.amount, "at the counter", "R-7",
      "ann"};
  stepper.commit(by_hand, state, false, [] { return "support books money that came by hand"; });
}

void add_runs_after_lost_commits(Stepper& stepper) {
  for (std::size_t i = 0; i < State::cells_max; ++i) {
    if (!stepper.state.cells[i].commit_in_doubt) continue;
    BeginAttempt command = beginning(stepper, i, stepper.state.cells[i].provider);
    command.amount_minor = stepper.order.attempts[i].amount.minor;
    State base = stepper.state;
    base.cells[i].commit_in_doubt = 0;
    stepper.commit(command, base, true,
                   [&] { return fmt::format("the command that began {} runs again", stepper.name_of(i)); });
  }
}

// A person who has looked into the provider's books, and knows that nothing is on its way any more.
void add_operator(Stepper& stepper, std::size_t i) {
  Cell const& cell = stepper.state.cells[i];
  bool const may_charge =
      cell.ledger == Ledger::pending || cell.ledger == Ledger::waits_for_buyer ||
      std::ranges::any_of(cell.flights, [](Flight const& flight) { return flight.may_arrive != 0; });
  if (!is_watched(AttemptState{cell.state}) || may_charge) return;
  bool const is_charged = cell.ledger == Ledger::charged;
  RecordOutcome command{the_order(), number_of(i), Evidence::operator_, {}, "ann", std::nullopt};
  command.answer.outcome = is_charged ? Outcome::succeeded : Outcome::declined;
  command.answer.code = "by_hand";
  stepper.commit(command, stepper.state, stepper.scope.keys[2] > 0, [&] {
    return fmt::format("an operator settles {}: {}", stepper.name_of(i), is_charged ? "paid" : "not paid");
  });
}

void add_refunds(Stepper& stepper, std::size_t i) {
  auto const& places = stepper.state.cells[i].refunds;
  auto const free = std::ranges::find(places, Byte{0}, &RefundCell::is_there);
  auto const j = static_cast<std::size_t>(free - places.begin());
  if (j >= stepper.scope.refunds_max) return;
  Money const amount = stepper.order.attempts[i].amount;
  for (std::int64_t const minor : {half_of(amount), amount.minor}) {
    BeginRefund const command{.merchant = the_order().merchant,
                              .attempt = number_of(i),
                              .refund = refund_number_of(i, j, false),
                              .idempotency_key = fmt::format("r-k-{}-{}", i, j),
                              .amount_minor = minor,
                              .currency = {},
                              .reason = fmt::format("line {}", j),
                              .actor = "ann"};
    commit_or_die(stepper, command, false,
                  [&] { return fmt::format("{} of {} is to be given back", minor, stepper.name_of(i)); });
  }
}

void add_order_steps(Stepper& stepper) {
  if (stepper.scope.may_close)
    stepper.commit(CloseOrder{the_order(), "ann"}, stepper.state, false, [] { return "the shop closes the order"; });
  if (!stepper.scope.may_change_amount) return;
  RegisterOrder const other{the_order(), amount_of(!stepper.state.other_amount), Policy::single, {}};
  stepper.commit(other, stepper.state, false, [&] { return "the order's amount becomes " + to_text(other.amount); });
}

}  // namespace

void add_shop_steps(Stepper& stepper) {
  add_beginnings(stepper);
  add_runs_after_lost_commits(stepper);
  add_order_steps(stepper);
  for (std::size_t i = 0; i < payments_in(stepper.state); ++i) {
    if (stepper.scope.may_cancel)
      commit_or_die(stepper, CancelAttempt{the_order().merchant, number_of(i), "ann"}, false,
                    [&] { return fmt::format("the shop gives {} up", stepper.name_of(i)); });
    if (stepper.scope.has_operator) add_operator(stepper, i);
    if (stepper.scope.may_refund) add_refunds(stepper, i);
  }
}

}  // namespace payonce::check
