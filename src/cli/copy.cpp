// `payonce copy`: moves a shop's books to another database, and compares the two.
#include "copy/copy.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/archives.h"
#include "cli/commands.h"
#include "cli/existing_store.h"
#include "cli/key_store.h"

namespace payonce {

namespace {

constexpr int exit_differs = 2;

struct CopyOptions {
  std::string from;
  std::string to;
  bool compare_only = false;
  bool in_use_by_others = false;
};

std::string line_of(RowCounts const& counts) {
  return fmt::format(
      "{} orders, {} payments, {} captures, {} refunds, {} events, {} effects, {} notices, {} statements, {} "
      "discrepancies, {} API keys, {} audit rows",
      counts.orders, counts.payments, counts.captures, counts.refunds, counts.events, counts.effects, counts.notices,
      counts.statements, counts.discrepancies, counts.api_keys, counts.audit_rows);
}

// The store is closed again before the archive opens: that one wants the database for itself.
Result<std::unique_ptr<Archive>> open_source(CopyOptions const& options) {
  if (auto const store = open_existing_store(options.from); !store) return std::unexpected(store.error());
  if (!options.in_use_by_others)
    if (auto const unused = check_unused(options.from); !unused) return std::unexpected(unused.error());
  return open_archive(options.from);
}

Result<std::unique_ptr<Archive>> open_target(CopyOptions const& options) {
  auto const open = options.compare_only ? open_existing_store : open_migrated_store;
  if (auto const store = open(options.to); !store) return std::unexpected(store.error());
  return open_archive(options.to);
}

Result<void> fill(Archive& source, CopyOptions const& options) {
  auto const target = open_target(options);
  if (!target) return std::unexpected(target.error());
  if (!is_empty(**target))
    return fail(ErrorCode::invalid_request,
                fmt::format("{} is not empty: nothing was copied. If it is an earlier copy, check it with --compare. "
                            "Otherwise name an empty database, or empty this one: delete the file, or drop the schema "
                            "and create it anew",
                            shown(options.to)));
  std::cout << "copied   " << line_of(copy_books(source, **target)) << '\n';
  return {};
}

int compare(Archive& source, CopyOptions const& options) {
  auto const target = open_target(options);
  if (!target) return complain(target.error());
  Comparison const result = compare_books(source, **target);
  for (std::string const& it : result.differences) std::cout << "DIFFERS  " << it << '\n';
  if (!result.differences.empty()) {
    std::cout << "the two databases are not the same; do not start a service on " << shown(options.to) << '\n';
    return exit_differs;
  }
  std::cout << "compared " << line_of(result.counts) << ": all equal\n";
  if (result.mended > 0)
    std::cout << fmt::format("{} texts hold bytes that are no text; these are U+FFFD in the target\n", result.mended);
  return 0;
}

std::string what_became_of(CopyOptions const& options, StoreError const& error) {
  if (error.kind == StoreError::Kind::in_doubt)
    return fmt::format(
        "whether {} has the books now is not known: run the command again, and if it says \"not empty\", "
        "run it with --compare",
        shown(options.to));
  return fmt::format("unless \"copied\" stands above, nothing was written to {}", shown(options.to));
}

int run(CopyOptions const& options) {
  if (options.from == options.to)
    return complain({ErrorCode::invalid_request, "--from and --to name the same database"});
  try {
    auto const source = open_source(options);
    if (!source) return complain(source.error());
    if (!options.compare_only)
      if (auto const filled = fill(**source, options); !filled) return complain(filled.error());
    int const status = compare(**source, options);
    if (status != 0 || options.compare_only) return status;
  } catch (StoreError const& error) {
    return complain({ErrorCode::unavailable, fmt::format("{}; {}", error.what(), what_became_of(options, error))});
  }
  // So that the numbers of new events start above those that came along.
  if (auto const ready = open_migrated_store(options.to); !ready) return complain(ready.error());
  std::cout << "the source is unchanged; keep it, and start no service on it any more\n";
  return 0;
}

}  // namespace

void add_copy(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<CopyOptions>();
  CLI::App* const command = program.add_subcommand("copy", "Move a shop's books to another database");
  command->add_option("--from", options->from, "The database that holds them, e.g. sqlite:shop.db")->required();
  command->add_option("--to", options->to, "An empty database, e.g. postgresql://payonce@db.example.com/payonce")
      ->required();
  command->add_flag("--compare", options->compare_only, "Copy nothing, only compare the two row by row");
  command->add_flag("--in-use-by-others", options->in_use_by_others,
                    "Sessions of payonce that are seen on the source belong to another shop");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace payonce
