// What became of one failure, for people and for machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drill/world.h"

namespace payonce::drill {

struct Verdict {
  std::string name;
  std::string_view what;
  OrderOutcome outcome;
  bool is_applicable = true;
  bool holds = false;
  std::string why;     // it does not hold, or is not applicable
  std::string folder;  // if it was kept
};

std::string table_head();
std::string table_line(Verdict const& verdict);
std::string to_json(std::vector<Verdict> const& verdicts);

}  // namespace payonce::drill
