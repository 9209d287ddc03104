// What a notice says, how it is signed, and what a fault makes of it. Pure.
// Not for: carrying it to the merchant (notice_sender.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "sandbox/bank.h"
#include "sandbox/fault.h"

namespace payonce::sandbox {

struct NoticeFacts {
  std::string id;    // evt_…
  std::string type;  // charge.succeeded, refund.declined, …
  Time created_at{};
  std::string account;
  std::string number;  // of the charge, also when it is about a refund
  std::string status;
  std::int64_t amount_minor = 0;
  std::string currency;
  std::string charge_id;
  std::string refund_number = {};
  std::string capture_number = {};  // of a capture of a hold, if it is about that
  std::string about = {};           // the number of the charge that is behind it, whatever a fault makes of `number`
};

NoticeFacts facts_of(Charge const& charge, std::string_view account, Time now, Random& random);
NoticeFacts facts_of(Refund const& refund, Charge const& charge, std::string_view account, Time now, Random& random);

// The body of the bank's own dialect, as it is signed and sent.
std::string notice_body(NoticeFacts const& facts);

// The value of the Sandbox-Signature header for these bytes: t=…,v1=….
std::string sign_notice(std::string_view secret, Time now, std::string_view body);

// Bodies to deliver one after the other, each again and again until it is taken or given up.
struct NoticeChain {
  std::string id;       // nc_…, the name of the chain in the journal
  std::string dialect;  // as of Charge
  std::string url;      // where it goes
  std::vector<std::string> bodies;
  Millis delay{0};               // before the first
  bool wrong_signature = false;  // signed with another secret

  bool operator==(NoticeChain const&) const = default;
};

// Writes the body of a notice in its dialect; empty if the dialect has no such notice.
using WriteNotice = std::function<std::string(NoticeFacts const&)>;

// The chains to start for one notice, without id, dialect and url; none if it is never sent.
std::vector<NoticeChain> plan_notice(NoticeFacts facts, Injection injection, Random& random, WriteNotice const& write);

}  // namespace payonce::sandbox
