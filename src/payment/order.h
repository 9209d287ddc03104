// The order with its attempts and refunds: the consistency boundary. Everything the rules decide, they decide on one
// Order; the store loads and locks it as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/money.h"
#include "base/named.h"
#include "payment/outcome.h"
#include "payment/state.h"

namespace payonce {

struct OrderKey {
  MerchantId merchant;
  OrderId order;

  auto operator<=>(OrderKey const&) const = default;
  bool operator==(OrderKey const&) const = default;
};

struct OrderHead {
  OrderKey key;
  Money amount;
  Policy policy = Policy::single;
  OrderState state = OrderState::open;
  std::int64_t paid_minor = 0;  // captured by attempts that are not surplus
  std::int64_t held_minor = 0;  // may still be captured by live attempts; paid + held <= amount, also in the database
  std::string metadata;         // JSON object of the shop's, given back as it came; empty if none
  Time created_at;
  Time updated_at;
  std::optional<Time> expires_at = {};           // from then on payonce closes it
  std::optional<Time> due_at = {};               // while open with an expiry: when it is looked at next
  CaptureMode capture = CaptureMode::automatic;  // of all its payments
};

struct Attempt {
  AttemptId id = {};
  std::string key = {};          // the caller's idempotency key
  std::string fingerprint = {};  // hex SHA-256, see payment/fingerprint.h
  std::string provider = {};
  std::string method = {};  // the provider's token for how to pay; empty = the provider's default
  Money amount;
  std::string metadata = {};

  AttemptState state = AttemptState::processing;
  bool surplus = false;           // the money came although the order was paid or closed; it is given back
  bool exposed = false;           // a create call may have reached the provider
  bool cancel_requested = false;  // close it at the provider as soon as possible
  std::string review = {};        // why a person is needed (an alarm); empty if none is

  std::string request = {};       // the bytes of the create call, written before it is sent, re-sent unchanged
  std::string provider_ref = {};  // the provider's own id of the payment, once known
  std::string action_url = {};    // where the buyer has to go, while REQUIRES_ACTION
  // The answer that the present state rests on.
  std::optional<Evidence> evidence = {};
  std::string answer_code = {};  // the provider's code in its own words
  std::string answer = {};       // its text, cut to limits::provider_answer_bytes

  int tries = 0;                    // times recovery took it up
  std::optional<Time> due_at = {};  // when recovery looks at it next; none once it is neither live nor released
  std::optional<Time> first_sent_at = {};
  // From then on the buyer must not be able to pay it any more: recovery closes it. While AUTHORIZED: when the provider
  // lets the hold go, and is asked.
  Time expires_at = {};
  Time created_at = {};
  Time updated_at = {};
  std::optional<Time> settled_at = {};
  std::string part = {};  // which part of a split order it pays; empty for the whole of a single one
  int disputes = 0;       // how often the payer's bank has taken it into dispute
  // What came of a hold, while that is not all of it; else 0. See came_minor().
  std::int64_t captured_minor = 0;
};

// Whether its money pays the order: it came, and not too much. Disputed and reversed money did pay it once, and nobody
// is charged again for the order by itself.
inline bool pays(Attempt const& attempt) { return has_come(attempt.state) && !attempt.surplus; }
// What of its amount came.
inline std::int64_t came_minor(Attempt const& attempt) {
  if (attempt.captured_minor > 0) return attempt.captured_minor;
  return has_come(attempt.state) ? attempt.amount.minor : 0;
}
// Whether it stands in the way of another one for its part.
inline bool takes_place(Attempt const& attempt) { return is_live(attempt.state) || pays(attempt); }
// Whether it has the one place of its part in the index one_live_or_paid_attempt of every database: surplus never does,
// not even while more of it may come. Databases check that row by row: a batch must write what gives the place up
// before what takes it.
inline bool holds_place(Attempt const& attempt) { return takes_place(attempt) && !attempt.surplus; }

// Why a refund is there.
enum class RefundOrigin {
  request,  // the shop asked for it
  surplus,  // payonce gives back by itself what came too much
  outside,  // made at the provider without payonce, which learned of it
};
std::string_view to_text(RefundOrigin origin);
std::optional<RefundOrigin> parse_refund_origin(std::string_view text);

struct Refund {
  RefundId id;
  AttemptId attempt = {};
  std::string key = {};     // the caller's idempotency key; empty unless it was asked for here
  std::string reason = {};  // the caller's words; else its origin
  Money amount;

  RefundState state = RefundState::processing;
  std::string review = {};
  std::string request = {};
  std::string provider_ref = {};
  std::optional<Evidence> evidence = {};
  std::string answer_code = {};
  std::string answer = {};

  int tries = 0;
  std::optional<Time> due_at = {};
  Time created_at = {};
  Time updated_at = {};
  RefundOrigin origin = RefundOrigin::request;

  bool gives_surplus_back() const { return origin == RefundOrigin::surplus; }
};

// The shop takes money of a hold. One after the other: a payment has one capture under way at most.
struct Capture {
  CaptureId id;
  AttemptId attempt = {};
  std::string key = {};  // the caller's idempotency key; empty if it was made at the provider without payonce
  Money amount;
  bool is_final = true;  // what it leaves of the hold goes back to the buyer

  CaptureState state = CaptureState::processing;
  std::string request = {};
  std::string provider_ref = {};
  std::optional<Evidence> evidence = {};
  std::string answer_code = {};
  std::string answer = {};

  int tries = 0;
  std::optional<Time> due_at = {};
  Time created_at = {};
  Time updated_at = {};
};

struct Order {
  OrderHead head;
  std::vector<Attempt> attempts;  // oldest first
  std::vector<Refund> refunds;
  std::vector<Capture> captures = {};  // only of orders with manual capture

  Attempt const* find(AttemptId const& id) const;
  Refund const* find(RefundId const& id) const;
  Capture const* find(CaptureId const& id) const;
  // An attempt that may still charge, or null. Under policy single there is one at most.
  Attempt const* live() const;
  // Who has the place of this part: the attempt that may still charge for it or has paid it, or null.
  Attempt const* in_place(std::string_view part, AttemptId const& besides = {}) const;
  // The attempt that paid the order, or the last one that did if it took several, or null; surplus did not.
  Attempt const* paying() const;
  // The attempt's capture that is under way, or null.
  Capture const* capturing(AttemptId const& attempt) const;
  // What came of attempts that are no surplus, and what live ones may still bring.
  std::int64_t paid_minor() const;
  std::int64_t held_minor() const;
  // What went back or may still go back of this attempt: the sum of its refunds that have not failed.
  std::int64_t given_back_minor(AttemptId const& attempt) const;
};

// What the provider wants to be told of a charge; the input of ProviderTerms::write_create.
struct Charge {
  AttemptId number;
  OrderId order;
  Money amount;
  std::string_view method;
  Time expires_at;
  CaptureMode capture = CaptureMode::automatic;
};

}  // namespace payonce
