#include "check/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/id.h"
#include "payment/draft.h"
#include "payment/fingerprint.h"

namespace payonce::check {

namespace {

// How often a row was taken up matters in three ways only: not at all, more often than somebody has seen, and whether
// it was an odd number of times where the create is repeated instead of asking.
constexpr int taken_up = 5;
int tries_of(Byte was_taken_up) { return was_taken_up == 0 ? 0 : taken_up + was_taken_up - 1; }
// What alarms are about, as far as the rules look at it: how they begin.
constexpr std::array<std::string_view, 4> alarms{"", "does not fit: ", "earlier alarm", taken_back_alarm};

Byte ticks_between(Time from, Time to, Byte longest) {
  auto const ticks = (to - from) / tick;
  return static_cast<Byte>(std::clamp<std::int64_t>(ticks, 0, longest));
}

Byte due_byte(std::optional<Time> due_at) {
  return due_at ? static_cast<Byte>(1 + ticks_between(now, *due_at, any_number - 1)) : Byte{0};
}
std::optional<Time> due_time(Byte due) { return due == 0 ? std::nullopt : std::optional{now + (due - 1) * tick}; }

Byte review_byte(std::string const& review) {
  if (review.empty()) return 0;
  return review.starts_with(alarms[1]) ? Byte{1} : review.starts_with(alarms[3]) ? Byte{3} : Byte{2};
}

std::string const& fingerprint_of(Attempt const& attempt) {
  thread_local std::map<std::tuple<std::string, std::int64_t, std::string>, std::string> known;
  auto const [at, is_new] = known.try_emplace({attempt.provider, attempt.amount.minor, attempt.part});
  if (is_new) at->second = payonce::fingerprint(money_fields(the_order().order, attempt));
  return at->second;
}

Attempt attempt_from(Cell const& cell, std::size_t index, Scope const&) {
  Attempt attempt{.id = number_of(index), .amount = amount_of(cell.other_amount)};
  if (cell.is_half) attempt.amount.minor = half_of(attempt.amount);
  attempt.part = part_name(cell.part);
  attempt.key = fmt::format("k-{}", index);
  attempt.provider = provider_names[cell.provider];
  attempt.fingerprint = fingerprint_of(attempt);
  attempt.state = AttemptState{cell.state};
  attempt.surplus = cell.surplus;
  attempt.exposed = cell.exposed;
  attempt.cancel_requested = cell.cancel_requested;
  attempt.review = alarms.at(cell.review);
  if (cell.provider != offline) attempt.request = "create " + attempt.id.value;
  if (cell.evidence > 0) {
    attempt.evidence = cell.evidence == 2 ? Evidence::notice : Evidence::response;
    attempt.answer_code = "code";
  }
  attempt.tries = tries_of(cell.was_taken_up);
  attempt.captured_minor = cell.came_half ? half_of(attempt.amount) : 0;
  attempt.disputes = cell.disputes;
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
  refund.origin = RefundOrigin{cell.origin};
  bool const is_asked_for = refund.origin == RefundOrigin::request;
  if (is_asked_for) refund.key = fmt::format("r-{}-{}", attempt.key, index);
  refund.reason = is_asked_for ? fmt::format("line {}", index) : std::string{to_text(refund.origin)};
  refund.state = RefundState{cell.state};
  refund.review = alarms.at(cell.review);
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

Capture capture_from(CaptureCell const& cell, std::size_t index, std::size_t place, Attempt const& attempt) {
  Capture capture{.id = capture_number_of(place, index), .attempt = attempt.id, .amount = attempt.amount};
  if (cell.is_part) capture.amount.minor = half_of(attempt.amount);
  capture.key = fmt::format("c-{}-{}", attempt.key, index);
  capture.is_final = cell.is_final;
  capture.state = CaptureState{cell.state};
  capture.request = "capture " + capture.id.value;
  if (cell.has_evidence) {
    capture.evidence = Evidence::response;
    capture.answer_code = "code";
  }
  capture.tries = cell.was_taken_up ? taken_up : 0;
  capture.due_at = due_time(cell.due);
  capture.created_at = now;
  return capture;
}

// Left out: what never changes (number, key, fingerprint, request; laws.cpp watches over them), what only people read
// (method, metadata, the provider's words), and when the row was last touched.
void fold_attempt(Attempt const& attempt, Scope const& scope, Cell& cell) {
  bool const was_taken_up = cell.is_there && attempt.tries != tries_of(cell.was_taken_up);
  if (was_taken_up)
    for (Flight& flight : cell.flights)
      if (flight.is_first == fresh) flight.is_first = stale;
  cell.is_there = 1;
  cell.provider = static_cast<Byte>(std::ranges::find(provider_names, attempt.provider) - provider_names.begin());
  cell.part = attempt.part == part_name(1) ? 1 : attempt.part == part_name(2) ? 2 : 0;
  cell.is_half = attempt.amount.minor == half_of(amount_of(false)) || attempt.amount.minor == half_of(amount_of(true));
  cell.other_amount = attempt.amount.minor * (cell.is_half ? 2 : 1) == amount_of(true).minor;
  cell.state = static_cast<Byte>(attempt.state);
  cell.surplus = attempt.surplus;
  cell.review = review_byte(attempt.review);
  cell.evidence = !attempt.evidence ? Byte{0} : attempt.evidence == Evidence::notice ? Byte{2} : Byte{1};
  bool const is_odd = !scope.finds_by_number && attempt.tries % 2 == 1;
  cell.was_taken_up = attempt.tries == 0 ? 0 : is_odd ? 1 : 2;
  cell.came_half = attempt.captured_minor > 0;
  cell.disputes = static_cast<Byte>(std::min(attempt.disputes, 2));
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

void fold_refund(Refund const& refund, Attempt const& attempt, Scope const& scope, RefundCell& cell) {
  cell.is_there = 1;
  cell.state = static_cast<Byte>(refund.state);
  cell.origin = static_cast<Byte>(refund.origin);
  cell.is_part = refund.amount.minor == half_of(attempt.amount);
  cell.review = review_byte(refund.review);
  cell.has_evidence = refund.evidence.has_value();
  cell.was_taken_up = refund.tries > 0;
  cell.due = due_byte(refund.due_at);
  cell.age = is_watched(refund.state) ? ticks_between(refund.created_at, now, scope.alarm_after) : Byte{0};
  cell.has_request = !refund.request.empty();
}

void fold_capture(Capture const& capture, Attempt const& attempt, CaptureCell& cell) {
  cell.is_there = 1;
  cell.state = static_cast<Byte>(capture.state);
  cell.is_part = capture.amount.minor == half_of(attempt.amount);
  cell.is_final = capture.is_final;
  cell.has_evidence = capture.evidence.has_value();
  cell.was_taken_up = capture.tries > 0;
  cell.due = due_byte(capture.due_at);
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

RefundId const& refund_number_of(std::size_t cell, std::size_t refund, RefundOrigin origin) {
  struct Numbers {
    std::array<RefundId, 2> asked_for;
    RefundId surplus;
    RefundId outside;
  };
  static auto const numbers = [] {
    std::array<Numbers, State::cells_max> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all[i].asked_for.size(); ++j)
        all[i].asked_for[j] = RefundId{fmt::format("ref_{:025}{}", i, j)};
      all[i].surplus = surplus_refund_id(number_of(i));
      all[i].outside = outside_refund_id(number_of(i), outside_refund_number());
    }
    return all;
  }();
  Numbers const& of_cell = numbers.at(cell);
  switch (origin) {
    case RefundOrigin::request: return of_cell.asked_for.at(refund);
    case RefundOrigin::surplus: return of_cell.surplus;
    case RefundOrigin::outside: return of_cell.outside;
  }
  return of_cell.surplus;
}

RefundId const& refund_number_of(State const& state, std::size_t cell, std::size_t refund) {
  return refund_number_of(cell, refund, RefundOrigin{state.cells.at(cell).refunds.at(refund).origin});
}

std::string_view outside_refund_number() { return "made-at-the-provider"; }

CaptureId const& capture_number_of(std::size_t cell, std::size_t capture) {
  static auto const numbers = [] {
    std::array<std::array<CaptureId, captures_max>, State::cells_max> all;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < all[i].size(); ++j) all[i][j] = CaptureId{fmt::format("cap_{:025}{}", i, j)};
    return all;
  }();
  return numbers.at(cell).at(capture);
}

std::string_view part_name(Byte part) {
  static constexpr std::array<std::string_view, 3> names{"", "first", "second"};
  return names.at(part);
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
  if (scope.is_split) order.head.policy = Policy::split;
  if (scope.holds) order.head.capture = CaptureMode::manual;
  order.head.expires_at = due_time(state.order_expires);
  order.head.due_at = due_time(state.order_due);
  for (std::size_t i = 0; i < state.cells.size() && state.cells[i].is_there; ++i) {
    Cell const& cell = state.cells[i];
    Attempt const& attempt = order.attempts.emplace_back(attempt_from(cell, i, scope));
    for (std::size_t j = 0; j < cell.refunds.size() && cell.refunds[j].is_there; ++j)
      order.refunds.push_back(refund_from(cell.refunds[j], j, attempt, refund_number_of(state, i, j)));
    for (std::size_t j = 0; j < cell.captures.size() && cell.captures[j].is_there; ++j)
      order.captures.push_back(capture_from(cell.captures[j], j, i, attempt));
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
    while (j < places.size() && places[j] != RefundCell{} && refund_number_of(state, i, j) != refund.id) ++j;
    if (j == places.size()) throw std::logic_error("check: no place for refund " + refund.id.value);
    fold_refund(refund, order.attempts[i], scope, places[j]);
  }
  for (Capture const& capture : order.captures) {
    std::size_t const i = cell_of(state, capture.attempt);
    auto& places = state.cells.at(i).captures;
    std::size_t j = 0;
    while (j < places.size() && capture_number_of(i, j) != capture.id) ++j;
    if (j == places.size()) throw std::logic_error("check: no place for capture " + capture.id.value);
    fold_capture(capture, order.attempts[i], places[j]);
  }
}

}  // namespace payonce::check
