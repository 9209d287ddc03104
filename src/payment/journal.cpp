#include "payment/journal.h"

namespace payonce {

namespace {

// Where the money of an attempt in this state stands: with those that it came from, or on an account of the shop's.
std::string place_of(AttemptState state, Attempt const& attempt) {
  if (state == AttemptState::succeeded) return account::receivable(attempt);
  if (state == AttemptState::disputed) return account::disputed;
  if (state == AttemptState::reversed) return account::reversals;
  return attempt.surplus ? account::surplus : account::revenue;
}

}  // namespace

std::string account::receivable(Attempt const& attempt) { return "receivable:" + attempt.provider; }

std::optional<Posting> posting_of(OrderKey const& key, AttemptState from, Attempt const& attempt, Time at) {
  std::string const before = place_of(from, attempt);
  std::string const after = place_of(attempt.state, attempt);
  if (before == after) return std::nullopt;
  return Posting{
      .key = key, .attempt = attempt.id, .debit = after, .credit = before, .amount = attempt.amount, .at = at};
}

std::optional<Posting> posting_of(OrderKey const& key, RefundState from, Refund const& refund, Attempt const& attempt,
                                  Time at) {
  bool const was_given = from == RefundState::succeeded;
  bool const is_given = refund.state == RefundState::succeeded;
  if (was_given == is_given) return std::nullopt;
  std::string const cause = attempt.surplus ? account::surplus : account::refunds;
  std::string const receivable = account::receivable(attempt);
  return Posting{.key = key,
                 .attempt = attempt.id,
                 .refund = refund.id,
                 .debit = is_given ? cause : receivable,
                 .credit = is_given ? receivable : cause,
                 .amount = refund.amount,
                 .at = at};
}

}  // namespace payonce
