// How far apart the refunds of one payment are sent: as the provider demands, or further. Only a sandbox on this
// machine may be sent more at once, so that tests need not wait.
#pragma once

#include <string>

#include "provider/settings.h"

namespace payonce {

// `least` is what the provider demands.
inline Millis refund_spacing(ProviderSettings const& settings, Millis least) {
  return settings.refund_spacing.value_or(least);
}

// Why the settings can't have their spacing; empty if they can.
std::string spacing_problem(ProviderSettings const& settings, Millis least);

}  // namespace payonce
