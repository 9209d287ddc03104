#include "base/log.h"

#include <spdlog/spdlog.h>

#include <string_view>

namespace payonce {

namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::error: return spdlog::level::err;
    case LogLevel::critical: return spdlog::level::critical;
    case LogLevel::off: break;
  }
  return spdlog::level::off;
}

}  // namespace

LogLevel log_level() {
  auto const least = spdlog::get_level();
  for (auto const level : {LogLevel::debug, LogLevel::info, LogLevel::warn, LogLevel::error, LogLevel::critical}) {
    if (least <= to_spdlog(level)) return level;
  }
  return LogLevel::off;
}

void set_log_level(LogLevel least) { spdlog::set_level(to_spdlog(least)); }

void write_log(LogLevel level, fmt::string_view format, fmt::format_args arguments) {
  if (!spdlog::should_log(to_spdlog(level))) return;
  spdlog::log(to_spdlog(level), std::string_view{fmt::vformat(format, arguments)});
}

}  // namespace payonce
