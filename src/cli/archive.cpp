// `payonce archive`: the history of settled orders moves to an archive while services go on.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "archive/archive_orders.h"
#include "cli/archives.h"
#include "cli/commands.h"
#include "cli/existing_store.h"
#include "cli/key_store.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

struct ArchiveArguments {
  std::string to;
  std::string older_than = "90d";
  std::string config;
  std::string database;
};

Result<std::unique_ptr<Archivist>> open_live(std::string const& url) {
  if (auto const store = open_existing_store(url); !store) return std::unexpected(store.error());
  return open_archivist(url);
}

Result<std::unique_ptr<Archivist>> open_target(std::string const& url) {
  if (auto const store = open_migrated_store(url); !store) return std::unexpected(store.error());
  return open_archivist(url);
}

// Lets the service have the database for as long as the last transaction had it.
class Pauses {
 public:
  void operator()() {
    auto const taken = clock_.monotonic() - since_;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(taken, 200ms));
    since_ = clock_.monotonic();
  }

 private:
  SystemClock clock_;
  std::chrono::nanoseconds since_ = clock_.monotonic();
};

Result<Millis> parse_age(std::string_view text) {
  std::int64_t count = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  std::string_view const unit{end, text.data() + text.size()};
  constexpr std::int64_t count_max = 1'000'000;
  if (error == std::errc{} && count >= 0 && count <= count_max) {
    if (unit == "d") return count * 24h;
    if (unit == "h") return count * 1h;
    if (unit == "m") return count * 1min;
    if (unit == "s") return count * 1s;
  }
  return fail(ErrorCode::invalid_request,
              fmt::format("\"{}\" is no age: write a number and d, h, m or s, e.g. 90d", text));
}

int archive(Archivist& live, Archivist& target, ArchiveArguments const& arguments, Millis age) {
  Time const now = SystemClock{}.now();
  ArchiveCounts const counts = archive_orders(live, target, {.before = now - age, .now = now, .pause = Pauses{}});
  std::cout << fmt::format("archived {} orders with {} events to {}\n", counts.orders, counts.events,
                           shown(arguments.to));
  if (counts.too_young > 0)
    std::cout << fmt::format("{} older ones stay, since something of them is not settled or happened lately\n",
                             counts.too_young);
  if (counts.changed > 0) std::cout << fmt::format("{} changed meanwhile; the next run takes them\n", counts.changed);
  return 0;
}

int run(ArchiveArguments const& arguments) {
  auto const settings = settings_for_reading(arguments.config, arguments.database);
  if (!settings) return complain(settings.error());
  auto const age = parse_age(arguments.older_than);
  if (!age) return complain(age.error());
  if (arguments.to == settings->database.url)
    return complain({ErrorCode::invalid_request, "--to names the database that is to be archived"});
  try {
    auto const live = open_live(settings->database.url);
    if (!live) return complain(live.error());
    auto const target = open_target(arguments.to);
    if (!target) return complain(target.error());
    return archive(**live, **target, arguments, *age);
  } catch (StoreError const& error) {
    return complain({ErrorCode::unavailable,
                     fmt::format("{}; what was archived before is safe, and nothing is lost: run the command again",
                                 error.what())});
  }
}

}  // namespace

void add_archive(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<ArchiveArguments>();
  CLI::App* const command =
      program.add_subcommand("archive", "Move the history of settled orders to an archive, beside a running service");
  command->add_option("--to", arguments->to, "The archive, made if need be, e.g. sqlite:archive.db")->required();
  command->add_option("--older-than", arguments->older_than, "Orders that have not changed for so long")
      ->capture_default_str();
  command->add_option("--config", arguments->config, "Configuration file, for its database");
  command->add_option("--database", arguments->database, "Database, e.g. sqlite:shop.db");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace payonce
