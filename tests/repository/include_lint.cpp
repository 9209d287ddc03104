// The layers: arrows point downwards only, drivers hide behind their port, libraries stay where they are at home.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "repository/lint.h"

namespace payonce::lint {

namespace {

using Names = std::set<std::string, std::less<>>;

struct Include {
  std::string_view path;
  std::size_t line;
};

// What each folder of src/ may include besides itself. main.cpp alone may include everything.
std::map<std::string, Names, std::less<>> const& layers() {
  static Names const service{"base", "payment", "store", "net", "provider", "engine", "worker", "http", "process"};
  static Names const commands{"base",   "payment", "store",   "net",     "provider", "engine",
                              "worker", "http",    "process", "sandbox", "drill",    "bench",
                              "verify", "copy",    "archive", "doctor",  "check",    "simulate"};
  static std::map<std::string, Names, std::less<>> const below{
      {"base", {}},
      {"process", {"base"}},
      {"payment", {"base"}},
      {"net", {"base"}},
      {"store", {"base", "payment"}},
      {"provider", {"base", "payment", "net"}},
      {"engine", {"base", "payment", "store", "net", "provider"}},
      {"worker", {"base", "payment", "store", "net", "provider", "engine"}},
      {"http", {"base", "payment", "store", "net", "provider", "engine"}},
      {"sandbox", service},
      {"verify", {"base", "payment", "store", "net"}},
      {"copy", {"base", "payment", "store"}},
      {"archive", {"base", "payment", "store"}},
      {"doctor", {"base", "payment", "store"}},
      {"check", {"base", "payment"}},
      {"drill", service},
      {"simulate", {"base", "payment", "store", "net", "provider", "engine", "worker", "verify"}},
      {"bench", service},
      {"cli", commands},
  };
  return below;
}

// Headers that a pure rule may need. No thread, file, stream or random number among them.
Names const& pure_headers() {
  static Names const names{
      "algorithm",        "array",         "bit",           "cassert",   "charconv", "chrono",      "compare",
      "concepts",         "cstddef",       "cstdint",       "cstring",   "expected", "format",      "functional",
      "initializer_list", "iterator",      "limits",        "map",       "memory",   "numeric",     "optional",
      "ranges",           "set",           "span",          "stdexcept", "string",   "string_view", "tuple",
      "type_traits",      "unordered_map", "unordered_set", "utility",   "variant",  "vector",      "fmt/compile.h",
      "fmt/format.h",     "fmt/ranges.h",
  };
  return names;
}

std::vector<Include> includes_of(std::string_view code) {
  std::vector<Include> found;
  std::size_t number = 0;
  for (auto line : lines_of(code)) {
    ++number;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("#")) continue;
    line.remove_prefix(std::min(line.find_first_not_of(" \t", 1), line.size()));
    if (!line.starts_with("include")) continue;
    std::size_t const open = line.find_first_of("<\"");
    if (open == std::string_view::npos) continue;
    std::size_t const close = line.find_first_of(">\"", open + 1);
    found.push_back({line.substr(open + 1, close - open - 1), number});
  }
  return found;
}

std::string_view first_part(std::string_view path) {
  std::size_t const slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

// "store/sqlite" for anything in a driver's folder, or empty.
std::string_view driver_of(std::string_view path) {
  std::string_view const layer = first_part(path);
  if (layer != "store" && layer != "provider") return {};
  std::size_t const slash = path.find('/', layer.size() + 1);
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

// Only those who put the program together know the drivers by name.
bool may_name_drivers(std::string_view file, std::string_view layer) {
  static std::array<std::string_view, 6> const builders{"cli", "sandbox", "drill", "bench", "doctor", "simulate"};
  return std::ranges::find(builders, layer) != builders.end() || file.starts_with("provider/registry");
}

std::string layer_fault(std::string_view file, std::string_view layer, bool is_test, std::string_view include) {
  std::string_view const target = first_part(include);
  if (!layers().contains(target)) return {};
  if (target != layer && !layers().find(layer)->second.contains(target)) {
    return fmt::format("{} must not include {}: it is not a layer below", layer, target);
  }
  std::string_view const driver = driver_of(include);
  bool const is_own = driver == driver_of(file);
  if (!driver.empty() && !is_own && !is_test && !may_name_drivers(file, layer)) {
    return fmt::format("{} must not know the driver {}: include its port instead", file, driver);
  }
  return {};
}

std::string library_fault(std::string_view file, std::string_view layer, bool is_test, std::string_view include) {
  bool const is_network =
      include.starts_with("boost/asio") || include.starts_with("boost/beast") || include.starts_with("curl/");
  if (is_network && layer != "net") return fmt::format("<{}> is for src/net only", include);
  if (include == "sqlite3.h" && !file.starts_with("store/sqlite/")) {
    return "<sqlite3.h> is for src/store/sqlite only";
  }
  if (include == "libpq-fe.h" && !file.starts_with("store/postgres/")) {
    return "<libpq-fe.h> is for src/store/postgres only";
  }
  if (include.starts_with("spdlog/") && file != "base/log.cpp" && file != "cli/logging.cpp") {
    return "the logging library is for base/log.cpp and cli/logging.cpp only: include \"base/log.h\"";
  }
  if (is_test) return {};
  bool const is_support = include.starts_with("support/") || include.starts_with("gtest/") ||
                          include.starts_with("gmock/") || include.starts_with("rapidcheck");
  if (is_support) return fmt::format("\"{}\" is for tests only", include);
  bool const is_ours = layers().contains(first_part(include));
  if (layer == "payment" && include == "base/log.h") return "a pure rule tells its caller, not a log";
  if (layer == "payment" && !is_ours && !pure_headers().contains(include)) {
    return fmt::format("<{}> is not on the list of headers that pure rules may use", include);
  }
  return {};
}

}  // namespace

Findings check_includes(SourceFile const& file) {
  std::string_view const root = "src/";
  if (!file.is_cpp() || !file.path.starts_with(root)) return {};
  std::string_view const inside = std::string_view{file.path}.substr(root.size());
  std::string_view const layer = first_part(inside);
  bool const is_main = layer.empty();
  Findings findings;
  if (!is_main && !layers().contains(layer)) {
    findings.push_back({file.path, 1, fmt::format("\"{}\" is no layer: name it in include_lint.cpp", layer)});
    return findings;
  }
  std::string const code = without_comments(file.text, Literals::keep);
  for (auto const& include : includes_of(code)) {
    std::string fault = is_main ? std::string{} : layer_fault(inside, layer, file.is_test(), include.path);
    if (fault.empty()) fault = library_fault(inside, layer, file.is_test(), include.path);
    if (!fault.empty()) findings.push_back({file.path, include.line, fault});
  }
  return findings;
}

}  // namespace payonce::lint
