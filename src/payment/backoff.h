// When to ask again: doubling waits with jitter, up to a longest wait that never grows into silence.
#pragma once

#include <string_view>

#include "base/clock.h"

namespace payonce {

// The wait after try number `tries` (0 = first): first, 2·first, 4·first … at most longest, spread over the upper
// quarter below it by a hash of `who` and `tries`, so that many who failed together do not return together.
// Pure: the same arguments give the same wait.
Millis backoff(Millis first, Millis longest, int tries, std::string_view who);

}  // namespace payonce
