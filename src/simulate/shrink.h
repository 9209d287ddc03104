// Makes a failing run smaller for as long as it fails in the same way: fewer orders, troubles and nodes tell a shorter
// story.
#pragma once

#include <string>

#include "simulate/run.h"

namespace payonce::simulate {

// The smallest plan found, after at most `runs_max` runs.
Plan shrink(Plan plan, RunResult const& failure, std::string const& folder, int runs_max);

}  // namespace payonce::simulate
