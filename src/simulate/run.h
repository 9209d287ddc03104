// One run from a plan: first a storm in which anything may fail, then calm, in which everything must come to its end.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulate/stage.h"

namespace payonce::simulate {

enum class Verdict {
  holds,
  violated,     // an invariant
  not_settled,  // in calm, something did not come to its end
  broken,       // the program failed by itself
};

// What is counted of a run.
struct Tally {
  Verdict verdict = Verdict::holds;
  std::uint64_t trace_hash = 0;
  Agenda::Moment virtual_time{0};
  std::array<std::uint64_t, trouble_count> happened{};
  Stage::Deeds deeds = {};
};

struct RunResult : Tally {
  std::string what = {};  // in words, when it does not hold
  int invariant = 0;
  int order = Chronicle::everyone;
  std::vector<Chronicle::Line> story = {};  // if it was to be kept
};

// Files are in memory under the name of this folder, which must exist. One run at a time.
RunResult run_plan(Plan const& plan, std::string const& folder, bool keeps_story);

}  // namespace payonce::simulate
