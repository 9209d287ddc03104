#include "simulate/bank.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "simulate/fields.h"

namespace payonce::simulate {

using namespace std::chrono_literals;

Answer said(Outcome outcome, std::string_view code) {
  Answer answer;
  answer.outcome = outcome;
  answer.code = code;
  answer.text = code;
  return answer;
}

std::string write_simulated_create(Charge const& charge) {
  return fmt::format("{}|{}|{}|{}|{}|{}", charge.number.value, charge.order.value, charge.amount.minor,
                     charge.amount.currency.code(), to_epoch_ms(charge.expires_at), to_text(charge.capture));
}

std::string write_simulated_refund(Refund const& refund, Attempt const& attempt) {
  return fmt::format("{}|{}|{}", refund.id.value, attempt.id.value, refund.amount.minor);
}

Answer Bank::perform(BankCall const& call) {
  switch (call.kind) {
    case CallKind::create: return create(call);
    case CallKind::close: return close(call);
    case CallKind::refund: return refund(call);
    case CallKind::query_refund: return query_refund(call);
    case CallKind::capture: return capture(call);
    case CallKind::query_capture: return query_capture(call);
    case CallKind::query: break;
  }
  auto const at = rows_.find(call.number);
  return at == rows_.end() ? said(Outcome::not_found, "unknown_number") : standing_of(at->second);
}

Answer Bank::create(BankCall const& call) {
  Fields const fields{call.request};
  auto const [at, is_new] = rows_.try_emplace(call.number);
  Row& row = at->second;
  if (is_new) {
    row.number = call.number;
    row.order = Stage::order_of(fields.text(1));
    row.request = call.request;
    row.amount_minor = fields.integer(2);
    row.currency = fields.text(3);
    row.expires_at = from_epoch_ms(fields.integer(4));
    row.is_to_be_held = fields.text(5) == to_text(CaptureMode::manual);
    row.first_seen_at = stage_.wall_time();
    begin(row);
    return standing_of(row);
  }
  if (row.state == State::closed) return standing_of(row);
  if (row.request != call.request)
    stage_.accuse(4, call.order, fmt::format("{} was sent again with other bytes", call.number));
  bool const is_remembered = plan_.is_idempotent && stage_.wall_time() - row.first_seen_at < plan_.key_window;
  if (!is_remembered)
    stage_.accuse(4, call.order,
                  fmt::format("bank {} was asked again to charge {}, which it does not remember to have "
                              "seen",
                              plan_.name, call.number));
  return standing_of(row);
}

// A new charge: at once, later, once the buyer has acted, or not.
void Bank::begin(Row& row) {
  if (stage_.wall_time() >= row.expires_at) return decline(row, State::declined);
  bool const declines = stage_.happens(Trouble::declines, row.order);
  if (stage_.happens(Trouble::needs_buyer, row.order)) {
    row.state = State::waiting_for_buyer;
    Agenda::Moment const left = row.expires_at - stage_.wall_time();
    stage_.after(left, [this, number = row.number] { buyer_acts(number, false); });
    return stage_.tell(row.order, "bank {} waits for the buyer of {}", plan_.name, row.number);
  }
  if (stage_.happens(Trouble::works_on_it, row.order)) {
    stage_.tell(row.order, "bank {} works on {}", plan_.name, row.number);
    return settle_later(row.number, stage_.between(100ms, 20s, row.order), !declines);
  }
  declines ? decline(row, State::declined) : agree(row);
}

void Bank::settle_later(std::string const& number, Millis delay, bool charges) {
  stage_.after(delay, [this, number, charges] {
    Row& row = rows_.at(number);
    if (row.state != State::working) return;
    charges ? agree(row) : decline(row, State::declined);
  });
}

void Bank::agree(Row& row) { row.is_to_be_held ? hold(row) : charge(row); }

void Bank::take(Row& row, std::int64_t minor) {
  row.taken_minor += minor;
  Stage::AtBanks& at_banks = stage_.at_banks[row.order];
  at_banks.taken_minor += minor;
  // A released payment may still charge; that is surplus, and the books must show it.
  if (at_banks.taken_minor > at_banks.asked_minor && !at_banks.minds_changed && !stage_.plan.releases)
    stage_.accuse(1, row.order,
                  fmt::format("{} are taken of an order over {}", at_banks.taken_minor, at_banks.asked_minor));
}

void Bank::charge(Row& row) {
  row.state = State::charged;
  ++row.charges;
  ++stage_.deeds.charges;
  stage_.tell(row.order, "bank {} charges {} {} for {}", plan_.name, row.amount_minor, row.currency, row.number);
  take(row, row.amount_minor);
  notify(row, {}, Outcome::succeeded, row.taken_minor);
  may_be_disputed(row);
}

void Bank::decline(Row& row, State state) {
  row.state = state;
  stage_.tell(row.order, "bank {} {} {}", plan_.name, state == State::closed ? "closes" : "declines", row.number);
  notify(row, {}, Outcome::declined, row.amount_minor);
  // A bank that sends no notices could tell nobody; that is for the day's statement to find.
  bool const could_change = plan_.sends_notices && !row.is_to_be_held;
  bool const changes_its_mind = stage_.happens(Trouble::late_success, row.order) && could_change;
  if (state == State::closed || !changes_its_mind) return;
  stage_.at_banks[row.order].minds_changed = true;
  ++charges_to_come_[row.order];
  stage_.after(stage_.between(1s, 60s, row.order), [this, number = row.number] {
    Row& it = rows_.at(number);
    it.is_late = true;
    charge(it);
  });
}

bool Bank::is_late_with(int order) const {
  auto const at = charges_to_come_.find(order);
  return at != charges_to_come_.end() && at->second > 0;
}

bool Bank::is_late() const {
  return std::ranges::any_of(charges_to_come_, [](auto const& it) { return it.second > 0; });
}

void Bank::is_understood(BankNotice const& notice) {
  auto const at = rows_.find(notice.number);
  bool const is_news = at != rows_.end() && at->second.is_late && notice.outcome == Outcome::succeeded;
  if (is_news && notice.refund_number.empty() && std::exchange(at->second.is_late, false))
    --charges_to_come_[notice.order];
}

void Bank::buyer_acts(std::string const& number, bool pays) {
  auto const at = rows_.find(number);
  if (at == rows_.end() || at->second.state != State::waiting_for_buyer) return;
  Row& row = at->second;
  pays&& stage_.wall_time() < row.expires_at ? agree(row) : decline(row, State::declined);
}

Answer Bank::close(BankCall const& call) {
  auto const [at, is_new] = rows_.try_emplace(call.number);
  Row& row = at->second;
  if (is_new) {
    // Remembered, so that a create which is still on its way is refused.
    row.number = call.number;
    row.order = call.order;
    row.first_seen_at = stage_.wall_time();
  }
  if (row.state == State::held)
    let_go(row);
  else if (row.state != State::charged && row.state != State::declined)
    decline(row, State::closed);
  return standing_of(row);
}

Answer Bank::refund(BankCall const& call) {
  Fields const fields{call.request};
  auto const at = rows_.find(call.number);
  if (at == rows_.end() || at->second.taken_minor == 0) {
    stage_.accuse(8, call.order, fmt::format("{} was to be given back and was not charged", call.number));
    return said(Outcome::declined, "nothing_charged");
  }
  Row& row = at->second;
  std::string const number{fields.text(0)};
  std::int64_t const amount_minor = fields.integer(2);
  std::int64_t given_back_minor = amount_minor;
  for (auto const& [other, it] : row.refunds)
    given_back_minor += it.is_refused || other == number ? 0 : it.amount_minor;
  if (given_back_minor > row.taken_minor) {
    stage_.accuse(8, call.order,
                  fmt::format("{} of {} were to be given back of {}", given_back_minor, row.taken_minor, call.number));
    return said(Outcome::declined, "too_much");
  }
  auto const [given, is_new] = row.refunds.try_emplace(number, Part{amount_minor, false});
  if (is_new) {
    given->second.is_refused = stage_.happens(Trouble::refund_refused, call.order);
    ++stage_.deeds.refunds;
    stage_.tell(call.order, "bank {} {} {} of {}", plan_.name,
                given->second.is_refused ? "refuses to give back" : "gives back", amount_minor, call.number);
    notify(row, number, given->second.is_refused ? Outcome::declined : Outcome::succeeded, amount_minor);
  } else if (given->second.amount_minor != amount_minor) {
    stage_.accuse(4, call.order, fmt::format("refund {} was sent again with another amount", number));
  }
  return query_refund(call);
}

Answer Bank::query_refund(BankCall const& call) const {
  auto const at = rows_.find(call.number);
  if (at == rows_.end()) return said(Outcome::not_found, "unknown_number");
  auto const given = at->second.refunds.find(call.part_number);
  if (given == at->second.refunds.end()) return said(Outcome::not_found, "unknown_refund");
  return given->second.is_refused ? said(Outcome::declined, "refund_refused") : said(Outcome::succeeded, "given_back");
}

Answer Bank::standing_of(Row const& row) const {
  switch (row.state) {
    case State::working: return said(Outcome::pending, "working");
    case State::waiting_for_buyer: {
      Answer answer = said(Outcome::requires_action, "waiting_for_buyer");
      answer.action_url = "https://bank.example/" + row.number;
      return answer;
    }
    case State::held: {
      Answer answer = said(Outcome::authorized, "held");
      answer.provider_ref = "b-" + row.number;
      answer.hold_until = row.hold_until;
      return answer;
    }
    case State::declined: return said(Outcome::declined, "refused");
    case State::closed: return said(Outcome::declined, "closed");
    case State::charged: break;
  }
  Answer answer = said(Outcome::succeeded, "charged");
  answer.amount = Money{row.taken_minor, Currency::of(row.currency)};
  answer.provider_ref = "b-" + row.number;
  return answer;
}

void Bank::notify(Row const& row, std::string refund_number, Outcome outcome, std::int64_t amount_minor) {
  if (!plan_.sends_notices) return;
  tell_({plan_.name, row.order, fmt::format("{}-event-{}", plan_.name, ++last_event_), row.number,
         std::move(refund_number), outcome, amount_minor});
}

bool Bank::has_charged(std::string const& number) const {
  auto const at = rows_.find(number);
  return at != rows_.end() && at->second.taken_minor > 0;
}

void Bank::write_ledger(BankLedger& ledger) const {
  for (auto const& [number, row] : rows_) {
    for (int i = 0; i < row.charges; ++i)
      ledger.charges[number].push_back(
          {Stage::order_name(row.order), row.amount_minor, row.currency, row.taken_minor > 0, row.taken_minor});
    for (auto const& [refund_number, it] : row.refunds)
      ledger.refunds[number].push_back({refund_number, it.amount_minor, row.currency, !it.is_refused});
  }
}

}  // namespace payonce::simulate
