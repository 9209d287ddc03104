#include "mutants/hunt.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>

#include "check/explore.h"
#include "faults.gen.h"
#include "mutants/mutated.h"
#include "process/child_process.h"
#include "simulate/run.h"

namespace payonce::mutants {

namespace {

// How many simulated runs look for a fault that only the simulator can see, until one finds it; and how many show what
// the simulator sees of any fault, when that is asked for.
constexpr int runs_max = 2'000;
constexpr int runs_further = 40;
constexpr int orders_per_run = 40;
constexpr std::size_t states_max = 3'000'000;
// A fault may hang whoever looks.
constexpr unsigned patience_seconds = 600;

struct Look {
  bool has_found = false;
  std::string words = {};
};

// In a process of its own, since a fault may crash it. What it has found is the first line that it writes.
Look in_child(Listed const& fault, std::function<Look()> const& look) {
  int ends[2];
  if (::pipe(ends) != 0) return {false, "no pipe"};
  pid_t const child = ::fork();
  if (child == 0) {
    ::alarm(patience_seconds);
    active_fault = fault.name;
    Look const found = look();
    std::string const text = (found.has_found ? "+" : "-") + found.words;
    bool const is_told = ::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    std::_Exit(is_told ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t size; (size = ::read(ends[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(size));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (text.empty()) return {false, fmt::format("the one who looked died ({})", WTERMSIG(status))};
  return {text.front() == '+', text.substr(1)};
}

Look explore_scope(std::string const& name) {
  check::Scope const* const scope = check::find_scope(name);
  if (!scope) return {false, fmt::format("there is no scope {}", name)};
  check::Exploration const it = check::explore(*scope, {.states_max = states_max});
  if (it.findings.empty()) return {false, fmt::format("check, nothing in {} states of {}", it.states, name)};
  return {true, fmt::format("check {}, {} states, {} steps: {}", name, it.states, it.findings.front().story.size(),
                            it.findings.front().broken)};
}

// What the run of this seed finds; nothing if it holds.
std::optional<std::string> simulate_run(int seed) {
  simulate::Plan const plan = simulate::draw_plan(static_cast<std::uint64_t>(seed), orders_per_run);
  std::string const folder = std::filesystem::temp_directory_path().string();
  simulate::RunResult const result = simulate::run_plan(plan, folder, false);
  return result.verdict == simulate::Verdict::holds ? std::nullopt : std::optional{result.what};
}

Look simulate_until_found() {
  for (int run = 1; run <= runs_max; ++run)
    if (auto const what = simulate_run(run)) return {true, fmt::format("simulate, in run {}: {}", run, *what)};
  return {false, fmt::format("simulate, nothing in {} runs", runs_max)};
}

Look simulate_further() {
  int found = 0;
  for (int run = 1; run <= runs_further; ++run)
    if (simulate_run(run)) ++found;
  return {found > 0, fmt::format("simulate, {} of {} runs", found, runs_further)};
}

// The unit tests with faults woven in lie beside this program.
Look run_tests(Listed const& fault, std::string const& filter) {
  ::setenv("PAYONCE_MUTATE", std::string{fault.name}.c_str(), 1);
  std::string const program = std::filesystem::path{own_program()}.replace_filename("payonce_mutant_tests");
  auto tests = ChildProcess::start({program, "--gtest_brief=1", "--gtest_filter=" + filter}, {.log_file = "/dev/null"});
  if (!tests) return {false, tests.error().detail};
  std::string_view const mark = "[  FAILED  ] ";
  auto const line = tests->wait_for_line(mark, Millis{patience_seconds * 1'000});
  tests->wait(Millis{patience_seconds * 1'000});
  if (!line) return {false, fmt::format("no test of {} fails", filter)};
  return {true, fmt::format("test {}", line->substr(mark.size()))};
}

Look look_for(Listed const& fault) {
  std::string const found_by{fault.found_by};
  std::string const finder = found_by.substr(0, found_by.find(' '));
  std::string const argument = found_by.substr(std::min(found_by.size(), finder.size() + 1));
  if (finder == "test") return run_tests(fault, argument);
  if (finder == "simulate") return in_child(fault, simulate_until_found);
  return in_child(fault, [&] { return explore_scope(argument); });
}

}  // namespace

int hunt(std::string const& part, bool looks_further) {
  int found = 0;
  int missed = 0;
  for (Listed const& fault : faults) {
    if (!fault.name.contains(part)) continue;
    Look const look = look_for(fault);
    ++(look.has_found ? found : missed);
    std::cout << fmt::format("{:42}{}{}\n", fault.name, look.has_found ? "" : "NOT FOUND: ", look.words) << std::flush;
    if (looks_further) std::cout << fmt::format("{:42}{}\n", "", in_child(fault, simulate_further).words) << std::flush;
  }
  std::cout << fmt::format("{} passed, {} failed\n", found, missed);
  return missed == 0 && found > 0 ? 0 : 1;
}

}  // namespace payonce::mutants
