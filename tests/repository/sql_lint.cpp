// SQL lives in files, one statement each. A file whose name no code beside it speaks is never run.
#include <fmt/format.h>

#include <algorithm>

#include "repository/lint.h"

namespace payonce::lint {

Findings check_dead_sql(SourceFile const& file, std::vector<SourceFile> const& tree) {
  if (!file.path.ends_with(".sql") || !file.folder().ends_with("/sql")) return {};
  std::string const driver{file.folder().substr(0, file.folder().rfind('/') + 1)};
  std::string_view const statement = file.name().substr(0, file.name().rfind('.'));
  bool const is_named = std::ranges::any_of(tree, [&](SourceFile const& code) {
    if (!code.is_cpp() || code.is_test() || !code.path.starts_with(driver)) return false;
    return find_word(without_comments(code.text, Literals::drop), statement) != std::string_view::npos;
  });
  if (is_named) return {};
  return {{file.path, 1, fmt::format("no code under {} names {}: use it or remove it", driver, statement)}};
}

}  // namespace payonce::lint
