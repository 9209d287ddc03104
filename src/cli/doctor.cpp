// `payonce doctor`: is this database one that payonce can keep its promise on?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/id.h"
#include "cli/commands.h"
#include "cli/existing_store.h"
#include "doctor/conformance.h"
#include "doctor/examine.h"

namespace payonce {

namespace {

constexpr int exit_unhealthy = 2;
constexpr std::string_view file_scheme = "sqlite:";

struct DoctorOptions {
  std::string config;
  std::string database;
  bool conformance = false;
  bool json = false;
};

Result<Diagnoses> diagnose(std::string const& url, bool conformance) {
  if (url.starts_with(file_scheme)) {
    if (!conformance) return examine_sqlite(url.substr(file_scheme.size()));
    return fail(ErrorCode::invalid_request,
                "--conformance is for databases that speak PostgreSQL's protocol; SQLite is part of the program and "
                "has passed its tests");
  }
  if (!url.starts_with("postgres://") && !url.starts_with("postgresql://"))
    return fail(ErrorCode::invalid_request, "database url: write sqlite:PATH or postgresql://USER@HOST/DATABASE");
  if (!conformance) return examine_postgres(url);
  SystemRandom random;
  return check_conformance(url, "payonce_conformance_" + mint_suffix(SystemClock{}.now(), random));
}

int run(DoctorOptions const& options) {
  auto const settings = settings_for_reading(options.config, options.database);
  if (!settings) return complain(settings.error());
  auto const found = diagnose(settings->database.url, options.conformance);
  if (!found) return complain(found.error());
  std::cout << (options.json ? diagnoses_json(*found) : diagnoses_text(*found));
  return is_healthy(*found) ? 0 : exit_unhealthy;
}

}  // namespace

void add_doctor(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<DoctorOptions>();
  CLI::App* const command = program.add_subcommand("doctor", "Check a database before it is used");
  command->add_option("--config", options->config, "Configuration file, for its database");
  command->add_option("--database", options->database, "Database, e.g. postgresql://payonce@db.example.com/payonce");
  command->add_flag(
      "--conformance", options->conformance,
      "Check in a scratch schema that it keeps what payonce builds on; for other servers than PostgreSQL");
  command->add_flag("--json", options->json, "Print the result as JSON");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace payonce
