// Checks our books against the bank's: what we call paid was charged, and what was charged we know.
#include <fmt/format.h>

#include <algorithm>

#include "base/id.h"
#include "verify/rules.h"

namespace payonce {

namespace {

template <class Row>
std::vector<Row> const& rows_at(std::map<std::string, std::vector<Row>> const& rows, std::string const& number) {
  static std::vector<Row> const none;
  auto const at = rows.find(number);
  return at == rows.end() ? none : at->second;
}

// The bank did it; do our books say so too? What is still watched is going to hear of it.
template <class Row>
void check_known(Row const& ours, bool is_success, Findings& findings) {
  if (is_success) return;
  if (is_watched(ours.state))
    findings.leave_open(ours.id.value, fmt::format("is {} here and done at the bank", to_text(ours.state)));
  else
    findings.require(false, 7, ours.id.value, "is {} here and done at the bank", to_text(ours.state));
}

void check_charges(Order const& order, Attempt const& attempt, BankLedger const& ledger, Findings& findings) {
  std::string const& id = attempt.id.value;
  auto const& charges = rows_at(ledger.charges, id);
  for (BankCharge const& charge : charges)
    findings.require(charge.amount_minor == attempt.amount.minor && charge.currency == attempt.amount.currency.code() &&
                         charge.order == order.head.key.order.value,
                     4, id, "is {} here, the bank was asked for {} {} for order {}", to_text(attempt.amount),
                     charge.amount_minor, charge.currency, charge.order);
  auto const charged = std::ranges::count_if(charges, &BankCharge::succeeded);
  bool const is_success = has_come(attempt.state);
  findings.require(charged <= 1, 4, id, "was charged {} times at the bank", charged);
  if (charged > 0) check_known(attempt, is_success, findings);
  bool const is_newer = attempt.updated_at >= ledger.read_at;
  for (BankCharge const& charge : charges) {
    bool const is_its = is_success && charge.succeeded && charge.amount_minor == attempt.amount.minor && !is_newer;
    findings.require(!is_its || charge.taken_minor == came_minor(attempt), 7, id,
                     "brought {} here, and the bank took {}", came_minor(attempt), charge.taken_minor);
  }
  findings.require(!is_success || charged > 0 || is_newer, 7, id, "is SUCCEEDED here and not charged at the bank");
}

// Whether the bank's row is this refund: under our number, or under a number or id of the bank's.
bool is_it(Attempt const& attempt, Refund const& refund, BankRefund const& row) {
  return refund.id.value == row.number || refund.id == outside_refund_id(attempt.id, row.number) ||
         refund.id == outside_refund_id(attempt.id, row.id);
}

void check_bank_refunds(Order const& order, Attempt const& attempt, BankLedger const& ledger, Findings& findings) {
  auto const& at_bank = rows_at(ledger.refunds, attempt.id.value);
  for (BankRefund const& row : at_bank) {
    auto const ours = std::ranges::find_if(order.refunds, [&](Refund const& it) { return is_it(attempt, it, row); });
    bool const fits = ours != order.refunds.end() && ours->attempt == attempt.id &&
                      ours->amount.minor == row.amount_minor && ours->amount.currency.code() == row.currency;
    findings.require(fits, 8, row.number, "gives {} {} of {} back at the bank, and not so here", row.amount_minor,
                     row.currency, attempt.id.value);
  }
  for (Refund const& refund : order.refunds) {
    if (refund.attempt != attempt.id) continue;
    auto const given = std::ranges::count_if(
        at_bank, [&](BankRefund const& row) { return row.succeeded && is_it(attempt, refund, row); });
    bool const is_success = refund.state == RefundState::succeeded;
    findings.require(given <= 1, 8, refund.id.value, "was given back {} times at the bank", given);
    if (given > 0) check_known(refund, is_success, findings);
    bool const is_newer = refund.updated_at >= ledger.read_at;
    findings.require(!is_success || given > 0 || is_newer, 8, refund.id.value,
                     "is R_SUCCEEDED here and not given back at the bank");
  }
}

std::int64_t kept_of(BankLedger const& ledger, std::string const& number) {
  std::int64_t kept = 0;
  for (BankCharge const& charge : rows_at(ledger.charges, number)) kept += charge.taken_minor;
  for (BankRefund const& refund : rows_at(ledger.refunds, number)) kept -= refund.succeeded ? refund.amount_minor : 0;
  return kept;
}

// Whether the bank's side of this payment is still moving: a charge we have not heard of, or surplus on its way back.
bool is_moving(Order const& order, Attempt const& attempt) {
  if (is_watched(attempt.state)) return true;
  return attempt.surplus && std::ranges::any_of(order.refunds, [&](Refund const& refund) {
           return refund.attempt == attempt.id && refund.state != RefundState::succeeded;
         });
}

}  // namespace

void check_at_bank(OrderBooks const& books, BankLedger const& ledger, std::set<std::string> const& providers,
                   Findings& findings) {
  Order const& order = books.order;
  std::int64_t kept = 0;
  std::int64_t moving = 0;
  for (Attempt const& attempt : order.attempts) {
    if (!providers.contains(attempt.provider)) continue;
    check_charges(order, attempt, ledger, findings);
    check_bank_refunds(order, attempt, ledger, findings);
    (is_moving(order, attempt) ? moving : kept) += kept_of(ledger, attempt.id.value);
  }
  std::int64_t const owed = order.head.amount.minor;
  findings.require(kept <= owed, 1, "", "the bank keeps {} of its buyer, who owes {}", kept, owed);
  if (kept <= owed && kept + moving > owed)
    findings.leave_open("", fmt::format("the bank still holds {} of its buyer, who owes {}", kept + moving, owed));
}

}  // namespace payonce
