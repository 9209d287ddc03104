// `payonce explain`: the story of one order or payment, for people.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/existing_store.h"
#include "cli/order_lookup.h"
#include "verify/story.h"

namespace payonce {

namespace {

struct ExplainArguments {
  std::string subject;
  std::string merchant;
  std::string config;
  std::string database;
  std::string archive;
};

int run(ExplainArguments const& arguments) {
  auto const settings = settings_for_reading(arguments.config, arguments.database);
  if (!settings) return complain(settings.error());
  auto const store = open_existing_store(settings->database.url);
  if (!store) return complain(store.error());
  auto const reader = (*store)->open_reader();

  auto found = find_named_order(*reader, arguments.subject, arguments.merchant);
  if (!found) return complain(found.error());
  auto const history = open_history(settings->database.url, arguments.archive);
  if (!history) return complain(history.error());
  std::cout << tell_story(read_books(*reader, std::move(found->order), history->history()), found->payment,
                          SystemClock{}.now());
  return 0;
}

}  // namespace

void add_explain(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<ExplainArguments>();
  CLI::App* const command = program.add_subcommand("explain", "Tell the story of an order or a payment");
  command->add_option("subject", arguments->subject, "An order's id, or a payment's (pay_…)")->required();
  command->add_option("--merchant", arguments->merchant, "Whose order it is, if several merchants have this id");
  command->add_option("--config", arguments->config, "Configuration file, for its database");
  command->add_option("--database", arguments->database, "Database, e.g. sqlite:shop.db");
  command->add_option("--archive", arguments->archive, "Where payonce archive keeps history, e.g. sqlite:archive.db");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace payonce
