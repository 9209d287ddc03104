// The list of conformance checks. Each plays one scene and tells what is wrong, or nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "doctor/scene.h"

namespace payonce {

struct ConformanceCheck {
  std::string_view name;
  std::string_view otherwise;         // what breaks in payonce when it does not hold
  std::string (*play)(Scene& scene);  // a sentence, or empty when it holds; throws StoreError
};

std::span<ConformanceCheck const> conformance_checks();

// Whether the statements that carry the load read through an index; conformance_plans.cpp.
std::string plans_use_indexes(Scene& scene);
std::string timeline_stays(Scene& scene);

}  // namespace payonce
