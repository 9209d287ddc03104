// The files of this repository as the lints see them, and what is wrong with them.
// Not for: the rules themselves; each has its own x_lint.cpp, declared in lint.h.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace payonce::lint {

struct SourceFile {
  std::string path;  // relative to the root, with forward slashes
  std::string text;

  std::string_view name() const;    // after the last slash
  std::string_view folder() const;  // before the last slash, or empty
  bool is_cpp() const;              // .h or .cpp
  bool is_test() const;             // x_test.cpp or x_test.h beside the code, or anything under tests/
};

struct Finding {
  std::string path;
  std::size_t line;
  std::string text;
};

using Findings = std::vector<Finding>;
using Rule = std::function<Findings(SourceFile const&)>;

// Every text file of the repository, sorted by path; without what git keeps, builds make and editors leave.
std::vector<SourceFile> const& repository();

// Whether a rule finds nothing in the whole repository; else the findings, one "path:line: text" per line.
testing::AssertionResult is_clean(Rule const& rule);

enum class Literals { keep, drop };

// C++ text of the same length in which comments, and with `drop` the insides of literals, are blanks.
std::string without_comments(std::string_view text, Literals literals);
// The same for SQL comments; literals stay.
std::string without_sql_comments(std::string_view text);

std::size_t line_of(std::string_view text, std::size_t at);
std::vector<std::string_view> lines_of(std::string_view text);

bool is_word(char c);
// Where `word` stands at or after `from` and is not part of a longer word; npos if nowhere.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0);

}  // namespace payonce::lint
