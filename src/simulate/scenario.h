// A story told by hand, in lines of text, in a simulated world in which nothing fails but what the story says. What
// each line means: docs/reference/simulate.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace payonce::simulate {

struct ScenarioResult {
  // Empty when everything was as the story expects, and everything came to its end, and every invariant held.
  std::string failure;
  std::vector<std::string> story;  // what happened, a line each
};

// `folder` as in run.h.
ScenarioResult run_scenario(std::string_view text, std::string const& folder);

}  // namespace payonce::simulate
