// Every state × outcome × evidence × wish to cancel × fit × what else the order holds, through decide(), against the
// rules in words below. The words know nothing of the transition table.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/id.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using enum AttemptState;
using States = std::set<AttemptState>;

// What else there is in the order.
enum class Other { none, failed_one, live_one, paid_one, closed_order };
enum class Fits { yes, other_amount, other_account };

struct Cell {
  AttemptState from;
  Outcome outcome;
  Evidence evidence;
  bool cancel_requested;
  Fits fits;
  Other other;

  std::string text() const {
    return fmt::format("{} + {} by {}{}, fit {}, other {}", to_text(from), to_text(outcome), to_text(evidence),
                       cancel_requested ? " after a wish to cancel" : "", int(fits), int(other));
  }
};

// The oracle, in sentences.
bool is_one_of(States const& states, AttemptState state) { return states.contains(state); }
bool may_still_charge(AttemptState state) { return is_one_of({processing, requires_action, unknown, released}, state); }
bool holds_the_place(AttemptState state) { return is_one_of({processing, requires_action, unknown}, state); }
bool has_moved(AttemptState state) { return is_one_of({succeeded, disputed, reversed}, state); }
bool is_of_money_before(Outcome outcome) {
  return outcome == Outcome::dispute_opened || outcome == Outcome::dispute_won || outcome == Outcome::dispute_lost ||
         outcome == Outcome::reversed;
}
bool proves_the_end(Outcome outcome) { return outcome == Outcome::succeeded || outcome == Outcome::declined; }

bool may_say(Evidence evidence, Outcome outcome) {
  // The answer to a call that asks for money is not about money that came before.
  if (is_of_money_before(outcome)) return evidence != Evidence::response;
  // Only a call of ours can be lost, stay unsent or find nothing; people speak of ends only, and bills of those or of
  // something to ask for.
  if (evidence == Evidence::response || evidence == Evidence::query) return true;
  if (proves_the_end(outcome)) return true;
  if (evidence == Evidence::statement) return outcome == Outcome::pending;
  return evidence == Evidence::notice &&
         (outcome == Outcome::pending || outcome == Outcome::requires_action || outcome == Outcome::authorized);
}

bool is_misfit(Cell const& cell) {
  // Another account never fits; another amount matters when money is said to have moved. Nor does a hold, where the
  // order is to be paid at once.
  if (cell.fits == Fits::other_account || cell.outcome == Outcome::authorized) return true;
  return cell.fits == Fits::other_amount && cell.outcome == Outcome::succeeded;
}

AttemptState expected_state(Cell const& cell) {
  if (!may_say(cell.evidence, cell.outcome)) return cell.from;
  if (is_of_money_before(cell.outcome) && !is_misfit(cell)) {
    if (!has_moved(cell.from) || cell.from == reversed) return cell.from;  // there is nothing to take, or it is gone
    if (cell.outcome == Outcome::dispute_opened) return disputed;
    return cell.outcome == Outcome::dispute_won ? succeeded : reversed;
  }
  bool const doubtful = is_misfit(cell) || cell.outcome == Outcome::in_doubt || cell.outcome == Outcome::not_found;
  if (is_misfit(cell) || !proves_the_end(cell.outcome)) {
    if (!may_still_charge(cell.from)) return cell.from;  // an end stands
    if (cell.from == released) return released;          // never comes back into the live set
    if (doubtful) return cell.from == requires_action ? requires_action : unknown;
    if (cell.outcome == Outcome::pending) return processing;
    if (cell.outcome == Outcome::requires_action) return requires_action;
    return cell.from;  // not sent: nothing was learned
  }
  // Money that moved is believed; that it was taken back is not undone by hearing that it moved.
  if (cell.outcome == Outcome::succeeded) return has_moved(cell.from) ? cell.from : succeeded;
  if (!may_still_charge(cell.from)) return cell.from;  // a late refusal takes nothing back
  return cell.cancel_requested ? canceled : failed;
}

bool newly_paid(Cell const& cell) { return !has_moved(cell.from) && expected_state(cell) == succeeded; }
bool is_surplus(Cell const& cell) {
  if (!newly_paid(cell)) return false;
  bool const gave_its_place_away = cell.from == released && cell.other == Other::live_one;
  return cell.other == Other::paid_one || cell.other == Other::closed_order || gave_its_place_away;
}

