// Moves a shop's books from one database to another, whole or not at all, and compares two databases row by row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/archive.h"

namespace payonce {

struct RowCounts {
  std::int64_t orders = 0;
  std::int64_t payments = 0;
  std::int64_t captures = 0;
  std::int64_t refunds = 0;
  std::int64_t events = 0;
  std::int64_t effects = 0;
  std::int64_t notices = 0;  // lines of statements too
  std::int64_t statements = 0;
  std::int64_t discrepancies = 0;
  std::int64_t api_keys = 0;
  std::int64_t audit_rows = 0;
};

bool is_empty(Archive& archive);

// Everything from `source` into `target`, which must be empty, in one transaction: until the commit at the end nobody
// sees any of it, and after an error or a crash nothing of it is there. Throws StoreError.
RowCounts copy_books(Archive& source, Archive& target);

struct Comparison {
  RowCounts counts;                      // rows of the source
  std::size_t mended = 0;                // texts with bytes that the target can't keep
  std::vector<std::string> differences;  // sentences; no more than differences_max
  static constexpr std::size_t differences_max = 20;
};

// Reads both sides and compares every field of every row.
Comparison compare_books(Archive& source, Archive& target);

}  // namespace payonce
