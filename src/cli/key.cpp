// `payonce key`: API keys of merchants. The secret is shown once; the database holds its hash.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/key_store.h"
#include "http/authenticate.h"

namespace payonce {

namespace {

struct KeyOptions {
  std::string config;
  std::string database;
  std::string merchant;
  std::string name = "default";
};

Result<std::unique_ptr<Store>> open_for(KeyOptions const& options) {
  auto const settings = load_settings(options.config);
  if (!settings) return std::unexpected(settings.error());
  return open_migrated_store(options.database.empty() ? settings->database.url : options.database);
}

int create(KeyOptions const& options) {
  auto const store = open_for(options);
  if (!store) return complain(store.error());
  auto const secret = create_api_key(**store, MerchantId{options.merchant}, options.name);
  if (!secret) return complain(secret.error());
  std::cout << *secret << '\n';
  std::cerr
      << "Keep this secret: it is not stored and can't be shown again. Revoke it with: payonce key revoke --merchant "
      << options.merchant << " --name " << options.name << '\n';
  return 0;
}

int revoke(KeyOptions const& options) {
  auto const store = open_for(options);
  if (!store) return complain(store.error());
  auto const revoked = revoke_api_key(**store, MerchantId{options.merchant}, options.name);
  if (!revoked) return complain(revoked.error());
  std::cout << fmt::format("revoked; running nodes stop accepting it within {} seconds\n", key_cache_life.count());
  return 0;
}

int list(KeyOptions const& options) {
  auto const store = open_for(options);
  if (!store) return complain(store.error());
  for (ApiKeyRow const& key : (*store)->open_reader()->api_keys(MerchantId{options.merchant}))
    std::cout << fmt::format("{}  created {}{}\n", key.name, to_rfc3339(key.created_at),
                             key.revoked_at ? "  revoked " + to_rfc3339(*key.revoked_at) : "");
  return 0;
}

void add_one(CLI::App& keys, char const* name, char const* what, int (*run)(KeyOptions const&), Chosen& chosen) {
  auto const options = std::make_shared<KeyOptions>();
  CLI::App* const command = keys.add_subcommand(name, what);
  command->add_option("--merchant", options->merchant, "The merchant that the key belongs to")->required();
  command->add_option("--name", options->name, "Who uses the key; unique within the merchant");
  command->add_option("--config", options->config, "Configuration file, for its database");
  command->add_option("--database", options->database, "Database, e.g. sqlite:shop.db");
  command->callback([options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
}

}  // namespace

void add_key(CLI::App& program, Chosen& chosen) {
  CLI::App* const keys = program.add_subcommand("key", "Create, list and revoke API keys");
  keys->require_subcommand(1);
  add_one(*keys, "create", "Create a key and print its secret once", create, chosen);
  add_one(*keys, "list", "List the keys of a merchant", list, chosen);
  add_one(*keys, "revoke", "Revoke a key", revoke, chosen);
}

}  // namespace payonce