Order order_of(Cell const& cell) {
  Attempt attempt = attempt_in(cell.from, 1);
  attempt.cancel_requested = cell.cancel_requested;
  std::vector<Attempt> attempts{attempt};
  if (cell.other == Other::failed_one) attempts.push_back(attempt_in(failed, 2));
  if (cell.other == Other::live_one) attempts.push_back(attempt_in(requires_action, 2));
  if (cell.other == Other::paid_one) attempts.push_back(attempt_in(succeeded, 2));
  Order order = order_with(std::move(attempts));
  if (cell.other == Other::closed_order) order.head.state = OrderState::closed;
  return order;
}

RecordOutcome command_of(Cell const& cell) {
  Answer said = answer(cell.outcome, "said");
  if (cell.fits == Fits::other_amount) said.amount = usd(1);
  if (cell.fits == Fits::other_account) said.misfit = "seller 42 is not ours";
  return outcome(1, cell.evidence, said);
}

// Books in which this cell can occur at all: at most one live or paid, nothing live in a closed order.
bool can_occur(Cell const& cell) {
  if (cell.from == authorized) return false;  // not of an order that is paid at once; see hold_test.cpp
  bool const takes_the_place = holds_the_place(cell.from) || has_moved(cell.from);
  return cell.other == Other::none || cell.other == Other::failed_one || !takes_the_place;
}

