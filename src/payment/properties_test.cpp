// Properties that hold for whatever comes: fingerprints part what differs, sums of refunds never exceed what came, and
// sums of money are right or absent.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "payment/fingerprint.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

// Short texts of the characters that separate fields inside, so that fields could run into each other.
rc::Gen<std::string> tricky_text() {
  return rc::gen::resize(4, rc::gen::container<std::string>(rc::gen::element('1', '2', ':', ';', 'a')));
}

RC_GTEST_PROP(Fingerprint, IsTheSameForTheSameFieldsOnly, ()) {
  auto const one = *rc::gen::tuple(tricky_text(), tricky_text(), tricky_text(), rc::gen::inRange(1, 13));
  auto const other = *rc::gen::oneOf(
      rc::gen::just(one), rc::gen::tuple(tricky_text(), tricky_text(), tricky_text(), rc::gen::inRange(1, 13)));
  auto const of = [](auto const& fields) {
    auto const& [order, provider, method, amount] = fields;
    return fingerprint({order, provider, method, amount, "USD"});
  };
  RC_ASSERT((of(one) == of(other)) == (one == other));
}

RC_GTEST_PROP(CheckedSums, AreRightOrAbsent, (std::int64_t a, std::int64_t b)) {
  __extension__ using Wide = __int128;
  auto const fits = [](Wide sum) {
    return sum >= std::numeric_limits<std::int64_t>::min() && sum <= std::numeric_limits<std::int64_t>::max();
  };
  Wide const sum = Wide{a} + b;
  Wide const difference = Wide{a} - b;
  // Outside of the macro: it takes a condition apart and looks at both sides of an "or".
  auto const is_right = [&](std::optional<std::int64_t> found, Wide wanted) {
    return found.has_value() == fits(wanted) && (!found || *found == wanted);
  };
  RC_ASSERT(is_right(checked_add(a, b), sum));
  RC_ASSERT(is_right(checked_subtract(a, b), difference));
}

// Whatever is asked for and answered, in any order: no more goes back than came, and what is left can be asked for.
RC_GTEST_PROP(RefundSums, NeverExceedWhatCame, ()) {
  RulesWorld world{order_with({attempt_in(AttemptState::succeeded, 1)})};
  std::int64_t const came = world.attempt(1).amount.minor;
  auto const steps = *rc::gen::inRange(1, 20);
  for (int n = 1; n <= steps; ++n) {
    std::int64_t const left = came - world.order().given_back_minor(attempt_id(1));
    auto const wanted = *rc::gen::inRange<std::int64_t>(1, came + 2);
    bool const is_begun = world.run(refund_request(n, "r-" + std::to_string(n), wanted)).reply.has_value();
    RC_ASSERT(is_begun == (wanted <= left));
    auto const answered = *rc::gen::inRange(1, n + 1);
    auto const said = *rc::gen::elementOf(std::vector<Outcome>{outcomes.begin(), outcomes.end()});
    world.run(RecordRefundOutcome{order_key(), refund_id(answered), Evidence::query, answer(said)});
    RC_ASSERT(world.order().given_back_minor(attempt_id(1)) <= came);
  }
}

// Whatever becomes of a payment and of its refunds: the accounts stand where the rows say, and what one account gets
// another one gives.
RC_GTEST_PROP(Ledger, FollowsTheRowsAndBalances, ()) {
  RulesWorld world{order_with({attempt_in(AttemptState::processing, 1)})};
  auto const any_answer = [] {
    return answer(*rc::gen::elementOf(std::vector<Outcome>{outcomes.begin(), outcomes.end()}));
  };
  auto const steps = *rc::gen::inRange(1, 25);
  for (int n = 1; n <= steps; ++n) {
    switch (*rc::gen::inRange(0, 4)) {
      case 0: world.run(outcome(1, Evidence::query, any_answer())); break;
      case 1: world.run(notice("evt-" + std::to_string(n), 1, any_answer())); break;
      case 2: world.run(refund_request(n, "r-" + std::to_string(n), *rc::gen::inRange<std::int64_t>(1, 2'000))); break;
      default:
        world.run(
            RecordRefundOutcome{order_key(), refund_id(*rc::gen::inRange(1, n + 1)), Evidence::query, any_answer()});
    }
    RC_ASSERT(journal_mismatch(world.order(), world.journal) == "");
  }
  std::map<std::string, std::int64_t> accounts;
  for (Posting const& it : world.journal) {
    RC_ASSERT(it.amount.minor > 0);
    accounts[it.debit] += it.amount.minor;
    accounts[it.credit] -= it.amount.minor;
  }
  std::int64_t sum = 0;
  for (auto const& [name, minor] : accounts) sum += minor;
  RC_ASSERT(sum == 0);
}

}  // namespace
}  // namespace payonce
