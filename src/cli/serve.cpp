// `payonce serve`: the service itself.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>

#include "base/fault_point.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/logging.h"
#include "cli/service.h"

namespace payonce {

namespace {

struct ServeOptions {
  std::string config;
  std::string database;
  int port = -1;
  std::string crash_at;
};

Result<Settings> settings_for(ServeOptions const& options) {
  auto settings = load_settings(options.config);
  if (!settings) return settings;
  if (!options.database.empty()) settings->database.url = options.database;
  if (options.port >= 0) settings->server.port = static_cast<std::uint16_t>(options.port);
  return settings;
}

int serve(ServeOptions const& options) {
  auto settings = settings_for(options);
  if (!settings) return complain(settings.error());
  start_logging(settings->log);
  std::string const address = settings->server.address;

  AsioLoop loop;
  auto service = Service::start(loop, std::move(*settings), options.crash_at);
  if (!service) return complain(service.error());
  bool is_stopping = false;
  loop.on_signals({SIGINT, SIGTERM}, [&](int) {
    if (std::exchange(is_stopping, true)) return loop.stop();  // the second signal does not wait
    log_info("stopping: finishing what is in flight");
    (*service)->stop([&loop] { loop.stop(); });
  });
  std::cout << fmt::format("payonce on http://{}:{}", address, (*service)->port()) << std::endl;
  loop.run();
  return 0;
}

}  // namespace

int complain(Error const& error) {
  std::cerr << "payonce: " << error.detail << '\n';
  return 1;
}

void add_serve(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<ServeOptions>();
  CLI::App* const command = program.add_subcommand("serve", "Run the payment service");
  command->add_option("--config", options->config, "Configuration file (TOML); see docs/reference/configuration.md");
  command->add_option("--database", options->database, "Database, e.g. sqlite:shop.db; overrides the configuration");
  command->add_option("--port", options->port, "Port; 0 takes a free one; overrides the configuration")
      ->check(CLI::Range(0, 65535));
  std::vector<std::string> const points{std::begin(FaultPoints::names), std::end(FaultPoints::names)};
  command->add_option("--crash-at", options->crash_at, "Die as by kill -9 at this point, for drills")
      ->check(CLI::IsMember(points));
  command->callback([options, &chosen] { chosen = [options] { return serve(*options); }; });
}

}  // namespace payonce
