// Nobody reads a clock or throws dice on their own: tests could not repeat it, and two nodes would not agree.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "repository/lint.h"

namespace payonce::lint {

namespace {

constexpr std::array<std::string_view, 18> forbidden_in_code{
    "system_clock::now",
    "steady_clock::now",
    "high_resolution_clock",
    "file_clock::now",
    "utc_clock::now",
    "clock_gettime",
    "gettimeofday",
    "std::time(",
    "::time(",
    "time(nullptr)",
    "time(NULL)",
    "random_device",
    "rand(",
    "srand(",
    "mt19937",
    "mt19937_64",
    "RAND_bytes",
    "getrandom",
};

constexpr std::array<std::string_view, 12> forbidden_in_sql{
    "now(",  "random(",     "randomblob(",      "current_timestamp", "current_time",    "current_date",
    "'now'", "unixepoch()", "clock_timestamp(", "localtimestamp",    "gen_random_uuid", "statement_timestamp(",
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Findings find_all(SourceFile const& file, std::string_view text, auto const& words, std::string_view advice) {
  Findings findings;
  for (std::string_view const word : words) {
    for (auto at = find_word(text, word); at != std::string_view::npos; at = find_word(text, word, at + 1)) {
      findings.push_back({file.path, line_of(text, at), fmt::format("{}: {}", word, advice)});
    }
  }
  return findings;
}

}  // namespace

Findings check_time_and_chance(SourceFile const& file) {
  // The one statement that compares the server's clock with ours.
  if (file.path == "src/doctor/assets/select_server_time.sql") return {};
  if (file.path.ends_with(".sql")) {
    return find_all(file, lower(without_sql_comments(file.text)), forbidden_in_sql,
                    "time and chance go into SQL as parameters");
  }
  bool const is_home = file.path == "src/base/clock.cpp" || file.path == "src/base/random.cpp";
  // A shop's own program has no ports of ours.
  bool const is_foreign = file.path.starts_with("examples/");
  if (!file.is_cpp() || is_home || is_foreign) return {};
  return find_all(file, without_comments(file.text, Literals::drop), forbidden_in_code,
                  "take a Clock (base/clock.h) or a Random (base/random.h) through the constructor");
}

}  // namespace payonce::lint
