// `payonce check`: explores every interleaving of bounded worlds on the production rules.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/clock.h"
#include "check/explore.h"
#include "check/report.h"
#include "cli/commands.h"

namespace payonce {

namespace {

constexpr int exit_violated = 2;
constexpr int exit_unfinished = 3;

struct CheckArguments {
  std::vector<std::string> scopes;
  check::Bounds bounds;
  bool is_short = false;
  bool may_end_early = false;
  bool json = false;
  bool wants_list = false;
};

Result<std::vector<check::Scope const*>> scopes_named(CheckArguments const& arguments) {
  std::vector<check::Scope const*> chosen;
  for (check::Scope const& scope : check::scopes())
    if (arguments.scopes.empty() && (scope.is_short || !arguments.is_short)) chosen.push_back(&scope);
  for (std::string const& name : arguments.scopes) {
    check::Scope const* const scope = check::find_scope(name);
    if (!scope) return fail(ErrorCode::invalid_request, fmt::format("there is no scope \"{}\"; see --list", name));
    chosen.push_back(scope);
  }
  return chosen;
}

int list() {
  for (check::Scope const& scope : check::scopes())
    std::cout << fmt::format("{:16} {}{}\n", scope.name, scope.sentence, scope.is_short ? "" : " (long)");
  return 0;
}

int run(CheckArguments const& arguments) {
  auto const chosen = scopes_named(arguments);
  if (!chosen) return complain(chosen.error());
  SystemClock const clock;
  std::vector<check::Timed> results;
  for (check::Scope const* scope : *chosen) {
    auto const started = clock.monotonic();
    check::Exploration exploration = check::explore(*scope, arguments.bounds);
    results.push_back({std::move(exploration), std::chrono::duration<double>(clock.monotonic() - started).count()});
    if (!arguments.json) std::cout << check::report_text(results.back()) << std::flush;
    if (!results.back().exploration.findings.empty()) break;
  }
  std::cout << (arguments.json ? check::report_json(results) : check::summary_text(results));
  if (!results.back().exploration.findings.empty()) return exit_violated;
  bool const is_whole = std::ranges::all_of(results, [](auto const& it) { return it.exploration.is_whole; });
  return is_whole || arguments.may_end_early ? 0 : exit_unfinished;
}

}  // namespace

void add_check(CLI::App& program, Chosen& chosen) {
  auto const arguments = std::make_shared<CheckArguments>();
  CLI::App* const command =
      program.add_subcommand("check", "Explore every interleaving of bounded worlds on the rules of this program");
  command->add_option("scope", arguments->scopes, "Only these scopes");
  command->add_option("--states", arguments->bounds.states_max, "Stop a scope at so many states (exit status 3)");
  command->add_option("--threads", arguments->bounds.threads, "Threads")->check(CLI::Range(1, 64));
  command->add_flag("--short", arguments->is_short, "Only the scopes that take seconds");
  command->add_flag("--may-end-early", arguments->may_end_early, "Reaching --states is no failure");
  command->add_flag("--json", arguments->json, "Print the result as JSON");
  command->add_flag("--list", arguments->wants_list, "List the scopes");
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return arguments->wants_list ? list() : run(*arguments); }; });
}

}  // namespace payonce
