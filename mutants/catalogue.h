// The catalogue of deliberate faults (mutants/faults/*.txt), and how they are woven into a source. Not for: running
// them (hunt.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace payonce::mutants {

// One place of a source that a fault changes. `before` stands there exactly once, within one line.
struct Edit {
  std::string file;  // as in the repository: src/payment/draft.cpp
  std::string before;
  std::string after;  // asks mutated() and is `before` in effect while it says no
};

struct Fault {
  std::string name;
  std::string sentence;  // what goes wrong, for people
  std::string found_by;  // "check " and a scope, simulate, or "test " and a filter for the unit tests
  std::vector<Edit> edits;
};

// Reads the text of a catalogue. invalid_request with the line that does not fit.
Result<std::vector<Fault>> read_catalogue(std::string_view text);

// The source of `file` with all its faults in, each behind its name. invalid_request when a place is not there, or
// there more than once.
Result<std::string> weave(std::string_view file, std::string source, std::span<Fault const> faults);

}  // namespace payonce::mutants
