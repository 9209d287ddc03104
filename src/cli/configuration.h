// Reads settings from a TOML file and the environment. An unknown setting is an error, not a silent default.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "cli/settings.h"

namespace payonce {

using Environment = std::map<std::string, std::string>;

// The process's variables that begin with PAYONCE_, and all that secrets may name by "env:NAME".
Environment process_environment();

// `toml` is the file's text, `origin` its name for messages. The environment overrides [server], [database] and [log]:
// PAYONCE_SERVER_PORT=9000. Errors (invalid_request) name the setting, what is wrong and what is allowed.
Result<Settings> read_settings(std::string_view toml, std::string_view origin, Environment const& environment);

// The same from a file; an empty path means the environment alone.
Result<Settings> load_settings(std::string const& path);

}  // namespace payonce
