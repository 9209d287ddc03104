// The rules of the house that a compiler does not know. Each takes one file and says what is wrong with it.
#pragma once

#include "repository/source_file.h"

namespace payonce::lint {

// Which layer may include which, and which libraries stay in their corner.
Findings check_includes(SourceFile const& file);

// Time and chance come in through base/clock and base/random only, in SQL too.
Findings check_time_and_chance(SourceFile const& file);

// The statements with co_await that GCC 12.2 compiles wrongly: only names, literals, calls and [&] lambdas may stand
// beside it.
Findings check_coroutines(SourceFile const& file);

// A statement file that no code beside it names is dead.
Findings check_dead_sql(SourceFile const& file, std::vector<SourceFile> const& tree);

// Lengths, opening lines, notes left behind and paths of somebody's machine.
Findings check_text(SourceFile const& file);

// A relative link in Markdown points to something that exists.
Findings check_links(SourceFile const& file, std::function<bool(std::string const& path)> const& exists);

}  // namespace payonce::lint
