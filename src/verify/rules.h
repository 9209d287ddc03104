// The invariants as checks of one order's books: books in, findings out, no I/O. They derive everything anew from the
// rows and trust no sum, and share with the rules that wrote the rows only the transition table and the fingerprint.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "payment/terms.h"
#include "verify/bank_ledger.h"
#include "verify/books.h"
#include "verify/finding.h"

namespace payonce {

// Sums, states, keys, fingerprints and stored requests of the rows.
void check_rows(OrderBooks const& books, Findings& findings);

// What the timeline says of payments and refunds: born once, never leaps, ends where the row stands.
void check_timeline(OrderBooks const& books, Findings& findings);

// Effects and notices. `expected` are those that payments and refunds must have; empty: any.
void check_consequences(OrderBooks const& books, std::vector<EffectSettings> const& expected, Findings& findings);

// The journal: every account stands where the rows of payments and refunds say.
void check_journal(OrderBooks const& books, Findings& findings);

// The payments made by one of these providers, against the other side's ledger.
void check_at_bank(OrderBooks const& books, BankLedger const& ledger, std::set<std::string> const& providers,
                   Findings& findings);

}  // namespace payonce
