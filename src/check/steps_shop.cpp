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

// What of a split order a payment is for.
struct Share {
  Byte part = 0;
  bool is_half = false;
};

std::span<Share const> shares_in(Scope const& scope) {
  static constexpr std::array whole{Share{}};
  static constexpr std::array parts{Share{1, true}, Share{1, false}, Share{2, true}, Share{2, false}};
  return scope.is_split ? std::span<Share const>{parts} : whole;
}

BeginAttempt beginning(Stepper const& stepper, std::size_t place, Byte provider, Share share = {}) {
  Money const amount = stepper.order.head.amount;
  return {.key = the_order(),
          .attempt = number_of(place),
          .idempotency_key = fmt::format("k-{}", place),
          .provider = std::string{provider_names[provider]},
          .method = {},
          .amount_minor = share.is_half ? half_of(amount) : amount.minor,
          .currency = "USD",
          .metadata = {},
          .part = std::string{part_name(share.part)}};
}

// One payment, under a key of its own.
void add_beginning(Stepper& stepper, std::size_t place, Byte provider, Share share) {
  Command const command = beginning(stepper, place, provider, share);
  auto const say = [&] {
    std::string text = fmt::format("a payment begins at {}", provider_names[provider]);
    if (share.part > 0)
      text += fmt::format(" for {} of the {} part", share.is_half ? "half" : "all", part_name(share.part));
    return text;
  };
  commit_or_die(stepper, command, false, say);
  if (stepper.scope.may_replace && stepper.order.live()) {
    BeginAttempt in_its_place = std::get<BeginAttempt>(command);
    in_its_place.replaces = true;
    commit_or_die(stepper, in_its_place, false, [&] { return say() + " in the place of the live one"; });
  }
  State base = stepper.state;
  if (base.lost_commits == 0) return;
  --base.lost_commits;
  std::vector<ProviderCall> held_back;
  if (!stepper.run(command, base, nullptr, &held_back)) return;
  base.cells[place].commit_in_doubt = 1;
  stepper.finish(base, false, [&] { return say() + "; the answer of its commit is lost"; });
}

void add_beginnings(Stepper& stepper) {
  State const& state = stepper.state;
  std::size_t const place = payments_in(state);
  if (place == stepper.scope.payments_max) return;
  for (Byte provider = 0; provider < stepper.scope.keys.size(); ++provider) {
    auto const used = std::ranges::count_if(
        state.cells, [&](Cell const& cell) { return cell.is_there && cell.provider == provider; });
    if (used >= stepper.scope.keys[provider]) continue;
    for (Share const share : shares_in(stepper.scope)) add_beginning(stepper, place, provider, share);
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
    command.part = stepper.order.attempts[i].part;
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
  stepper.commit(command, stepper.state, needs_person(stepper.scope), [&] {
    return fmt::format("an operator settles {}: {}", stepper.name_of(i), is_charged ? "paid" : "not paid");
  });
}

void add_refunds(Stepper& stepper, std::size_t i) {
  auto const& places = stepper.state.cells[i].refunds;
  auto const free = std::ranges::find(places, RefundCell{});
  auto const j = static_cast<std::size_t>(free - places.begin());
  if (j >= stepper.scope.refunds_max) return;
  Money const amount = stepper.order.attempts[i].amount;
  for (std::int64_t const minor : {half_of(amount), amount.minor}) {
    BeginRefund const command{.merchant = the_order().merchant,
                              .attempt = number_of(i),
                              .refund = refund_number_of(i, j, RefundOrigin::request),
                              .idempotency_key = fmt::format("r-k-{}-{}", i, j),
                              .amount_minor = minor,
                              .currency = {},
                              .reason = fmt::format("line {}", j),
                              .actor = "ann"};
    commit_or_die(stepper, command, false,
                  [&] { return fmt::format("{} of {} is to be given back", minor, stepper.name_of(i)); });
  }
}

// The shop gives money back at the provider's own pages, past payonce.
void add_outside_refund(Stepper& stepper, std::size_t i) {
  Cell const& cell = stepper.state.cells[i];
  auto const free = std::ranges::find(cell.refunds, RefundCell{});
  bool const has_one = std::ranges::any_of(cell.refunds, [](RefundCell const& it) {
    return it != RefundCell{} && RefundOrigin{it.origin} == RefundOrigin::outside;
  });
  if (has_one || free == cell.refunds.end() || cell.ledger != Ledger::charged) return;
  for (Byte const is_part : {Byte{1}, Byte{0}}) {
    State next = stepper.state;
    RefundCell& refund = next.cells[i].refunds[static_cast<std::size_t>(free - cell.refunds.begin())];
    refund.origin = static_cast<Byte>(RefundOrigin::outside);
    refund.is_part = is_part;
    if (promised_halves(cell) + halves_of(refund) > cell.taken) continue;
    refund.ledger = PartLedger::done;
    refund.paid_out = 1;
    stepper.add(next, false, [&] {
      return fmt::format("{} of {} is given back at the provider, past payonce", is_part ? "half" : "all",
                         stepper.name_of(i));
    });
  }
}

// The shop takes of a hold: half of it and wants the rest later, half of it and no more, or all.
void add_captures(Stepper& stepper, std::size_t i) {
  auto const& places = stepper.state.cells[i].captures;
  auto const free = std::ranges::find(places, CaptureCell{});
  if (free == places.end()) return;
  auto const j = static_cast<std::size_t>(free - places.begin());
  Money const amount = stepper.order.attempts[i].amount;
  auto const add = [&](std::int64_t minor, bool is_final) {
    BeginCapture const command{.merchant = the_order().merchant,
                               .attempt = number_of(i),
                               .capture = capture_number_of(i, j),
                               .idempotency_key = fmt::format("c-k-{}-{}", i, j),
                               .amount_minor = minor,
                               .currency = {},
                               .is_final = is_final,
                               .actor = "ann"};
    commit_or_die(stepper, command, false, [&] {
      return fmt::format("{} of {} is to be captured{}", minor, stepper.name_of(i), is_final ? ", the last" : "");
    });
  };
  add(half_of(amount), false);
  add(half_of(amount), true);
  add(amount.minor, true);
}

void add_order_steps(Stepper& stepper) {
  if (stepper.scope.may_close)
    stepper.commit(CloseOrder{the_order(), "ann"}, stepper.state, false, [] { return "the shop closes the order"; });
  if (!stepper.scope.may_change_amount) return;
  OrderHead const& head = stepper.order.head;
  RegisterOrder other{the_order(), amount_of(!stepper.state.other_amount), head.policy, {}};
  other.capture = head.capture;
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
    if (stepper.scope.may_refund_outside) add_outside_refund(stepper, i);
    if (stepper.scope.holds) add_captures(stepper, i);
  }
}

}  // namespace payonce::check
