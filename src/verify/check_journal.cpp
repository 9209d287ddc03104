// Checks the accountant's books against the rows: where the money of each payment stands.
#include <map>
#include <string>

#include "verify/rules.h"

namespace payonce {

namespace {

// What went to an account less what came from it. A fee may be in another currency than its payment.
using Balances = std::map<std::pair<std::string, std::string>, std::int64_t>;

void move(Balances& balances, std::string const& debit, std::string const& credit, Money amount) {
  std::string const currency{amount.currency.code()};
  balances[{debit, currency}] += amount.minor;
  balances[{credit, currency}] -= amount.minor;
}

Balances balances_of(std::vector<Posting> const& journal, AttemptId const& attempt) {
  Balances balances;
  for (Posting const& it : journal)
    if (it.attempt == attempt) move(balances, it.debit, it.credit, it.amount);
  return balances;
}

Balances balances_of(OrderBooks const& books, Attempt const& attempt) {
  Balances balances;
  std::string const receivable = "receivable:" + attempt.provider;
  std::string const place = attempt.state == AttemptState::disputed   ? "disputed"
                            : attempt.state == AttemptState::reversed ? "reversals"
                                                                      : receivable;
  move(balances, place, attempt.surplus ? "surplus" : "revenue", {came_minor(attempt), attempt.amount.currency});
  for (Refund const& refund : books.order.refunds)
    if (refund.attempt == attempt.id && refund.state == RefundState::succeeded)
      move(balances, attempt.surplus ? "surplus" : "refunds", receivable, refund.amount);
  // Each line of a statement that found its payment brought its fee.
  for (NoticeRow const& line : books.notices) {
    bool const is_its = line.number == attempt.id.value && line.provider == attempt.provider;
    bool const is_booked =
        line.disposition == NoticeDisposition::applied || line.disposition == NoticeDisposition::misfit;
    if (is_its && is_booked && line.billed && line.billed->fee) move(balances, "fees", receivable, *line.billed->fee);
  }
  return balances;
}

}  // namespace

void check_journal(OrderBooks const& books, Findings& findings) {
  for (Attempt const& attempt : books.order.attempts) {
    Balances written = balances_of(books.journal, attempt.id);
    for (auto const& [account, balance] : balances_of(books, attempt)) written[account] -= balance;
    for (auto const& [account, difference] : written)
      findings.require(difference == 0, 5, attempt.id.value, "the journal's account {} is off by {} {}", account.first,
                       difference, account.second);
  }
  for (Posting const& it : books.journal)
    findings.require(books.order.find(it.attempt) != nullptr, 5, it.attempt.value,
                     "stands in the journal but not in the books");
}

}  // namespace payonce
