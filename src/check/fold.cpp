#include "check/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/id.h"
#include "payment/fingerprint.h"

namespace payonce::check {

namespace {

// How often a row was taken up matters in two ways only: not at all, or more often than somebody has seen.
constexpr int taken_up = 5;
constexpr std::string_view misfit_alarm = "does not fit: ";

Byte ticks_between(Time from, Time to, Byte longest) {
  auto const ticks = (to - from) / tick;
  return static_cast<Byte>(std::clamp<std::int64_t>(ticks, 0, longest));
}

Byte due_byte(std::optional<Time> due_at) {
  return due_at ? static_cast<Byte>(1 + ticks_between(now, *due_at, any_number - 1)) : Byte{0};
}
std::optional<Time> due_time(Byte due) { return due == 0 ? std::nullopt : std::optional{now + (due - 1) * tick}; }

Byte review_byte(std::string const& review) {
  return review.empty() ? Byte{0} : review.starts_with(misfit_alarm) ? Byte{1} : Byte{2};
}
std::string review_text(Byte review) {
  return review == 0 ? "" : review == 1 ? std::string{misfit_alarm} + "earlier" : "earlier alarm";
}

std::string const& fingerprint_of(Attempt const& attempt) {
  thread_local std::map<std::tuple<std::string, std::int64_t>, std::string> known;
  auto const [at, is_new] = known.try_emplace({attempt.provider, attempt.amount.minor});
  if (is_new) at->second = payonce::fingerprint(money_fields(the_order().order, attempt));
  return at->second;
}

Attempt attempt_from(Cell const& cell, std::size_t index, Scope const&) {
  Attempt attempt{.id = number_of(index), .amount = amount_of(cell.other_amount)};
  attempt.key = fmt::format("k-{}", index);
  attempt.provider = provider_names[cell.provider];
  attempt.fingerprint = fingerprint_of(attempt);
  attempt.state = AttemptState{cell.state};
  attempt.surplus = cell.surplus;
  attempt.exposed = cell.exposed;
  attempt.cancel_requested = cell.cancel_requested;
  attempt.review = review_text(cell.review);
  if (cell.provider != offline) attempt.request = "create " + attempt.id.value;
  if (cell.evidence > 0) {
    attempt.evidence = cell.evidence == 2 ? Evidence::notice : Evidence::response;
    attempt.answer_code = "code";
  }
  attempt.tries = cell.was_taken_up ? taken_up : 0;
  attempt.due_at = due_time(cell.due);
  if (cell.sent_age > 0) attempt.first_sent_at = now - (cell.sent_age - 1) * tick;
  attempt.expires_at = now + cell.expires * tick;
  attempt.created_at = now - cell.age * tick;
  if (!is_watched(attempt.state)) attempt.settled_at = now;
  return attempt;
}

Refund refund_from(RefundCell const& cell, std::size_t index, Attempt const& attempt, RefundId id) {
  Refund refund{.id = std::move(id), .attempt = attempt.id, .amount = attempt.amount};
  if (cell.is_part) refund.amount.minor = half_of(attempt.amount);
  if (!cell.is_surplus) refund.key = fmt::format("r-{}-{}", attempt.key, index);
  if (cell.is_surplus) refund.origin = RefundOrigin::surplus;
  refund.reason = cell.is_surplus ? "surplus" : fmt::format("line {}", index);
  refund.state = RefundState{cell.state};
  refund.review = review_text(cell.review);
  if (cell.has_request) refund.request = "refund " + refund.id.value;
  if (cell.has_evidence) {
    refund.evidence = Evidence::response;
    refund.answer_code = "code";
  }
  refund.tries = cell.was_taken_up ? taken_up : 0;
  refund.due_at = due_time(cell.due);
  refund.created_at = now - cell.age * tick;
  return refund;
}

// Left out: what never changes (number, key, fingerprint, request; laws.cpp watches over them), what only people read
// (method, metadata, the provider's words), and when the row was last touched.
void fold_attempt(Attempt const& attempt, Scope const& scope, Cell& cell) {
  bool const was_taken_up = cell.is_there && attempt.tries != (cell.was_taken_up ? taken_up : 0);
  if (was_taken_up)
    for (Flight& flight : cell.flights)
      if (flight.is_first == fresh) flight.is_first = stale;
  cell.is_there = 1;
  cell.provider = static_cast<Byte>(std::ranges::find(provider_names, attempt.provider) - provider_names.begin());
  cell.other_amount = attempt.amount == amount_of(true);
  cell.state = static_cast<Byte>(attempt.state);
  cell.surplus = attempt.surplus;
  cell.review = review_byte(attempt.review);
  cell.evidence = !attempt.evidence ? Byte{0} : attempt.evidence == Evidence::notice ? Byte{2} : Byte{1};
  cell.was_taken_up = attempt.tries > 0;
  cell.due = due_byte(attempt.due_at);
  // What ended is not asked for these any more.
  bool const is_open = is_watched(attempt.state);
  cell.exposed = is_open && attempt.exposed;
  cell.cancel_requested = is_open && attempt.cancel_requested;
  cell.sent_age = cell.expires = cell.age = 0;
  if (!is_open) return;
  if (attempt.first_sent_at)
    cell.sent_age = static_cast<Byte>(1 + ticks_between(*attempt.first_sent_at, now, longest_sent_age(scope)));
  cell.expires = ticks_between(now, attempt.expires_at, scope.life);
  cell.age = ticks_between(attempt.created_at, now, scope.alarm_after);
}

void fold_refund(Refund const& refund, Scope const& scope, RefundCell& cell) {
  std::int64_t const minor = refund.amount.minor;
  cell.is_there = 1;
  cell.state = static_cast<Byte>(refund.state);
  cell.is_surplus = refund.gives_surplus_back();
  cell.is_part = minor == half_of(amount_of(false)) || minor == half_of(amount_of(true));
  cell.review = review_byte(refund.review);
  cell.has_evidence = refund.evidence.has_value();
  cell.was_taken_up = refund.tries > 0;
  cell.due = due_byte(refund.due_at);
  cell.age = is_watched(refund.state) ? ticks_between(refund.created_at, now, scope.alarm_after) : Byte{0};
  cell.has_request = !refund.request.empty();
}

}  // namespace

OrderKey const& the_order() {
  static OrderKey const key{MerchantId{"shop"}, OrderId{"PA-1001"}};
  return key;
}

AttemptId const& number_of(std::size_t cell) {
  static auto const numbers = [] {
    std::array<AttemptId, State::cells_max> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = AttemptId{fmt::format("pay_{:026}", i)};
    return all;
  }();
  return numbers.at(cell);
}

RefundId const& refund_number_of(std::size_t cell, std::size_t refund, bool is_surplus) {
  struct Numbers {
    std::array<RefundId, 2> asked_for;
    RefundId surplus;
  };
  static auto const numbers = [] {
    std::array<Numbers, State::cells_max> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all[i].asked_for.size(); ++j)
        all[i].asked_for[j] = RefundId{fmt::format("ref_{:025}{}", i, j)};
      all[i].surplus = surplus_refund_id(number_of(i));
    }
    return all;
  }();
  return is_surplus ? numbers.at(cell).surplus : numbers.at(cell).asked_for.at(refund);
}

