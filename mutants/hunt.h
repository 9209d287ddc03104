// Switches each deliberate fault on, in a process of its own, and lets the one who is to find it look.
#pragma once

#include <string>

namespace payonce::mutants {

// The faults whose names contain `part`. Prints a line for each, with how much looking it took, and at the end
// "N passed, N failed". Further means: the simulator shows of each what it sees, too. Returns the exit status: 0 only
// if every one was found.
int hunt(std::string const& part, bool looks_further);

}  // namespace payonce::mutants
