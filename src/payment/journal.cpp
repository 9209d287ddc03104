#include "payment/journal.h"

namespace payonce {

namespace {

// Where money that came stands while its attempt is in this state.
std::string place_of(AttemptState state, Attempt const& attempt) {
  if (state == AttemptState::disputed) return account::disputed;
  if (state == AttemptState::reversed) return account::reversals;
  return account::receivable(attempt);
}

}  // namespace

std::string account::receivable(Attempt const& attempt) { return "receivable:" + attempt.provider; }

std::vector<Posting> postings_of(OrderKey const& key, Stood const& before, Attempt const& attempt, Time at) {
  std::vector<Posting> postings;
  auto const move = [&](std::string from, std::string to, std::int64_t minor) {
    if (minor <= 0 || from == to) return;
    postings.push_back({.key = key,
                        .attempt = attempt.id,
                        .debit = std::move(to),
                        .credit = std::move(from),
                        .amount = {minor, attempt.amount.currency},
                        .at = at});
  };
  std::string const place = place_of(attempt.state, attempt);
  move(place_of(before.state, attempt), place, before.came_minor);
  move(attempt.surplus ? account::surplus : account::revenue, place, came_minor(attempt) - before.came_minor);
  return postings;
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

std::optional<Posting> posting_of_fee(OrderKey const& key, Attempt const& attempt, RefundId const& refund, Money fee,
                                      Time at) {
  if (fee.minor == 0) return std::nullopt;
  std::string const receivable = account::receivable(attempt);
  bool const is_kept = fee.minor > 0;
  return Posting{.key = key,
                 .attempt = attempt.id,
                 .refund = refund,
                 .debit = is_kept ? account::fees : receivable,
                 .credit = is_kept ? receivable : account::fees,
                 .amount = {is_kept ? fee.minor : -fee.minor, fee.currency},
                 .at = at};
}

}  // namespace payonce
