// Whether a deliberate fault is switched on. Only woven sources ask (mutants/README.md); nothing of it is in payonce.
#pragma once

#include <string_view>

namespace payonce {

// Empty while all is well. From the environment variable PAYONCE_MUTATE, or set once before anything runs.
extern std::string_view active_fault;

inline bool mutated(std::string_view fault) { return active_fault == fault; }

}  // namespace payonce
