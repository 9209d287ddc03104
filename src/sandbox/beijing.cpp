#include "sandbox/beijing.h"

#include <fmt/format.h>

namespace payonce::sandbox {

namespace {

constexpr std::chrono::hours offset{8};  // no summer time since 1991

std::string parts_of(Time time, char between) {
  std::string text = to_rfc3339(time + offset);  // 2026-01-02T11:04:05.678Z
  text.resize(19);
  text[10] = between;
  return text;
}

}  // namespace

std::string to_beijing(Time time) { return parts_of(time, ' '); }

std::string to_beijing_rfc3339(Time time) { return parts_of(time, 'T') + "+08:00"; }

std::optional<Time> parse_beijing(std::string_view text) {
  if (text.size() != 19 || text[10] != ' ') return std::nullopt;
  auto const time = parse_rfc3339(fmt::format("{}T{}+08:00", text.substr(0, 10), text.substr(11)));
  if (!time) return std::nullopt;
  return *time;
}

}  // namespace payonce::sandbox