template <class Check>
void for_each_cell(Check check) {
  int cells = 0;
  for (AttemptState const from : attempt_states)
    for (Outcome const outcome : outcomes)
      for (Evidence const evidence : evidences)
        for (bool const cancel_requested : {false, true})
          for (Fits const fits : {Fits::yes, Fits::other_amount, Fits::other_account})
            for (Other const other :
                 {Other::none, Other::failed_one, Other::live_one, Other::paid_one, Other::closed_order}) {
              Cell const cell{from, outcome, evidence, cancel_requested, fits, other};
              if (!can_occur(cell)) continue;
              SCOPED_TRACE(cell.text());
              ++cells;
              check(cell);
              if (testing::Test::HasFailure()) return;
            }
  EXPECT_GT(cells, 3'000);
}

TEST(EveryOutcome, LeadsToTheStateThatTheWordsSay) {
  for_each_cell([](Cell const& cell) {
    RulesWorld world{order_of(cell)};
    Decision const decision = world.run(command_of(cell));
    EXPECT_EQ(to_text(world.attempt(1).state), to_text(expected_state(cell)));
    EXPECT_EQ(broken_invariants(world.order(), world.effects), "");
    EXPECT_EQ(decision.reply.has_value(), may_say(cell.evidence, cell.outcome));
  });
}

TEST(EveryOutcome, ThatItsEvidenceCannotCarryIsRefusedAndChangesNothing) {
  for_each_cell([](Cell const& cell) {
    if (may_say(cell.evidence, cell.outcome)) return;
    Decision const decision = RulesWorld{order_of(cell)}.decide(command_of(cell));
    EXPECT_EQ(refused_with(decision), ErrorCode::evidence_refused);
    EXPECT_TRUE(decision.changes.empty());
    EXPECT_TRUE(decision.calls.empty());
  });
}

TEST(EveryOutcome, PaysTheOrderOnceWithEachEffectOrIsSurplus) {
  for_each_cell([](Cell const& cell) {
    RulesWorld world{order_of(cell)};
    OrderState const before = world.order().head.state;
    Decision const decision = world.run(command_of(cell));
    bool const pays = newly_paid(cell) && !is_surplus(cell);
    EXPECT_EQ(world.order().head.state, pays ? OrderState::paid : before);
    EXPECT_EQ(world.effects.size(), pays ? 3U : 0U);
    EXPECT_EQ(world.attempt(1).surplus, is_surplus(cell));
    EXPECT_EQ(decision.changes.refunds.size(), is_surplus(cell) ? 1U : 0U);
    if (!pays || cell.other != Other::live_one) return;
    EXPECT_EQ(world.attempt(2).state, released);
    EXPECT_TRUE(world.attempt(2).cancel_requested);
    EXPECT_TRUE(world.attempt(2).due_at);
    EXPECT_EQ(world.attempt(2).action_url, "");
    EXPECT_EQ(calls_of(decision), std::vector{CallKind::close});
  });
}

TEST(EveryOutcome, IsKeptAsEvidenceOfTheStateItMade) {
  for_each_cell([](Cell const& cell) {
    RulesWorld world{order_of(cell)};
    world.run(command_of(cell));
    Attempt const& attempt = world.attempt(1);
    bool const accepted = may_say(cell.evidence, cell.outcome) && !is_misfit(cell);
    if (attempt.state == cell.from || !accepted) return;
    EXPECT_EQ(attempt.evidence, cell.evidence);
    EXPECT_EQ(attempt.answer_code, "said");
    EXPECT_EQ(attempt.answer, "text");
  });
}

TEST(EveryOutcome, ThatMovesAnAttemptIsInTheTimeline) {
  for_each_cell([](Cell const& cell) {
    RulesWorld world{order_of(cell)};
    std::map<std::string, AttemptState> before;
    for (Attempt const& attempt : world.order().attempts) before[attempt.id.value] = attempt.state;
    Decision const decision = world.run(command_of(cell));
    for (Attempt const& attempt : world.order().attempts) {
      AttemptState const from = before[attempt.id.value];
      auto const told = std::ranges::count_if(decision.changes.events, [&](TimelineEvent const& event) {
        return event.attempt == attempt.id && event.from == to_text(from) && event.to == to_text(attempt.state) &&
               event.from != event.to;
      });
      EXPECT_EQ(told, from != attempt.state ? 1 : 0) << attempt.id.value;
    }
  });
}

TEST(C53Misfit, NeverPaysAndRaisesAnAlarm) {
  for_each_cell([](Cell const& cell) {
    if (!is_misfit(cell) || !may_say(cell.evidence, cell.outcome)) return;
    RulesWorld world{order_of(cell)};
    Decision const decision = world.run(command_of(cell));
    EXPECT_TRUE(world.attempt(1).review.starts_with("does not fit")) << world.attempt(1).review;
    EXPECT_EQ(std::ranges::count(event_types(decision), "payment.alarm"), 1);
    EXPECT_TRUE(world.effects.empty());
    EXPECT_TRUE(world.order().refunds.empty());
    EXPECT_EQ(world.attempt(1).evidence, order_of(cell).attempts[0].evidence) << "what does not fit proves nothing";
  });
}

TEST(EveryOutcome, SaidTwiceChangesNothingTheSecondTime) {
  for_each_cell([](Cell const& cell) {
    RulesWorld world{order_of(cell)};
    world.run(command_of(cell));
    world.now += 1s;
    Decision const again = world.decide(command_of(cell));
    EXPECT_EQ(world.substance_of(again.changes), "");
    bool const asked_and_not_found = cell.evidence == Evidence::query && cell.outcome == Outcome::not_found;
    EXPECT_TRUE(again.calls.empty() || asked_and_not_found);
  });
}

TEST(C32LateFailure, NeverTouchesAnotherAttempt) {
  for_each_cell([](Cell const& cell) {
    if (cell.outcome != Outcome::declined) return;
    RulesWorld world{order_of(cell)};
    std::string const head = describe(world.order().head);
    Decision const decision = world.run(command_of(cell));
    for (Attempt const& changed : decision.changes.attempts) EXPECT_EQ(changed.id, attempt_id(1));
    EXPECT_TRUE(holds_the_place(cell.from) || describe(world.order().head) == head);
    EXPECT_TRUE(decision.changes.effects.empty());
    EXPECT_TRUE(decision.changes.refunds.empty());
    EXPECT_TRUE(decision.calls.empty());
  });
}

TEST(RecordOutcome, OfAnUnknownPaymentIsRefused) {
  RulesWorld world{order_with({attempt_in(processing, 1)})};
  EXPECT_EQ(refused_with(world.decide(outcome(2, Evidence::response, Outcome::succeeded))), ErrorCode::not_found);
  EXPECT_EQ(refused_with(RulesWorld{}.decide(outcome(1, Evidence::response, Outcome::succeeded))),
            ErrorCode::not_found);
}

}  // namespace
}  // namespace payonce
