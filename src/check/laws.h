// The ten invariants of the design, as far as one order and its provider show them. Each function returns a sentence
// that begins with the invariant's number, or nothing when all holds.
#pragma once

#include <string>

#include "check/bank.h"
#include "check/scope.h"
#include "check/snapshot.h"
#include "payment/decide.h"

namespace payonce::check {

// What the committer would find for a command about this order.
Situation situation_of(Order const& order, Command const& command, NoticeRow const* known_notice = nullptr);

// The rows after a decision.
void apply(Order& order, Changes const& changes);

// What of it came, and whether it has the one place of its part; once more, apart from the rules' own words for it.
std::int64_t came_of(Attempt const& attempt);
bool has_place(Attempt const& attempt);

// Of one state, with what anyone may ask in it: keys repeated, payments on top, words of strangers.
std::string broken_by_asking(Order const& order, Terms const& terms);
std::string broken_in_state(State const& state, Order const& order, Terms const& terms);

// Of one commit: what it did to the rows, and what the same command would do again.
struct Commit {
  Order const& before;
  Order const& after;
  Command const& command;
  Decision const& decision;
  NoticeRow const* known_after = nullptr;  // the notice's row once it is stored
};
std::string broken_by_commit(State const& state, Commit const& commit, Terms const& terms);

// Nothing is under way, neither in the books nor at the provider.
bool is_quiet(State const& state);

}  // namespace payonce::check
