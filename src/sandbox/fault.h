// The ways in which the sandbox bank misbehaves, and the plan that says which call is hit: ordered one by one
// (a queue) or by rate (repeatable from its seed). Pure. Not for: carrying a fault out (server.cpp, notice.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace payonce::sandbox {

enum class Call {
  prepare,  // what comes before money can move, where a provider parts the two: an order of PayPal
  create,
  query,
  close,
  refund,
  query_refund,
  capture,
  query_capture,
  notice
};

inline constexpr std::array calls{Call::prepare,      Call::create,  Call::query,         Call::close, Call::refund,
                                  Call::query_refund, Call::capture, Call::query_capture, Call::notice};

std::string_view to_text(Call call);
std::optional<Call> parse_call(std::string_view text);

enum class Fault {
  none,
  // Calls.
  drop_before,           // cut the connection without doing it
  drop_after,            // do it, then cut the connection
  late,                  // do it, answer after the delay
  late_before,           // wait for the delay, then do it and answer
  answer_500_before,     // answer 500 without doing it
  answer_500_after,      // do it, answer 500
  answer_503_before,     // answer 503 without doing it
  nonsense,              // do it, answer 200 with bytes that are not JSON
  nonsense_json,         // do it, answer with a status that does not exist
  in_progress,           // do it, answer that it is pending
  decline,               // decline, whatever the method says
  decline_then_succeed,  // decline, and succeed a little later
  buyer_waits,           // do it; the buyer looks at the page and does not pay, whatever the method says
  short_hold,            // do it; money that is only held is let go a little later, whatever the method says
  trickle,               // do it, answer in small pieces with the delay before each
  restart,               // do it, then the process kills itself before it answers
  // Notices; `late` too.
  early,            // deliver it before the answer to the call that caused it goes out, plus the delay
  never,            // do not send it
  twice,            // deliver it again when it was delivered
  ten_parallel,     // ten deliveries at once
  reordered,        // deliver an older "pending" notice after it
  wrong_signature,  // sign with a secret that nobody knows
  wrong_amount,     // one minor unit too much, validly signed
  wrong_currency,   // another currency, validly signed
  wrong_account,    // another account, validly signed
  foreign_number,   // about a number that is not of the merchant's making
  unknown_number,   // about a number of the merchant's shape that nobody made
};

// "none" is spelled as an empty text.
std::string_view to_text(Fault fault);
std::optional<Fault> parse_fault(std::string_view text);
bool applies(Fault fault, Call call);
// The delay a fault has when none is given.
Millis default_delay(Fault fault);

// What is to go wrong with one call.
struct Injection {
  Fault fault = Fault::none;
  Millis delay{0};
};

struct QueuedFault {
  Call call = Call::create;
  Fault fault = Fault::none;
  std::string order = {};  // hits only this order; empty: any
  std::uint32_t times = 1;
  std::optional<Millis> delay = {};
};

struct FaultRate {
  Call call = Call::create;
  Fault fault = Fault::none;
  std::uint32_t per_million = 0;
};

struct FaultRates {
  std::uint64_t seed = 0;
  std::optional<Millis> delay = {};
  std::vector<FaultRate> rates = {};
};

class FaultPlan {
 public:
  // invalid_request if the fault does not fit the call, or times is 0.
  Result<void> add(QueuedFault fault);
  // Removes what is queued; rates stay.
  void clear() { queue_.clear(); }
  // Replaces all rates and starts their sequence anew. invalid_request if a fault does not fit its call, or the rates
  // of a call sum up to more than one.
  Result<void> set_rates(FaultRates rates);

  // What happens to this call: the first queued fault that fits, else by rate. The nth call of a kind for an order
  // gets the same answer for the same seed, however the calls of other orders come between.
  Injection draw(Call call, std::string_view order);

  std::deque<QueuedFault> const& queue() const { return queue_; }
  FaultRates const& rates() const { return rates_; }

 private:
  Injection draw_by_rate(Call call, std::string_view order);

  std::deque<QueuedFault> queue_;
  FaultRates rates_;
  std::unordered_map<std::string, std::uint64_t> draws_;  // by call and order, since set_rates
};

}  // namespace payonce::sandbox
