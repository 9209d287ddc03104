#include "simulate/run_simulation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "simulate/crew.h"
#include "simulate/run.h"
#include "simulate/scenario.h"
#include "simulate/shrink.h"
#include "verify/finding.h"

namespace payonce::simulate {

namespace {

constexpr int shrinking_runs_max = 150;

// A folder of this process alone; gone with this object.
class OwnFolder {
 public:
  OwnFolder() : path_(std::filesystem::temp_directory_path() / fmt::format("payonce-simulate-{}", ::getpid())) {
    std::filesystem::create_directory(path_);
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(OwnFolder const&) = delete;
  OwnFolder& operator=(OwnFolder const&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path const path_;
};

int status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return simulation_holds;
    case Verdict::violated: return simulation_violated;
    case Verdict::not_settled: return simulation_not_settled;
    case Verdict::broken: return simulation_broken;
  }
  return simulation_broken;
}

std::string in_words(RunResult const& result) {
  switch (result.verdict) {
    case Verdict::holds: return "holds";
    case Verdict::violated:
      return fmt::format("violated: invariant {} ({}): {}", result.invariant,
                         invariants[static_cast<std::size_t>(result.invariant - 1)].name, result.what);
    case Verdict::not_settled: return "never settles: " + result.what;
    case Verdict::broken: return "breaks: " + result.what;
  }
  return {};
}

void tell(RunResult const& result) {
  for (Chronicle::Line const& line : result.story) {
    bool const concerns = result.order < 0 || line.order == result.order || line.order == Chronicle::everyone;
    if (concerns) std::cout << fmt::format("{:10.3f} s  {}\n", double(line.at.count()) / 1e9, line.text);
  }
}

void report_failure(Plan const& plan, std::string const& folder) {
  RunResult const failure = run_plan(plan, folder, false);
  std::cout << fmt::format("seed {}: {}\n  {}\n", plan.seed, in_words(failure), describe(plan));
  Plan const small = shrink(plan, failure, folder, shrinking_runs_max);
  RunResult const again = run_plan(small, folder, true);
  std::cout << fmt::format("The shortest story found: {}\n  {}\n", in_words(again), describe(small));
  tell(again);
}

// The sums of all runs.
struct Totals {
  int runs = 0;
  std::uint64_t hash = 0;
  Agenda::Moment virtual_time{0};
  Stage::Deeds deeds;
  std::array<std::uint64_t, trouble_count> happened{};

  void add(Tally const& result) {
    ++runs;
    hash = hash * 31 + result.trace_hash;
    virtual_time += result.virtual_time;
    deeds.payments += result.deeds.payments;
    deeds.charges += result.deeds.charges;
    deeds.refunds += result.deeds.refunds;
    deeds.captures += result.deeds.captures;
    deeds.disputes += result.deeds.disputes;
    deeds.deliveries += result.deeds.deliveries;
    deeds.answers += result.deeds.answers;
    for (std::size_t i = 0; i < trouble_count; ++i) happened[i] += result.happened[i];
  }

  void print(double seconds) const {
    std::cout << fmt::format(
        "{} runs hold: {} payments, {} charges, {} captures, {} refunds, {} disputes, {} deliveries, {} answers; "
        "{:.1f} "
        "hours of virtual time in {:.1f} s, {:.0f} payments/s; trace {:016x}\n",
        runs, deeds.payments, deeds.charges, deeds.captures, deeds.refunds, deeds.disputes, deeds.deliveries,
        deeds.answers, double(virtual_time.count()) / 3.6e12, seconds, double(deeds.payments) / seconds, hash);
    for (TroubleName const& it : troubles)
      std::cout << fmt::format("{:>10} times {}\n", happened[static_cast<std::size_t>(it.trouble)], it.name);
  }
};

int play(std::vector<std::string> const& files, bool tells_story, std::string const& folder) {
  int status = simulation_holds;
  for (std::string const& name : files) {
    std::ifstream file{name};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    ScenarioResult const result =
        file.is_open() ? run_scenario(text, folder) : ScenarioResult{"the file can't be read", {}};
    bool const holds = result.failure.empty();
    if (!holds) status = simulation_violated;
    if (!holds || tells_story)
      for (std::string const& line : result.story) std::cout << line << '\n';
    std::cout << name << ": " << (holds ? "holds" : result.failure) << '\n';
  }
  return status;
}

}  // namespace

int run_simulation(SimulationOptions const& options) {
  OwnFolder const folder;
  if (!options.scenarios.empty()) return play(options.scenarios, options.tells_story, folder.path());
  SystemClock const clock;
  auto const started = clock.monotonic();
  auto const elapsed = [&] { return std::chrono::duration<double>(clock.monotonic() - started).count(); };
  auto const plan_of = [&](int run) {
    return draw_plan(options.seed + static_cast<std::uint64_t>(run), options.orders);
  };
  // Stories are told by this process, one after the other.
  Crew crew{options.tells_story ? 1 : options.jobs, options.runs, [&](int run) -> Tally {
              RunResult const result = run_plan(plan_of(run), folder.path(), options.tells_story);
              if (options.tells_story) tell(result);
              return result;
            }};
  Totals totals;
  for (int run = 0; run < options.runs; ++run) {
    if (options.seconds_max > 0 && elapsed() > options.seconds_max) break;
    auto const tally = crew.next();
    if (!tally) {
      std::cout << fmt::format("seed {}: the program dies\n", plan_of(run).seed);
      return simulation_broken;
    }
    if (tally->verdict != Verdict::holds) {
      report_failure(plan_of(run), folder.path());
      return status_of(tally->verdict);
    }
    totals.add(*tally);
  }
  totals.print(elapsed());
  return simulation_holds;
}

}  // namespace payonce::simulate
