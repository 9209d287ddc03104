// A provider's statement, its bill for one day, as its connector reads it, and the differences that are found when it
// is held against the books. Not for: the providers' forms of it (provider/).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "payment/order.h"

namespace payonce {

enum class LineKind {
  payment,
  refund,
  fee,    // of no single payment, such as a monthly one
  other,  // whatever else moves money at a provider: payouts, transfers, adjustments
};

struct StatementLine {
  LineKind kind = LineKind::other;
  std::string id = {};                   // the provider's own of this movement, the same in every bill that lists it
  std::string number = {};               // our payment's; empty if it names none
  std::string refund_number = {};        // of a refund: ours, or the provider's if payonce did not make it
  Outcome outcome = Outcome::succeeded;  // pending: a refund that was accepted and is not done
  std::string provider_ref = {};         // the provider's id of the payment, if its answers and notices name the same
  Money amount;                          // paid, or given back; never negative
  std::optional<Money> fee = {};         // what the provider kept for it; negative: what it gave back of an earlier fee
  std::string text = {};                 // the line as it came
};

struct Statement {
  std::vector<StatementLine> lines;
};

// What is kept of a statement beside its lines.
struct StatementRow {
  std::string provider;
  std::string day;         // 2026-01-02, as the provider cuts its days
  std::string digest_hex;  // SHA-256 of the file
  int lines = 0;
  Time imported_at;
};

enum class DiscrepancyKind {
  unknown,  // a line names a number of ours that is not in the books
  differs,  // a line does not fit the payment or refund that it names
  changed,  // a line was listed before, with another amount or fee
  missing,  // a payment of ours is not in the bill
};
std::string_view to_text(DiscrepancyKind kind);
std::optional<DiscrepancyKind> parse_discrepancy_kind(std::string_view text);

// A difference between a statement and the books. A person looks at it.
struct Discrepancy {
  std::string id = {};  // follows from provider, kind and subject, so that nobody finds it twice
  MerchantId merchant = {};
  DiscrepancyKind kind = DiscrepancyKind::differs;
  std::string provider = {};
  std::string day = {};
  std::string subject = {};  // the line's id; of a missing payment its number
  std::string number = {};   // the payment's, as the line or the books name it
  Money amount;              // in the line; of a missing payment in the books
  std::string text = {};     // a sentence
  Time found_at = {};
  std::optional<Time> resolved_at = {};
  std::string resolved_by = {};
  std::string note = {};  // the person's words
};

// The id of a discrepancy whose provider, kind and subject are set.
std::string discrepancy_id(Discrepancy const& discrepancy);

}  // namespace payonce
