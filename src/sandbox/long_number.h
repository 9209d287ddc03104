// Numbers of transactions as the Chinese providers give them: 28 digits. Pure.
#pragma once

#include <string>

#include "sandbox/charge.h"

namespace payonce::sandbox {

// The same for the same charge.
std::string long_number(Charge const& charge);

}  // namespace payonce::sandbox
