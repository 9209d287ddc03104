// Checks the accountant's books against the rows: where the money of each payment stands.
#include <map>
#include <string>

#include "verify/rules.h"

namespace payonce {

namespace {

// Signed balances by account: what went to it less what came from it.
using Balances = std::map<std::string, std::int64_t>;

Balances balances_of(std::vector<Posting> const& journal, AttemptId const& attempt) {
  Balances balances;
  for (Posting const& it : journal) {
    if (it.attempt != attempt) continue;
    balances[it.debit] += it.amount.minor;
    balances[it.credit] -= it.amount.minor;
  }
  return balances;
}

Balances balances_of(Order const& order, Attempt const& attempt) {
  Balances balances;
  std::int64_t const came = came_minor(attempt);
  if (came == 0) return balances;
  std::string const receivable = "receivable:" + attempt.provider;
  balances[attempt.state == AttemptState::disputed   ? "disputed"
           : attempt.state == AttemptState::reversed ? "reversals"
                                                     : receivable] += came;
  balances[attempt.surplus ? "surplus" : "revenue"] -= came;
  for (Refund const& refund : order.refunds) {
    if (refund.attempt != attempt.id || refund.state != RefundState::succeeded) continue;
    balances[attempt.surplus ? "surplus" : "refunds"] += refund.amount.minor;
    balances[receivable] -= refund.amount.minor;
  }
  return balances;
}

}  // namespace

void check_journal(OrderBooks const& books, Findings& findings) {
  for (Attempt const& attempt : books.order.attempts) {
    Balances written = balances_of(books.journal, attempt.id);
    for (auto const& [account, balance] : balances_of(books.order, attempt)) written[account] -= balance;
    for (auto const& [account, difference] : written)
      findings.require(difference == 0, 5, attempt.id.value, "the journal's account {} is off by {}", account,
                       difference);
  }
  for (Posting const& it : books.journal)
    findings.require(books.order.find(it.attempt) != nullptr, 5, it.attempt.value,
                     "stands in the journal but not in the books");
}

}  // namespace payonce
