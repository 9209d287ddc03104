// Run by the build: writes the woven copy of each source that has a fault, and the list of all faults as a header.
// Usage: weave SOURCE_FOLDER OUTPUT_FOLDER CATALOGUE…
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "mutants/catalogue.h"

namespace {

namespace fs = std::filesystem;
using payonce::mutants::Fault;

std::string read(fs::path const& path) {
  std::ifstream file{path};
  if (!file) throw std::runtime_error("can't read " + path.string());
  return {std::istreambuf_iterator<char>{file}, {}};
}

// Untouched when it would stay the same, so that nothing is compiled anew.
void write(fs::path const& path, std::string const& text) {
  if (fs::exists(path) && read(path) == text) return;
  fs::create_directories(path.parent_path());
  if (!(std::ofstream{path} << text)) throw std::runtime_error("can't write " + path.string());
}

template <class T>
T value_of(payonce::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().detail);
  return std::move(*result);
}

std::string list_of(std::vector<Fault> const& faults) {
  std::string rows;
  for (Fault const& fault : faults)
    rows += fmt::format("    {{R\"({})\", R\"({})\", R\"({})\"}},\n", fault.name, fault.sentence, fault.found_by);
  return fmt::format(
      "// Made by the build from mutants/faults.\n#pragma once\n\n#include <string_view>\n\n"
      "namespace payonce::mutants {{\n\nstruct Listed {{\n  std::string_view name;\n  std::string_view sentence;\n"
      "  std::string_view found_by;\n}};\n\ninline constexpr Listed faults[] = {{\n{}}};\n\n"
      "}}  // namespace payonce::mutants\n",
      rows);
}

void weave_all(fs::path const& from, fs::path const& to, std::vector<fs::path> const& catalogues) {
  std::vector<Fault> faults;
  for (fs::path const& path : catalogues)
    for (Fault& fault : value_of(payonce::mutants::read_catalogue(read(path)))) faults.push_back(std::move(fault));
  std::map<std::string, std::string> woven;
  for (Fault const& fault : faults)
    for (auto const& edit : fault.edits) woven.try_emplace(edit.file);
  for (auto& [file, text] : woven) {
    text = value_of(payonce::mutants::weave(file, read(from / file), faults));
    write(to / file, text);
  }
  write(to / "faults.gen.h", list_of(faults));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 4) throw std::runtime_error("usage: weave SOURCE_FOLDER OUTPUT_FOLDER CATALOGUE...");
  weave_all(argv[1], argv[2], {argv + 3, argv + argc});
} catch (std::exception const& error) {
  std::cerr << "weave: " << error.what() << '\n';
  return 1;
}
