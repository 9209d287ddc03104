// What the service tells its operator, a line each, on standard error (how it looks: cli/logging.h). The one place that
// knows the logging library, whose templates cost every source seconds to compile.
#pragma once

#include <fmt/format.h>

namespace payonce {

enum class LogLevel { debug, info, warn, error, critical, off };

LogLevel log_level();
void set_log_level(LogLevel least);
void write_log(LogLevel level, fmt::string_view format, fmt::format_args arguments);

template <class... Arguments>
void log_debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_log(LogLevel::debug, format, fmt::make_format_args(arguments...));
}

template <class... Arguments>
void log_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_log(LogLevel::info, format, fmt::make_format_args(arguments...));
}

template <class... Arguments>
void log_warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_log(LogLevel::warn, format, fmt::make_format_args(arguments...));
}

template <class... Arguments>
void log_error(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_log(LogLevel::error, format, fmt::make_format_args(arguments...));
}

template <class... Arguments>
void log_critical(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_log(LogLevel::critical, format, fmt::make_format_args(arguments...));
}

}  // namespace payonce
