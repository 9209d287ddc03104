#include "mutants/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>

namespace payonce::mutants {

namespace {

// What follows the prefix, if the line begins with it.
std::optional<std::string_view> behind(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return std::nullopt;
  return line.substr(prefix.size());
}

// Works one line into the last fault; false if it does not fit there.
bool add_line(Fault& fault, std::string_view line) {
  if (auto const finder = behind(line, "found by: ")) {
    fault.found_by = *finder;
  } else if (auto const file = behind(line, "in: ")) {
    fault.edits.push_back({std::string{*file}, {}, {}});
  } else if (auto const before = behind(line, "- "); before && !fault.edits.empty()) {
    if (!fault.edits.back().before.empty()) fault.edits.push_back({fault.edits.back().file, {}, {}});
    fault.edits.back().before = *before;
  } else if (auto const after = behind(line, "+ "); after && !fault.edits.empty() && fault.edits.back().after.empty()) {
    fault.edits.back().after = *after;
  } else {
    return false;
  }
  return true;
}

bool is_whole(Fault const& fault) {
  bool const has_edits = !fault.edits.empty() && std::ranges::all_of(fault.edits, [](Edit const& edit) {
    return !edit.before.empty() && edit.after.contains("mutated()");
  });
  return has_edits && !fault.found_by.empty();
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

Result<std::vector<Fault>> read_catalogue(std::string_view text) {
  std::vector<Fault> faults;
  bool in_fault = false;
  for (auto const part : text | std::views::split('\n')) {
    std::string_view const line{part.begin(), part.end()};
    if (line.starts_with("#")) continue;
    if (line.empty()) {
      in_fault = false;
      continue;
    }
    if (in_fault) {
      if (!add_line(faults.back(), line))
        return fail(ErrorCode::invalid_request, fmt::format("{}: \"{}\" does not fit", faults.back().name, line));
      continue;
    }
    auto const colon = line.find(": ");
    if (colon == std::string_view::npos)
      return fail(ErrorCode::invalid_request, fmt::format("\"{}\" is not a name and a sentence", line));
    faults.push_back({std::string{line.substr(0, colon)}, std::string{line.substr(colon + 2)}, {}, {}});
    in_fault = true;
  }
  for (Fault const& fault : faults)
    if (!is_whole(fault))
      return fail(ErrorCode::invalid_request,
                  fmt::format("{}: it takes who finds it, and places with a \"-\" and a \"+\" that asks mutated()",
                              fault.name));
  return faults;
}

Result<std::string> weave(std::string_view file, std::string source, std::span<Fault const> faults) {
  for (Fault const& fault : faults)
    for (Edit const& edit : fault.edits) {
      if (edit.file != file) continue;
      auto const at = source.find(edit.before);
      if (at == std::string::npos || source.find(edit.before, at + 1) != std::string::npos)
        return fail(ErrorCode::invalid_request,
                    fmt::format("fault {}: \"{}\" must stand in {} exactly once; bring the fault up to date, or "
                                "drop it if there is nothing to break there any more",
                                fault.name, edit.before, file));
      source.replace(at, edit.before.size(),
                     replaced(edit.after, "mutated()", fmt::format("::payonce::mutated(\"{}\")", fault.name)));
    }
  return fmt::format("#include \"mutants/mutated.h\"\n#line 1 \"{}\"\n{}", file, source);
}

}  // namespace payonce::mutants
