// What makes a file pleasant to read, as far as it can be counted, and what must not leave the writer's desk.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "repository/lint.h"

namespace payonce::lint {

namespace {

// 400 lines are a reason to look for a seam; 120 columns fit two files side by side.
constexpr std::size_t file_lines_max = 400;
constexpr std::size_t line_columns_max = 120;

// Written in two parts, or this file would be its own first finding.
constexpr std::array<std::string_view, 2> notes_to_self{
    "TO"
    "DO",
    "FIX"
    "ME",
};
constexpr std::array<std::string_view, 3> machine_folders{
    "/wo"
    "rk/",
    "/ro"
    "ot/",
    "/ho"
    "me/",
};

std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

// "see /x/" and "=/x/" name a machine's folder; "src/x/" and "https://host/x/" do not.
bool names_machine_folder(std::string_view line, std::string_view folder) {
  for (auto at = line.find(folder); at != std::string_view::npos; at = line.find(folder, at + 1)) {
    if (at == 0) return true;
    char const before = line[at - 1];
    if (!is_word(before) && std::string_view{".-})]>*"}.find(before) == std::string_view::npos) return true;
  }
  return false;
}

void check_cpp(SourceFile const& file, std::vector<std::string_view> const& lines, Findings& findings) {
  if (lines.size() > file_lines_max) {
    findings.push_back({file.path, lines.size(), fmt::format("longer than {} lines: find a seam", file_lines_max)});
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (columns_of(lines[i]) > line_columns_max) {
      findings.push_back({file.path, i + 1, fmt::format("longer than {} columns", line_columns_max)});
    }
  }
  if (!file.path.ends_with(".h")) return;
  if (!file.text.starts_with("// ")) {
    findings.push_back({file.path, 1, "a header opens with a line that says what it is for"});
  }
  if (file.text.find("\n#pragma once\n") == std::string::npos) {
    findings.push_back({file.path, 1, "a header has #pragma once"});
  }
}

}  // namespace

Findings check_text(SourceFile const& file) {
  Findings findings;
  auto const lines = lines_of(file.text);
  if (file.is_cpp()) check_cpp(file, lines, findings);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (auto const note : notes_to_self) {
      if (find_word(lines[i], note) != std::string_view::npos) {
        findings.push_back({file.path, i + 1, fmt::format("{}: do it, or file it as an issue", note)});
      }
    }
    for (auto const folder : machine_folders) {
      if (names_machine_folder(lines[i], folder)) {
        findings.push_back({file.path, i + 1, fmt::format("{}: a path of somebody's machine", folder)});
      }
    }
  }
  return findings;
}

}  // namespace payonce::lint
