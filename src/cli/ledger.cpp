// `payonce ledger`: the accountant's books, of one order or as the trial balance of a day.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/existing_store.h"
#include "cli/order_lookup.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;

struct LedgerArguments {
  std::string order;
  std::string merchant;
  std::string day;
  std::string config;
  std::string database;
};

int print_order(Reader& reader, LedgerArguments const& arguments) {
  auto const found = find_named_order(reader, arguments.order, arguments.merchant);
  if (!found) return complain(found.error());
  fmt::print("{:<24}  {:<30}  {:>14}  {:<20}  {:<20}\n", "at", "payment or refund", "amount", "debit", "credit");
  for (Posting const& it : reader.journal_of(found->order.head.key))
    fmt::print("{:<24}  {:<30}  {:>14}  {:<20}  {:<20}\n", to_rfc3339(it.at),
               it.refund.empty() ? it.attempt.value : it.refund.value, to_text(it.amount), it.debit, it.credit);
  return 0;
}

// One line per currency and account; debits and credits of all accounts of a currency are the same sum.
int print_trial_balance(Reader& reader, MerchantId const& merchant, std::string const& day, Time from) {
  struct Sums {
    std::int64_t debit_minor = 0;
    std::int64_t credit_minor = 0;
  };
  std::map<std::pair<std::string, std::string>, Sums> accounts;
  for (auto const& [debit, credit, amount] : reader.turnovers(merchant, from, from + 24h)) {
    std::string const currency{amount.currency.code()};
    accounts[{currency, debit}].debit_minor += amount.minor;
    accounts[{currency, credit}].credit_minor += amount.minor;
  }
  fmt::print("day,merchant,currency,account,debit_minor,credit_minor\n");
  for (auto const& [name, sums] : accounts)
    fmt::print("{},{},{},{},{},{}\n", day, merchant.value, name.first, name.second, sums.debit_minor,
               sums.credit_minor);
  return 0;
}

int run(LedgerArguments const& arguments) {
  auto const settings = settings_for_reading(arguments.config, arguments.database);
  if (!settings) return complain(settings.error());
  auto const store = open_existing_store(settings->database.url);
  if (!store) return complain(store.error());
  auto const reader = (*store)->open_reader();
  if (!arguments.order.empty()) return print_order(*reader, arguments);

  auto const from = parse_rfc3339(arguments.day + "T00:00:00Z");
  if (arguments.day.empty() || arguments.merchant.empty() || !from)
    return complain({ErrorCode::invalid_request,
                     "name an order by --order, or a merchant and a day (UTC) by --merchant and --day 2026-11-29"});
  return print_trial_balance(*reader, MerchantId{arguments.merchant}, arguments.day, *from);
}

}  // namespace

void add_ledger(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<LedgerArguments>();
  CLI::App* const command = program.add_subcommand("ledger", "Print the journal of an order, or a day's trial balance");
  command->add_option("--order", arguments->order, "An order's id, or a payment's (pay_…)");
  command->add_option("--merchant", arguments->merchant, "Whose books");
  command->add_option("--day", arguments->day, "A day of UTC, as 2026-11-29: its trial balance as CSV");
  command->add_option("--config", arguments->config, "Configuration file, for its database");
  command->add_option("--database", arguments->database, "Database, e.g. sqlite:shop.db");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace payonce
