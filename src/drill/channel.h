// A provider as the drill sees it: how the service and the bank are told of it, how payments through it go, and which
// failures it can't have. All of it data.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace payonce::drill {

// A failure that the provider can't have, and the capability or the lack of one that keeps it away.
struct NotApplicable {
  std::string_view failure;
  std::string_view why;
};

// What recovery needs for a payment whose first request and first question were lost.
struct Recovery {
  int questions;
  int requests;  // to charge, the lost one included
};

struct Channel {
  std::string_view kind;    // of the connector; also the name of its provider
  std::string_view method;  // of a payment whose buyer pays
  // The lines of its table in the configuration, but for its name, its kind and its times. {bank}, {keys} and {notices}
  // stand for the bank's address, the folder of keys and where notices go; other names for settings that the bank made.
  std::string_view config;
  // Where the bank's own dialect ends: it has keys, and its buyers pay by themselves.
  bool has_keys = true;
  std::string_view first_call = "create";  // of a payment; "prepare" where money moves by a later one
  // Why it never charges a number that it has seen again; empty: it may be forgetful.
  std::string_view never_forgets = {};
  // The calls, as the bank names them, that recovery sends again to learn what became of them.
  std::span<std::string_view const> repeated = {};
  Recovery recovery = {2, 2};
  int hours_ahead = 0;  // of UTC: how the provider cuts its days
  std::span<NotApplicable const> not_applicable = {};
  std::string_view never_holds = {};  // why it holds no money; empty: it does

  bool repeats(std::string_view call) const;
  // Why the failure is none of this provider's; empty if it is.
  std::string_view why_not(std::string_view failure, bool is_forgetful) const;
};

// The bank's own dialect comes first.
std::span<Channel const> channels();
// Null if there is none.
Channel const* find_channel(std::string_view kind);

}  // namespace payonce::drill
