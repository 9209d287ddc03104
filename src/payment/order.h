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
  Time expires_at = {};  // from then on the buyer must not be able to pay it any more: recovery closes it
  Time created_at = {};
  Time updated_at = {};
  std::optional<Time> settled_at = {};
};

struct Refund {
  RefundId id;
  AttemptId attempt = {};
  std::string key = {};     // the caller's idempotency key; empty for surplus, which payonce gives back by itself
  std::string reason = {};  // the caller's words, or "surplus"
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

  bool gives_surplus_back() const { return key.empty(); }
};

struct Order {
  OrderHead head;
  std::vector<Attempt> attempts;  // oldest first
  std::vector<Refund> refunds;

  Attempt const* find(AttemptId const& id) const;
  Refund const* find(RefundId const& id) const;
  // The attempt that may still charge, or null.
  Attempt const* live() const;
  // The attempt that paid the order, or null; surplus attempts did not.
  Attempt const* paying() const;
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
};

}  // namespace payonce
