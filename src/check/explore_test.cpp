// The model checker on its smallest scope, and on rules that are broken on purpose through its own laws.
#include "check/explore.h"

#include <gtest/gtest.h>

#include "check/bank.h"
#include "check/fold.h"
#include "check/laws.h"
#include "check/report.h"
#include "check/steps.h"

namespace payonce::check {
namespace {

Scope small() {
  return {.name = "small",
          .sentence = "one key, one lost answer",
          .keys = {1, 0, 0},
          .lost_answers = 1,
          .may_wait_for_buyer = false};
}

TEST(Explore, VisitsASmallWorldWholeAndFindsNothing) {
  Scope const scope = small();
  Exploration const found = explore(scope, {.states_max = 100'000, .threads = 1});
  EXPECT_TRUE(found.is_whole);
  EXPECT_TRUE(found.findings.empty()) << report_text({found, 0});
  EXPECT_GT(found.states, 500U) << "it must get around, or it would prove nothing";
  EXPECT_GT(found.ends, 3U);
}

TEST(Explore, FindsTheSameWithMoreThreads) {
  Scope const scope = small();
  Exploration const one = explore(scope, {.states_max = 100'000, .threads = 1});
  Exploration const three = explore(scope, {.states_max = 100'000, .threads = 3});
  EXPECT_EQ(one.states, three.states);
  EXPECT_EQ(one.steps, three.steps);
  EXPECT_EQ(one.depth, three.depth);
}

TEST(Explore, SaysWhenItStopsAtTheBound) {
  Scope const scope = small();
  Exploration const found = explore(scope, {.states_max = 50, .threads = 1});
  EXPECT_FALSE(found.is_whole);
  EXPECT_TRUE(report_text({found, 0}).contains("NOT WHOLE"));
}

State with_one_payment() {
  std::string broken;
  Scope const scope = small();
  return steps_from(first_state(scope), scope, ScopeTerms{scope}, Words::without, broken).at(0).next;
}

std::string broken_in(State const& state) {
  Scope const scope = small();
  return broken_in_state(state, unfold(state, scope), ScopeTerms{scope});
}

TEST(Laws, SeeWhatIsWrongBetweenBooksAndProvider) {
  State state = with_one_payment();
  EXPECT_EQ(broken_in(state), "");
  state.cells[0].charges = 2;
  EXPECT_TRUE(broken_in(state).starts_with("3:"));
  state = with_one_payment();
  state.cells[0].state = static_cast<Byte>(AttemptState::failed);
  EXPECT_EQ(broken_in(state), "");
  state.cells[0].taken = all_halves;
  EXPECT_TRUE(broken_in(state).starts_with("2:"));
  state = with_one_payment();
  state.cells[0].state = static_cast<Byte>(AttemptState::succeeded);
  EXPECT_TRUE(broken_in(state).starts_with("2:"));
  state.cells[0].taken = all_halves;
  EXPECT_TRUE(broken_in(state).starts_with("6:"));
}

TEST(Laws, SeeWhatIsWrongWithHoldsRefundsAndDisputes) {
  State const begun = with_one_payment();
  State state = begun;
  state.cells[0].captures[0] = {
      .is_there = 1, .state = static_cast<Byte>(CaptureState::failed), .has_evidence = 1, .ledger = PartLedger::done};
  EXPECT_TRUE(broken_in(state).starts_with("2: a capture that took money"));
  state = begun;
  state.cells[0].state = static_cast<Byte>(AttemptState::disputed);
  state.cells[0].taken = all_halves;
  EXPECT_TRUE(broken_in(state).starts_with("7: nobody disputes"));
  state.cells[0].dispute = Dispute::lost;
  state.cells[0].notices = 1 << static_cast<int>(NoticeKind::dispute_lost);
  EXPECT_TRUE(broken_in(state).starts_with("7: money that is gone"));
  state = begun;
  state.cells[0].refunds[0] = {.ledger = PartLedger::done, .paid_out = 1};
  EXPECT_TRUE(broken_in(state).starts_with("8: the provider gave back more"));
}

TEST(Snapshot, FoldsStatesThatDifferInNumberingOnly) {
  State one = with_one_payment();
  State other = one;
  one.cells[1] = one.cells[0];
  one.cells[1].state = static_cast<Byte>(AttemptState::failed);
  other.cells[1] = other.cells[0];
  other.cells[0] = one.cells[1];
  EXPECT_NE(one, other);
  EXPECT_EQ(canonical(one), canonical(other));
  EXPECT_EQ(fingerprint(canonical(one)), fingerprint(canonical(other)));
}

TEST(Fold, BringsBackWhatItUnfolded) {
  Scope const scope = small();
  State const state = with_one_payment();
  State again = state;
  fold(unfold(state, scope), scope, again);
  EXPECT_EQ(canonical(again), state);
}

TEST(Fold, BringsBackPartsToo) {
  Scope scope = small();
  scope.holds = true;
  scope.may_refund_outside = true;
  State state = with_one_payment();
  state.cells[0].state = static_cast<Byte>(AttemptState::authorized);
  state.cells[0].captures[0] = {.is_there = 1, .is_part = 1, .was_taken_up = 1, .due = 2};
  state.cells[0].captures[1] = {
      .is_there = 1, .state = static_cast<Byte>(CaptureState::failed), .has_evidence = 1, .was_taken_up = 1};
  state.cells[0].refunds[0] = {.is_there = 1,
                               .state = static_cast<Byte>(RefundState::succeeded),
                               .origin = static_cast<Byte>(RefundOrigin::outside),
                               .is_part = 1,
                               .has_evidence = 1,
                               .was_taken_up = 1};
  state = canonical(state);
  State again = state;
  fold(unfold(state, scope), scope, again);
  EXPECT_EQ(canonical(again), state);
}

}  // namespace
}  // namespace payonce::check
