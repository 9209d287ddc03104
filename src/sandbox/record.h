// The lines of the sandbox journal: one JSON object per line, each the whole row as it stood when it was written.
// The last line about a row counts. Not for: the file itself (journal.h).
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "base/error.h"
#include "sandbox/bank.h"
#include "sandbox/fault.h"
#include "sandbox/notice.h"

namespace payonce::sandbox {

// The first line of every journal; says what the file is.
struct JournalHead {
  bool operator==(JournalHead const&) const = default;
};

// One call that reached the bank, whatever became of it.
struct CallRecord {
  Call call = Call::create;
  std::string number;
  std::string order;
  Fault fault = Fault::none;
  Time at{};

  bool operator==(CallRecord const&) const = default;
};

// A chain that needs no more work after a restart: delivered or given up.
struct NoticeEnded {
  std::string id;

  bool operator==(NoticeEnded const&) const = default;
};

// What a dialect keeps besides the bank's rows: the last value under a key of one of its collections.
struct Memo {
  std::string collection;
  std::string key;
  std::string value;

  bool operator==(Memo const&) const = default;
};

using Record =
    std::variant<JournalHead, Charge, Capture, Refund, BarredNumber, CallRecord, NoticeChain, NoticeEnded, Memo>;

// Without the line end.
std::string to_line(Record const& record);
Result<Record> parse_line(std::string_view line);

}  // namespace payonce::sandbox
