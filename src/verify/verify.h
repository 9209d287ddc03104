// Checks the ten invariants over a whole database, and against a bank's ledger if there is one.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "verify/rules.h"

namespace payonce {

struct VerifyOptions {
  // The effects that payments and refunds of these merchants must have.
  std::map<MerchantId, std::vector<EffectSettings>> effects = {};
  // The bank, and the names under which it is configured as a provider. Null: the books alone.
  BankLedger const* bank = nullptr;
  std::set<std::string> bank_providers = {};
  // What history would tell that is in an archive which is not at hand is not checked.
  History history = {};
};

struct VerifyReport {
  std::size_t orders = 0;
  std::size_t payments = 0;
  std::size_t refunds = 0;
  std::size_t effects = 0;
  std::size_t events = 0;
  std::size_t notices = 0;
  std::size_t archived = 0;        // orders with history in an archive
  std::size_t history_unread = 0;  // of these, without that history
  std::vector<Finding> violations;
  std::vector<Finding> open;

  bool holds() const { return violations.empty(); }
};

// All checks that concern one order.
Findings check_order(OrderBooks const& books, VerifyOptions const& options);

// Throws StoreError when the database can't be read. A running service may go on: an order that looks broken is read
// again, so that a change between two reads is not taken for a violation.
VerifyReport verify(Reader& reader, VerifyOptions const& options);

}  // namespace payonce
