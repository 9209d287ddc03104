#include "repository/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace payonce::lint {

namespace {

namespace fs = std::filesystem;

// In a second work tree `.git` is a file.
bool is_foreign(fs::path const& path) {
  static std::vector<std::string> const foreign{".git", "build", ".cache", "node_modules", "payonce-data"};
  return std::ranges::find(foreign, path.filename().string()) != foreign.end();
}

std::vector<SourceFile> read_repository() {
  std::vector<SourceFile> files;
  fs::path const root{PAYONCE_SOURCE_DIR};
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    if (is_foreign(entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file()) continue;
    std::ifstream in(entry->path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (text.view().find('\0') != std::string_view::npos) continue;  // a picture or a database
    files.push_back({fs::relative(entry->path(), root).generic_string(), text.str()});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

// The end of the literal that opens at `at` with a quote; raw strings are found by the R before it.
std::size_t literal_end(std::string_view text, std::size_t at) {
  if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
    std::size_t const open = text.find('(', at);
    if (open == std::string_view::npos) return text.size();
    std::string const close = fmt::format("){}\"", text.substr(at + 1, open - at - 1));
    std::size_t const end = text.find(close, open);
    return end == std::string_view::npos ? text.size() : end + close.size();
  }
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[at] || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// 1'000'000: the quote inside a number opens no literal.
bool is_digit_separator(std::string_view text, std::size_t at) {
  return text[at] == '\'' && at > 0 && std::isxdigit(static_cast<unsigned char>(text[at - 1])) != 0;
}

}  // namespace

std::string_view SourceFile::name() const {
  std::string_view const all = path;
  return all.substr(all.rfind('/') + 1);
}

std::string_view SourceFile::folder() const {
  std::string_view const all = path;
  std::size_t const slash = all.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : all.substr(0, slash);
}

bool SourceFile::is_cpp() const { return path.ends_with(".h") || path.ends_with(".cpp"); }

bool SourceFile::is_test() const {
  return path.ends_with("_test.cpp") || path.ends_with("_test.h") || path.starts_with("tests/");
}

std::vector<SourceFile> const& repository() {
  static std::vector<SourceFile> const files = read_repository();
  return files;
}

testing::AssertionResult is_clean(Rule const& rule) {
  std::string all;
  for (auto const& file : repository()) {
    for (auto const& finding : rule(file)) {
      all += fmt::format("\n{}:{}: {}", finding.path, finding.line, finding.text);
    }
  }
  return all.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << all;
}

std::string without_comments(std::string_view text, Literals literals) {
  std::string result{text};
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
      blank(result, at, end);
    } else if (text.substr(at, 2) == "/*") {
      std::size_t const close = text.find("*/", at + 2);
      end = close == std::string_view::npos ? text.size() : close + 2;
      blank(result, at, end);
    } else if (text[at] == '"' || (text[at] == '\'' && !is_digit_separator(text, at))) {
      end = literal_end(text, at);
      if (literals == Literals::drop) blank(result, at + 1, end - 1);
    }
    at = end;
  }
  return result;
}

std::string without_sql_comments(std::string_view text) {
  std::string result{text};
  for (std::size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 1)) {
    blank(result, at, std::min(text.find('\n', at), text.size()));
  }
  return result;
}

std::size_t line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::size_t const end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    bool const starts = at == 0 || !is_word(word.front()) || !is_word(text[at - 1]);
    std::size_t const end = at + word.size();
    bool const ends = end >= text.size() || !is_word(word.back()) || !is_word(text[end]);
    if (starts && ends) return at;
  }
  return std::string_view::npos;
}

}  // namespace payonce::lint
