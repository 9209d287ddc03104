// A link that leads nowhere costs a reader more than no link.
#include <fmt/format.h>

#include <filesystem>

#include "repository/lint.h"

namespace payonce::lint {

namespace {

// Where the link `](target)` that opens at `at` points to; empty when it leaves the repository or stays on the page.
std::string relative_target(std::string_view line, std::size_t at) {
  std::string_view target = line.substr(at + 2);
  target = target.substr(0, target.find_first_of(") "));
  target = target.substr(0, target.find('#'));
  bool const leaves = target.find(':') != std::string_view::npos;
  return leaves ? std::string{} : std::string{target};
}

}  // namespace

Findings check_links(SourceFile const& file, std::function<bool(std::string const& path)> const& exists) {
  if (!file.path.ends_with(".md")) return {};
  Findings findings;
  bool is_code = false;
  std::size_t number = 0;
  for (auto const line : lines_of(file.text)) {
    ++number;
    if (line.starts_with("```")) is_code = !is_code;
    if (is_code) continue;
    for (auto at = line.find("]("); at != std::string_view::npos; at = line.find("](", at + 1)) {
      std::string const target = relative_target(line, at);
      if (target.empty()) continue;
      auto const path = (std::filesystem::path{file.folder()} / target).lexically_normal().generic_string();
      if (!exists(path)) findings.push_back({file.path, number, fmt::format("{} does not exist", target)});
    }
  }
  return findings;
}

}  // namespace payonce::lint
