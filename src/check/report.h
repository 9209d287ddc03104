// What an exploration found, for people and as JSON: its bounds, its size, and the story of what broke.
#pragma once

#include <span>
#include <string>

#include "check/explore.h"

namespace payonce::check {

struct Timed {
  Exploration exploration;
  double seconds = 0;
};

// One scope: a line when all holds, with the story when it does not.
std::string report_text(Timed const& result);
// All of them together, with what was bounded.
std::string summary_text(std::span<Timed const> results);
std::string report_json(std::span<Timed const> results);

}  // namespace payonce::check