std::size_t cell_of(State const& state, AttemptId const& id) {
  std::size_t index = 0;
  while (index < state.cells.size() && !(state.cells[index].is_there && number_of(index) == id)) ++index;
  return index;
}

Money amount_of(bool is_other) { return {is_other ? 3'000 : 2'000, Currency::of("USD")}; }
std::int64_t half_of(Money amount) { return amount.minor / 2; }

Order unfold(State const& state, Scope const& scope) {
  Order order{{.key = the_order(),
               .amount = amount_of(state.other_amount),
               .metadata = {},
               .created_at = now,
               .updated_at = now},
              {},
              {}};
  order.head.state = OrderState{state.order};
  order.head.expires_at = due_time(state.order_expires);
  order.head.due_at = due_time(state.order_due);
  for (std::size_t i = 0; i < state.cells.size() && state.cells[i].is_there; ++i) {
    Cell const& cell = state.cells[i];
    Attempt const& attempt = order.attempts.emplace_back(attempt_from(cell, i, scope));
    for (std::size_t j = 0; j < cell.refunds.size() && cell.refunds[j].is_there; ++j)
      order.refunds.push_back(
          refund_from(cell.refunds[j], j, attempt, refund_number_of(i, j, cell.refunds[j].is_surplus)));
  }
  order.head.paid_minor = order.paid_minor();
  order.head.held_minor = order.held_minor();
  return order;
}

void fold(Order const& order, Scope const& scope, State& state) {
  state.order = static_cast<Byte>(order.head.state);
  state.other_amount = order.head.amount == amount_of(true);
  state.order_expires = due_byte(order.head.expires_at);
  state.order_due = due_byte(order.head.due_at);
  for (std::size_t i = 0; i < order.attempts.size(); ++i) fold_attempt(order.attempts[i], scope, state.cells.at(i));
  for (Refund const& refund : order.refunds) {
    std::size_t const i = cell_of(state, refund.attempt);
    auto& places = state.cells.at(i).refunds;
    std::size_t j = 0;
    while (j < places.size() && places[j].is_there && refund_number_of(i, j, places[j].is_surplus) != refund.id) ++j;
    if (j == places.size()) throw std::logic_error("check: no place for refund " + refund.id.value);
    fold_refund(refund, scope, places[j]);
  }
}

}  // namespace payonce::check
