// The drill: every failure in a world of its own, several at a time, and a report of what became of each.
#pragma once

#include <string>
#include <vector>

namespace payonce {

struct DrillOptions {
  std::vector<std::string> only;  // names; empty: all
  bool as_json = false;
  bool keep_folders = false;
  int at_once = 4;
};

// Prints to standard output. Returns 0 only if everything holds.
int run_drill(DrillOptions const& options);
void list_drill();

}  // namespace payonce
