// Finds the statements with co_await that GCC 12.2 compiles into double frees. It reads tokens, not C++: enough to
// tell a block from a braced value and a lambda from a subscript.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "repository/lint.h"

namespace payonce::lint {

namespace {

struct Token {
  std::string_view text;
  std::size_t at;
};

using Tokens = std::vector<Token>;
constexpr auto nowhere = std::string_view::npos;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, text) != list.end();
}

// Expects comments and the insides of literals to be blank. Preprocessor lines are skipped.
Tokens tokens_of(std::string_view code) {
  Tokens tokens;
  bool at_line_start = true;
  for (std::size_t at = 0; at < code.size();) {
    char const c = code[at];
    std::size_t end = at + 1;
    if (c == '\n') {
      at_line_start = true;
    } else if (c == '#' && at_line_start) {
      end = std::min(code.find('\n', at), code.size());
      while (end < code.size() && code[end - 1] == '\\') end = std::min(code.find('\n', end + 1), code.size());
    } else if (c != ' ' && c != '\t') {
      at_line_start = false;
      if (is_word(c)) {
        while (end < code.size() && is_word(code[end])) ++end;
      } else if (is_one_of(code.substr(at, 2), {"->", "::"})) {
        end = at + 2;
      }
      tokens.push_back({code.substr(at, end - at), at});
    }
    at = end;
  }
  return tokens;
}

// The opening bracket that belongs to the closing one at `close`.
std::size_t opening(Tokens const& statement, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (is_one_of(statement[i].text, {")", "]", "}"})) ++depth;
    if (is_one_of(statement[i].text, {"(", "[", "{"}) && --depth == 0) return i;
  }
  return nowhere;
}

// Whether the bracket at `at` begins a lambda, and not a subscript or an attribute.
bool opens_lambda(Tokens const& statement, std::size_t at) {
  if (at + 1 < statement.size() && statement[at + 1].text == "[") return false;
  if (at == 0) return true;
  std::string_view const before = statement[at - 1].text;
  if (is_one_of(before, {"return", "co_return", "co_await", "co_yield", "case", "else"})) return true;
  return !is_word(before.back()) && !is_one_of(before, {"]", ")", "[", "\"", "&"});
}

// The end of `head ... -> type`, or the last token when there is no type behind an arrow.
std::size_t before_return_type(Tokens const& statement) {
  for (std::size_t i = statement.size(); i-- > 1;) {
    std::string_view const text = statement[i].text;
    if (text == "->") return is_one_of(statement[i - 1].text, {")", "]", "mutable", "noexcept"}) ? i - 1 : nowhere;
    if (!is_word(text.front()) && !is_one_of(text, {"::", "<", ">", "*", "&", ","})) return nowhere;
  }
  return nowhere;
}

enum class Brace { block, lambda_body, value };

// What a brace means that follows these tokens of its statement.
Brace brace_after(Tokens const& statement) {
  if (statement.empty()) return Brace::block;
  std::size_t end = before_return_type(statement);
  bool const has_return_type = end != nowhere;
  if (!has_return_type) end = statement.size() - 1;
  while (end > 0 && is_one_of(statement[end].text, {"mutable", "noexcept", "const", "override", "final"})) --end;

  std::size_t head = end;
  if (statement[head].text == ")") {
    head = opening(statement, head);
    if (head == nowhere || head == 0) return Brace::block;
    --head;
  }
  if (statement[head].text == "]") {
    std::size_t const open = opening(statement, head);
    if (open != nowhere && opens_lambda(statement, open)) return Brace::lambda_body;
    if (head == end) return Brace::value;
  }
  if (has_return_type || is_one_of(statement[end].text, {")", "}", ":", "else", "do", "try"})) return Brace::block;
  bool const names_type = std::ranges::any_of(statement, [](Token const& token) {
    return is_one_of(token.text, {"class", "struct", "union", "enum", "namespace", "extern"});
  });
  return names_type ? Brace::block : Brace::value;
}

// The first shape beside co_await that must not be there, or empty.
std::string_view shape_beside_await(Tokens const& statement) {
  for (std::size_t i = 0; i < statement.size(); ++i) {
    std::string_view const text = statement[i].text;
    if (text == "?") return "?: beside co_await: use if and else";
    if (text == "{") return "braces beside co_await: give the value a name first, then move it in";
    if (text != "[") continue;
    bool const binds = i > 0 && is_one_of(statement[i - 1].text, {"auto", "&"});
    if (binds) return "a structured binding of co_await: bind to one name first";
    if (!opens_lambda(statement, i)) continue;
    bool const is_empty = statement[i + 1].text == "]";
    bool const is_reference = statement[i + 1].text == "&" && statement[i + 2].text == "]";
    if (!is_empty && !is_reference) return "a capturing lambda beside co_await: name it first, or capture [&]";
  }
  return {};
}

// Splits the tokens into statements; blocks and lambda bodies are statements of their own.
class Statements {
 public:
  explicit Statements(SourceFile const& file) : file_(file), code_(without_comments(file.text, Literals::drop)) {
    tokens_ = tokens_of(code_);
  }

  Findings check() {
    while (next_ < tokens_.size()) {
      read_block();
      ++next_;  // a closing brace too many
    }
    return std::move(findings_);
  }

 private:
  void read_block() {
    while (next_ < tokens_.size() && tokens_[next_].text != "}") read_statement();
  }

  void read_statement() {
    Tokens statement;
    std::size_t depth = 0;
    for (; next_ < tokens_.size(); ++next_) {
      Token const token = tokens_[next_];
      if (token.text == "{") {
        Brace const brace = brace_after(statement);
        if (brace != Brace::value) {
          ++next_;
          read_block();
          if (brace == Brace::block && depth == 0) {
            ++next_;
            return judge(statement);
          }
          continue;
        }
      }
      if (depth == 0 && token.text == "}") break;
      statement.push_back(token);
      if (is_one_of(token.text, {"(", "[", "{"})) ++depth;
      if (is_one_of(token.text, {")", "]", "}"}) && depth > 0) --depth;
      if (depth == 0 && token.text == ";") {
        ++next_;
        break;
      }
    }
    judge(statement);
  }

  void judge(Tokens const& statement) {
    auto const await = std::ranges::find(statement, std::string_view{"co_await"}, &Token::text);
    if (await == statement.end()) return;
    std::string_view const shape = shape_beside_await(statement);
    if (!shape.empty()) findings_.push_back({file_.path, line_of(code_, await->at), std::string{shape}});
  }

  SourceFile const& file_;
  std::string const code_;
  Tokens tokens_;
  std::size_t next_ = 0;
  Findings findings_;
};

}  // namespace

Findings check_coroutines(SourceFile const& file) {
  if (!file.is_cpp() || file.text.find("co_await") == std::string::npos) return {};
  return Statements(file).check();
}

}  // namespace payonce::lint
