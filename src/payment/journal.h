// The books in the sense of an accountant: which movement of money between which accounts follows from a change of
// state. Each posting names both accounts, so that the books always balance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "payment/order.h"

namespace payonce {

struct Posting {
  OrderKey key;
  AttemptId attempt;
  RefundId refund = {};  // empty unless it follows from a refund
  std::string debit;     // the account that the money goes to …
  std::string credit;    // … and the one that it comes from
  Money amount;
  Time at;
};

// The accounts. What a provider owes the shop is "receivable:<provider>".
namespace account {
inline constexpr char const* revenue = "revenue";      // what orders have brought
inline constexpr char const* surplus = "surplus";      // what came too much and is owed to buyers
inline constexpr char const* disputed = "disputed";    // what the payer's banks hold
inline constexpr char const* reversals = "reversals";  // what was taken back for good
inline constexpr char const* refunds = "refunds";      // what was given back of orders
inline constexpr char const* fees = "fees";            // what providers kept for themselves, as their statements say
std::string receivable(Attempt const& attempt);
}  // namespace account

// How an attempt stood before a change.
struct Stood {
  AttemptState state = AttemptState::processing;
  std::int64_t came_minor = 0;
};

// What an attempt's having come to its present state means: what had come before may change its place, and more may
// have come. Nothing if no money moved.
std::vector<Posting> postings_of(OrderKey const& key, Stood const& before, Attempt const& attempt, Time at);
// The same for a refund of the attempt.
std::optional<Posting> posting_of(OrderKey const& key, RefundState from, Refund const& refund, Attempt const& attempt,
                                  Time at);
// What the provider kept for the payment, or for that refund of it; negative: what it gave back. Nothing if it is none.
std::optional<Posting> posting_of_fee(OrderKey const& key, Attempt const& attempt, RefundId const& refund, Money fee,
                                      Time at);

}  // namespace payonce
