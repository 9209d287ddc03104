// `payonce drill`: every failure against real processes.
#include "drill/run_drill.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "drill/shop_endpoint.h"
#include "engine/effect_message.h"

namespace payonce {

namespace {

int run_shop_drill(ShopDrillOptions options) {
  auto secret = parse_effect_secret(options.secret);
  if (!secret) return complain({secret.error().code, "--secret: " + secret.error().detail});
  options.secret = std::move(*secret);
  if (!options.orders.empty() && options.orders.size() != 3)
    return complain({ErrorCode::invalid_request, "--order: name three orders that are not shipped yet, or none"});
  if (!options.count_url.empty() && options.orders.empty())
    return complain(
        {ErrorCode::invalid_request, "--shipped counts what happens to known orders: name three with --order"});
  return drill_shop(options);
}

}  // namespace

void add_drill(CLI::App& program, Chosen& chosen) {
  auto const shop = std::make_shared<ShopDrillOptions>();
  auto const options = std::make_shared<DrillOptions>();
  auto const is_list = std::make_shared<bool>(false);
  CLI::App* const command =
      program.add_subcommand("drill", "Make everything fail on purpose; see docs/reference/drill.md");
  command->add_option("--only", options->only, "Run this failure alone; may be repeated")->allow_extra_args(false);
  command->add_flag("--list", *is_list, "List the failures and stop");
  command->add_flag("--json", options->as_json, "Print one JSON array");
  command->add_flag("--keep", options->keep_folders, "Keep the folders with databases, ledgers and logs");
  command->add_option("--at-once", options->at_once, "How many failures run at the same time")
      ->check(CLI::Range(1, 64));
  command->add_option("--database", options->database,
                      "postgresql://…: run on PostgreSQL, each failure in a schema of its own");
  command->add_option("--nodes", options->nodes, "Services that share the database")->check(CLI::Range(1, 2));
  command->add_option("--provider", options->provider, "Through this provider's connector, against its dialect")
      ->check(CLI::IsMember(drill_providers()));
  CLI::Option* const url =
      command->add_option("--shop", shop->url, "Drill a shop's own endpoint at this address instead");
  command->add_option("--secret", shop->secret, "With --shop: the effect's secret, whsec_…")->needs(url);
  command->add_option("--effect", shop->effect, "With --shop: the effect's name (ship)")->needs(url);
  command->add_option("--order", shop->orders, "With --shop: an order not shipped yet; three of them")->needs(url);
  command->add_option("--shipped", shop->count_url, "With --shop: where it says how often {order} was shipped")
      ->needs(url);
  command->callback([options, shop, is_list, &chosen] {
    chosen = [options, shop, is_list] {
      if (!shop->url.empty()) return run_shop_drill(*shop);
      if (!*is_list) return run_drill(*options);
      list_drill(options->provider);
      return 0;
    };
  });
}

}  // namespace payonce
