// What a simulated bank does with money that it holds, and what the payer's bank does with money that came.
#include <fmt/format.h>

#include "simulate/bank.h"
#include "simulate/fields.h"

namespace payonce::simulate {

using namespace std::chrono_literals;

std::string write_simulated_capture(Capture const& capture, Attempt const& attempt) {
  return fmt::format("{}|{}|{}|{}", capture.id.value, attempt.id.value, capture.amount.minor, capture.is_final ? 1 : 0);
}

void Bank::hold(Row& row) {
  row.state = State::held;
  ++row.charges;
  row.hold_until = stage_.wall_time() + plan_.hold_life;
  stage_.tell(row.order, "bank {} holds {} {} for {}", plan_.name, row.amount_minor, row.currency, row.number);
  notify(row, {}, Outcome::authorized, row.amount_minor);
  stage_.after(plan_.hold_life, [this, number = row.number] { let_go(rows_.at(number)); });
}

void Bank::let_go(Row& row) {
  if (row.state != State::held) return;
  row.state = row.taken_minor > 0 ? State::charged : State::closed;
  stage_.tell(row.order, "bank {} lets {} go, of which it took {}", plan_.name, row.number, row.taken_minor);
  notify(row, {}, row.taken_minor > 0 ? Outcome::succeeded : Outcome::declined, row.taken_minor);
}

Answer Bank::capture(BankCall const& call) {
  Fields const fields{call.request};
  auto const at = rows_.find(call.number);
  if (at == rows_.end() || !at->second.is_to_be_held) {
    stage_.accuse(8, call.order, fmt::format("{} was to be captured and was never held", call.number));
    return said(Outcome::declined, "nothing_held");
  }
  Row& row = at->second;
  std::int64_t const minor = fields.integer(2);
  auto const [part, is_new] = row.captures.try_emplace(std::string{fields.text(0)}, Part{minor, false});
  if (!is_new) {
    if (part->second.amount_minor != minor)
      stage_.accuse(4, call.order, fmt::format("capture {} was sent again with another amount", part->first));
    return query_capture(call);
  }
  if (row.taken_minor + minor > row.amount_minor)
    stage_.accuse(8, call.order, fmt::format("{} more were to be captured of {}", minor, call.number));
  part->second.is_refused = row.state != State::held || row.taken_minor + minor > row.amount_minor ||
                            stage_.happens(Trouble::capture_refused, call.order);
  stage_.tell(call.order, "bank {} {} {} of {}", plan_.name,
              part->second.is_refused ? "refuses to capture" : "captures", minor, call.number);
  if (part->second.is_refused) return query_capture(call);
  ++stage_.deeds.captures;
  take(row, minor);
  bool const is_last = fields.integer(3) == 1 || row.taken_minor == row.amount_minor;
  if (is_last) row.state = State::charged;
  if (is_last) notify(row, {}, Outcome::succeeded, row.taken_minor);
  if (is_last) may_be_disputed(row);
  return query_capture(call);
}

Answer Bank::query_capture(BankCall const& call) const {
  auto const at = rows_.find(call.number);
  if (at == rows_.end()) return said(Outcome::not_found, "unknown_number");
  auto const part = at->second.captures.find(call.part_number);
  if (part == at->second.captures.end()) return said(Outcome::not_found, "unknown_capture");
  return part->second.is_refused ? said(Outcome::declined, "capture_refused") : said(Outcome::succeeded, "captured");
}

// A bank that sends no notices could tell nobody.
void Bank::may_be_disputed(Row const& row) {
  if (!stage_.happens(Trouble::disputes, row.order) || !plan_.sends_notices) return;
  ++open_disputes_;
  stage_.after(stage_.between(1s, 60s, row.order), [this, number = row.number] {
    Row const& it = rows_.at(number);
    stage_.tell(it.order, "the payer of {} disputes", number);
    notify(it, {}, Outcome::dispute_opened, it.taken_minor);
    stage_.after(stage_.between(1s, 60s, it.order), [this, number] { decide_dispute(number); });
  });
}

void Bank::decide_dispute(std::string const& number) {
  Row& row = rows_.at(number);
  --open_disputes_;
  ++stage_.deeds.disputes;
  row.dispute = stage_.chance_of(row.order).below(2) == 0 ? Outcome::dispute_won : Outcome::dispute_lost;
  stage_.tell(row.order, "the dispute of {} is decided: {}", number, to_text(*row.dispute));
  notify(row, {}, *row.dispute, row.taken_minor);
}

std::optional<Outcome> Bank::dispute_of(std::string const& number) const {
  auto const at = rows_.find(number);
  return at == rows_.end() ? std::nullopt : at->second.dispute;
}

}  // namespace payonce::simulate
