#include "mutants/mutated.h"

#include <cstdlib>

namespace payonce {

namespace {

std::string_view from_environment() {
  char const* const name = std::getenv("PAYONCE_MUTATE");
  return name ? name : "";
}

}  // namespace

std::string_view active_fault = from_environment();

}  // namespace payonce
