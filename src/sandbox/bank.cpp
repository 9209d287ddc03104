#include "sandbox/bank.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/id.h"
#include "base/money.h"

namespace payonce::sandbox {

namespace {

// The field in which a repeated request differs from the charge it repeats, or empty.
std::string_view difference(Charge const& charge, CreateCharge const& request) {
  if (charge.order != request.order) return "order";
  if (charge.amount_minor != request.amount_minor) return "amount";
  if (charge.currency != request.currency) return "currency";
  if (charge.method != request.method) return "method";
  if (charge.expires_at != request.expires_at) return "expires_at";
  if (charge.hold_until.has_value() != request.holds) return "hold";
  return {};
}

// The reason is a remark and may be worded anew.
std::string_view difference(Refund const& refund, CreateRefund const& request) {
  if (refund.charge_number != request.charge_number) return "charge_number";
  if (refund.amount_minor != request.amount_minor) return "amount";
  if (refund.currency != request.currency) return "currency";
  return {};
}

// What a method token leads to; it is how a caller steers the bank.
struct Course {
  ChargeState state;
  std::string_view code = {};
  bool succeeds_later = false;
};

Course course_of(std::string_view method) {
  if (method.empty() || method == "card" || method == "short_hold" || method.starts_with("tok_"))
    return {ChargeState::succeeded};
  if (method == "decline") return {ChargeState::declined, "card_declined"};
  if (method == "decline_then_succeed") return {ChargeState::declined, "card_declined", true};
  if (method == "pending") return {ChargeState::pending, {}, true};
  if (method == "approve") return {ChargeState::requires_action};
  return {ChargeState::declined, "unknown_method"};
}

// Longer than any run of it; a real bank's is of this size.
constexpr Millis hold_life{7 * 24 * 3'600'000LL};

// Where money would move, it is held first if the charge asks for that.
ChargeState held_first(Charge const& charge, ChargeState state) {
  bool const holds = charge.hold_until && charge.captured_minor == 0;
  return holds && state == ChargeState::succeeded ? ChargeState::authorized : state;
}

bool tells_the_merchant(ChargeState state) { return !is_open(state); }

Charge closed_stand_in(std::string_view number) {
  Charge charge;
  charge.number = number;
  charge.state = ChargeState::closed;
  charge.code = "closed";
  return charge;
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  return checked_add(a, b).value_or(std::numeric_limits<std::int64_t>::max());
}

}  // namespace

// The charge that speaks for a number: money that moved is never hidden behind a later row.
Charge const& Bank::telling_charge(NumberEntry const& entry) const {
  auto const paid = std::ranges::find(entry.charges, ChargeState::succeeded,
                                      [&](std::size_t index) { return charges_[index].state; });
  return charges_[paid != entry.charges.end() ? *paid : entry.charges.back()];
}

ChargeReply Bank::create(CreateCharge const& request, Time now) {
  if (auto const found = numbers_.find(request.number); found != numbers_.end()) {
    NumberEntry const& entry = found->second;
    if (!entry.charges.empty() && (!rules_.forgetful || entry.barred)) {
      Charge const& charge = telling_charge(entry);
      if (auto const field = difference(charge, request); !field.empty() && !rules_.forgetful)
        return {.verdict = Verdict::number_reused, .charge = charge, .field = field};
      return {.verdict = charge.state == ChargeState::closed ? Verdict::number_closed : Verdict::done,
              .charge = charge};
    }
    if (entry.barred) return {.verdict = Verdict::number_closed, .charge = closed_stand_in(request.number)};
  }
  // From here on it is a new charge.
  add(begin(request, now));
  Charge const& charge = charges_.back();
  changes_.push_back({.row = charge, .notify = tells_the_merchant(charge.state)});
  return {.charge = charge};
}

Charge Bank::begin(CreateCharge const& request, Time now) {
  bool const expired = request.expires_at && *request.expires_at <= now;
  std::string_view const method = request.forced_method.empty() ? request.method : request.forced_method;
  Course const course = expired ? Course{ChargeState::declined, "expired"} : course_of(method);
  Charge charge;
  charge.id = "ch_" + mint_suffix(now, random_);
  charge.number = request.number;
  charge.order = request.order;
  charge.amount_minor = request.amount_minor;
  charge.currency = request.currency;
  charge.method = request.method;
  charge.dialect = request.dialect;
  charge.expires_at = request.expires_at;
  if (request.holds) charge.hold_until = hold_end(method, now);
  charge.state = held_first(charge, course.state);
  charge.code = course.code;
  charge.created_at = now;
  if (course.succeeds_later) charge.succeeds_at = now + rules_.settle_delay;
  return charge;
}

Time Bank::hold_end(std::string_view method, Time now) const {
  return now + (method == "short_hold" ? rules_.settle_delay : hold_life);
}

void Bank::add(Charge charge) {
  std::size_t const index = charges_.size();
  numbers_[charge.number].charges.push_back(index);
  charges_.push_back(std::move(charge));
  schedule(index);
}

ChargeReply Bank::query(std::string_view number) const {
  auto const found = numbers_.find(number);
  if (found == numbers_.end()) return {.verdict = Verdict::not_found};
  if (found->second.charges.empty()) return {.charge = closed_stand_in(number)};
  return {.charge = charges_[found->second.charges.back()]};
}

ChargeReply Bank::close(std::string_view number) {
  NumberEntry& entry = numbers_[std::string{number}];
  for (std::size_t const index : entry.charges)
    if (is_open(charges_[index].state) || charges_[index].state == ChargeState::authorized) end(index, "closed");
  // A bank with a memory needs no bar on a number that has a charge: the charge itself is the answer.
  if (!entry.barred && (entry.charges.empty() || rules_.forgetful)) {
    entry.barred = true;
    changes_.push_back({.row = BarredNumber{std::string{number}}});
  }
  return {.charge = entry.charges.empty() ? closed_stand_in(number) : telling_charge(entry)};
}

ChargeReply Bank::pay(std::string_view number, std::string_view method, Time now) {
  auto const found = numbers_.find(number);
  if (found == numbers_.end() || found->second.charges.empty()) return query(number);
  std::size_t const index = found->second.charges.back();
  ChargeState const state = charges_[index].state;
  if (state != ChargeState::requires_action && state != ChargeState::declined) return query(number);
  Course const course = course_of(method);
  if (charges_[index].hold_until) charges_[index].hold_until = hold_end(method, now);
  set_state(index, course.state, course.code);
  if (course.succeeds_later) {
    charges_[index].succeeds_at = now + rules_.settle_delay;
    changes_.back().row = charges_[index];
    schedule(index);
  }
  return {.charge = charges_[index]};
}

ChargeReply Bank::abandon(std::string_view number) {
  auto const found = numbers_.find(number);
  if (found == numbers_.end()) return {.verdict = Verdict::not_found};
  for (std::size_t const index : found->second.charges)
    if (charges_[index].state != ChargeState::succeeded && charges_[index].state != ChargeState::closed)
      end(index, "closed");
  return query(number);
}

ChargeReply Bank::approve(std::string_view number) { return end_by_buyer(number, ChargeState::succeeded, {}); }

ChargeReply Bank::refuse(std::string_view number) {
  return end_by_buyer(number, ChargeState::declined, "buyer_refused");
}

ChargeReply Bank::end_by_buyer(std::string_view number, ChargeState state, std::string_view code) {
  auto const found = numbers_.find(number);
  if (found == numbers_.end()) return {.verdict = Verdict::not_found};
  for (std::size_t const index : found->second.charges)
    if (charges_[index].state == ChargeState::requires_action) {
      set_state(index, state, code);
      return {.charge = charges_[index]};
    }
  return query(number);
}

void Bank::set_state(std::size_t index, ChargeState state, std::string_view code) {
  Charge& charge = charges_[index];
  charge.state = held_first(charge, state);
  charge.code = code;
  charge.succeeds_at.reset();
  changes_.push_back({.row = charge, .notify = tells_the_merchant(charge.state)});
  schedule(index);
}

void Bank::end(std::size_t index, std::string_view code) {
  bool const has_moved = charges_[index].captured_minor > 0;
  set_state(index, has_moved ? ChargeState::succeeded : ChargeState::closed, has_moved ? std::string_view{} : code);
}

RefundReply Bank::refund(CreateRefund const& request, Time now) {
  if (auto const found = refund_numbers_.find(request.number); found != refund_numbers_.end()) {
    Refund const& refund = refunds_[found->second];
    auto const field = difference(refund, request);
    return {.verdict = field.empty() ? Verdict::done : Verdict::number_reused, .refund = refund, .field = field};
  }
  auto const charged = numbers_.find(request.charge_number);
  if (charged == numbers_.end() || charged->second.charges.empty()) return {.verdict = Verdict::not_found};

  Refund refund;
  refund.id = "re_" + mint_suffix(now, random_);
  refund.number = request.number;
  refund.charge_number = request.charge_number;
  refund.order = charges_[charged->second.charges.back()].order;
  refund.amount_minor = request.amount_minor;
  refund.currency = request.currency;
  refund.reason = request.reason;
  refund.code = refund_refusal(request, charged->second);
  refund.state = refund.code.empty() ? RefundState::succeeded : RefundState::declined;
  refund.created_at = now;
  changes_.push_back({.row = refund, .notify = true});
  restore(refund);
  return {.refund = std::move(refund)};
}

// Why the refund must be declined, or empty.
std::string_view Bank::refund_refusal(CreateRefund const& request, NumberEntry const& entry) const {
  if (request.forced_decline) return "refund_declined";
  auto const has_succeeded = [&](std::size_t index) { return charges_[index].state == ChargeState::succeeded; };
  if (std::ranges::none_of(entry.charges, has_succeeded)) return "charge_not_succeeded";
  if (charges_[entry.charges.back()].currency != request.currency) return "currency_mismatch";
  return request.amount_minor > refundable(request.charge_number) ? "exceeds_charge" : "";
}

std::int64_t Bank::refundable(std::string_view charge_number) const {
  auto const found = numbers_.find(charge_number);
  if (found == numbers_.end()) return 0;
  std::int64_t charged = 0;
  for (std::size_t const index : found->second.charges) charged = saturating_add(charged, taken_minor(charges_[index]));
  std::int64_t refunded = 0;
  for (Refund const& refund : refunds_of(charge_number)) refunded += refund.amount_minor;
  return charged - refunded;
}

std::vector<Refund> Bank::refunds_of(std::string_view charge_number) const {
  std::vector<Refund> found;
  if (auto const at = refunds_of_charge_.find(charge_number); at != refunds_of_charge_.end())
    for (std::size_t const index : at->second)
      if (refunds_[index].state == RefundState::succeeded) found.push_back(refunds_[index]);
  return found;
}

RefundReply Bank::query_refund(std::string_view number) const {
  auto const found = refund_numbers_.find(number);
  if (found == refund_numbers_.end()) return {.verdict = Verdict::not_found};
  return {.refund = refunds_[found->second]};
}

void Bank::schedule(std::size_t index) {
  Charge const& charge = charges_[index];
  if (charge.succeeds_at) due_.push({*charge.succeeds_at, index});
  if (is_open(charge.state) && charge.expires_at) due_.push({*charge.expires_at, index});
  if (charge.state == ChargeState::authorized && charge.hold_until) due_.push({*charge.hold_until, index});
}

void Bank::settle_due(Time now) {
  while (!due_.empty() && due_.top().at <= now) {
    Due const due = due_.top();
    due_.pop();
    Charge const& charge = charges_[due.charge];
    // The entry may be stale: the charge may have ended since, and it is then left alone.
    if (charge.succeeds_at == due.at)
      set_state(due.charge, ChargeState::succeeded, {});
    else if (is_open(charge.state) && charge.expires_at == due.at)
      set_state(due.charge, ChargeState::closed, "expired");
    else if (charge.state == ChargeState::authorized && charge.hold_until == due.at)
      end(due.charge, "hold_expired");
  }
}

std::optional<Time> Bank::next_due() const {
  if (due_.empty()) return std::nullopt;
  return due_.top().at;
}

std::vector<Change> Bank::take_changes() { return std::exchange(changes_, {}); }

void Bank::restore(Charge charge) {
  auto const found = numbers_.find(charge.number);
  if (found != numbers_.end())
    for (std::size_t const index : found->second.charges)
      if (charges_[index].id == charge.id) {
        charges_[index] = std::move(charge);
        schedule(index);
        return;
      }
  add(std::move(charge));
}

void Bank::restore(Refund refund) {
  auto const [place, fresh] = refund_numbers_.try_emplace(refund.number, refunds_.size());
  if (!fresh) {
    refunds_[place->second] = std::move(refund);
    return;
  }
  refunds_of_charge_[refund.charge_number].push_back(place->second);
  refunds_.push_back(std::move(refund));
}

void Bank::restore(BarredNumber barred) { numbers_[barred.number].barred = true; }

std::vector<std::string> Bank::barred_numbers() const {
  std::vector<std::string> numbers;
  for (auto const& [number, entry] : numbers_)
    if (entry.barred) numbers.push_back(number);
  return numbers;
}

std::string_view Bank::order_of_charge(std::string_view number) const {
  auto const found = numbers_.find(number);
  if (found == numbers_.end() || found->second.charges.empty()) return {};
  return charges_[found->second.charges.back()].order;
}

std::string_view Bank::order_of_refund(std::string_view number) const {
  auto const found = refund_numbers_.find(number);
  return found == refund_numbers_.end() ? std::string_view{} : std::string_view{refunds_[found->second].order};
}

}  // namespace payonce::sandbox
