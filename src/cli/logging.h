// Where log lines go and how they look. Once per process, at its start.
#pragma once

#include "cli/settings.h"

namespace payonce {

// To standard error: text for people, or one JSON object a line for collectors. Control characters and quotes in
// messages are escaped in both, so that no input can forge a line.
void start_logging(Settings::Log const& settings);

}  // namespace payonce
