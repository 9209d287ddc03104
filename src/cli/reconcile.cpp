// `payonce reconcile`: holds a provider's statement of a day against the books, beside a service that runs or without.
#include "engine/reconcile.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/limits.h"
#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/engine_room.h"
#include "cli/logging.h"

namespace payonce {

namespace {

constexpr int exit_discrepancies = 2;

struct ReconcileArguments {
  std::string config;
  std::string database;
  std::string provider;
  std::string day;
  std::string file;
};

Result<std::string> read_file(std::string const& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return fail(ErrorCode::not_found, fmt::format("the statement {} can't be read", path));
  return std::string{std::istreambuf_iterator<char>{file}, {}};
}

Result<ReconcileRequest> request_from(ReconcileArguments const& arguments, Settings const& settings) {
  ReconcileRequest request{arguments.provider, arguments.day, {}};
  for (Merchant const& merchant : settings.merchants)
    if (std::ranges::find(merchant.providers, arguments.provider) != merchant.providers.end())
      request.merchants.push_back(merchant.id);
  if (arguments.file.empty()) return request;
  auto file = read_file(arguments.file);
  if (!file) return std::unexpected(file.error());
  request.file = std::move(*file);
  return request;
}

// Runs the loop until it is done and all that followed from it has ended.
Result<Reconciled> run_in(EngineRoom& room, ReconcileRequest request) {
  Result<Reconciled> outcome = fail(ErrorCode::internal, "not run");
  reconcile(*room.engine, std::move(request), [&](Result<Reconciled> result) {
    outcome = std::move(result);
    // Surplus that was found is on its way back; what does not end in time is found again by the service.
    room.stop_when_settled(room.settings.server.shutdown_deadline, [] { return false; }, [&] { room.loop.stop(); });
  });
  room.loop.run();
  return outcome;
}

// The open discrepancies of the provider; how many there are.
int print_discrepancies(Store& store, std::string const& provider, std::vector<MerchantId> const& merchants) {
  auto const reader = store.open_reader();
  int count = 0;
  for (MerchantId const& merchant : merchants)
    for (Discrepancy const& it : reader->open_discrepancies(merchant, limits::events_page)) {
      if (it.provider != provider) continue;
      fmt::print("{}  {}  {:<8} {}  {}: {}\n", it.id, it.day, to_text(it.kind), it.number, to_text(it.amount), it.text);
      ++count;
    }
  return count;
}

int run(ReconcileArguments const& arguments) {
  auto settings = load_settings(arguments.config);
  if (!settings) return complain(settings.error());
  if (!arguments.database.empty()) settings->database.url = arguments.database;
  start_logging(settings->log);
  auto request = request_from(arguments, *settings);
  if (!request) return complain(request.error());
  AsioLoop loop;
  EngineRoom room{loop, std::move(*settings), {}};
  if (auto const built = room.build(); !built) return complain(built.error());
  auto const merchants = request->merchants;
  auto const result = run_in(room, std::move(*request));
  if (!result) return complain(result.error());
  fmt::print("{}, statement of {}: {} lines; {} payments, {} refunds, {} others; {} known before, {} missing\n",
             arguments.provider, arguments.day, result->lines, result->payments, result->refunds, result->others,
             result->known, result->missing);
  return print_discrepancies(*room.store, arguments.provider, merchants) > 0 ? exit_discrepancies : 0;
}

}  // namespace

void add_reconcile(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<ReconcileArguments>();
  CLI::App* const command =
      program.add_subcommand("reconcile", "Hold a provider's statement of a day against the books");
  command->add_option("--config", arguments->config, "Configuration file, as of the service");
  command->add_option("--database", arguments->database, "Database, e.g. sqlite:shop.db; overrides the configuration");
  command->add_option("--provider", arguments->provider, "The provider's name in the configuration")->required();
  command->add_option("--day", arguments->day, "The day as the provider cuts it: 2026-01-02")->required();
  command->add_option("--file", arguments->file, "The statement, downloaded before; else it is fetched");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace payonce
