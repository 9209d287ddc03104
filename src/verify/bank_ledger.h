// The sandbox bank's own record of what it did: the other side of the books.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace payonce {

class AsioLoop;

struct BankCharge {
  std::string order;
  std::int64_t amount_minor = 0;
  std::string currency;
  bool succeeded = false;        // some of its money moved
  std::int64_t taken_minor = 0;  // less than the amount if it was held, and captured for less
};

struct BankRefund {
  std::string number;
  std::int64_t amount_minor = 0;
  std::string currency;
  bool succeeded = false;
  std::string id = {};  // the bank's own: all that some providers tell of a refund that payonce did not make
};

struct BankLedger {
  Time read_at;                                            // what our books learned later may be missing here
  std::map<std::string, std::vector<BankCharge>> charges;  // by our number
  std::map<std::string, std::vector<BankRefund>> refunds;  // by the number of the charge
};

// invalid_json if the text is not what GET /ledger answers.
Result<BankLedger> parse_ledger(std::string_view text, Time read_at);

// Asks the bank at this address, e.g. http://127.0.0.1:8090; runs the loop until it answered. unavailable if it does
// not.
Result<BankLedger> fetch_ledger(AsioLoop& loop, std::string const& address, Time now);

}  // namespace payonce
