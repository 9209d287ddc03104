// `payonce verify`: do the ten invariants hold in this database, and at the bank?
#include "verify/verify.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/existing_store.h"
#include "net/asio_loop.h"
#include "verify/report.h"

namespace payonce {

namespace {

constexpr int exit_violated = 2;

struct VerifyArguments {
  std::string config;
  std::string database;
  std::string sandbox;
  std::string archive;
  bool json = false;
};

// Providers whose other side is the bank at `sandbox`, whichever of them it speaks as.
bool is_at(std::string_view sandbox, ProviderSettings const& provider) {
  return provider.kind == "sandbox" || (!sandbox.empty() && provider.url.starts_with(sandbox));
}

VerifyOptions options_from(Settings const& settings, std::string_view sandbox) {
  VerifyOptions options;
  for (Merchant const& merchant : settings.merchants) {
    auto& wanted = options.effects[merchant.id];
    for (EffectTarget const& effect : merchant.effects) wanted.push_back({effect.name, effect.on});
  }
  for (ProviderSettings const& provider : settings.providers)
    if (is_at(sandbox, provider)) options.bank_providers.insert(provider.name);
  if (options.bank_providers.empty()) options.bank_providers.insert("sandbox");
  return options;
}

int run(VerifyArguments const& arguments) {
  auto const settings = settings_for_reading(arguments.config, arguments.database);
  if (!settings) return complain(settings.error());
  auto const store = open_existing_store(settings->database.url);
  if (!store) return complain(store.error());

  VerifyOptions options = options_from(*settings, arguments.sandbox);
  // The bank before the books: what it charged by now must be in them.
  std::optional<BankLedger> ledger;
  if (!arguments.sandbox.empty()) {
    AsioLoop loop;
    auto fetched = fetch_ledger(loop, arguments.sandbox, SystemClock{}.now());
    if (!fetched) return complain(fetched.error());
    options.bank = &ledger.emplace(std::move(*fetched));
  }
  auto const history = open_history(settings->database.url, arguments.archive);
  if (!history) return complain(history.error());
  options.history = history->history();
  VerifyReport const report = verify(*(*store)->open_reader(), options);
  std::cout << (arguments.json ? report_json(report) : report_text(report));
  return report.holds() ? 0 : exit_violated;
}

}  // namespace

void add_verify(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<VerifyArguments>();
  CLI::App* const command = program.add_subcommand("verify", "Check the ten invariants over a database");
  command->add_option("--config", arguments->config, "Configuration file: its database, effects and sandbox providers");
  command->add_option("--database", arguments->database, "Database, e.g. sqlite:shop.db");
  command->add_option("--sandbox", arguments->sandbox, "Address of the sandbox bank, to check its ledger as well");
  command->add_option("--archive", arguments->archive, "Where payonce archive keeps history, e.g. sqlite:archive.db");
  command->add_flag("--json", arguments->json, "Print the result as JSON");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace payonce
