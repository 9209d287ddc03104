// `payonce bench`: payments, replays or polls per second over real HTTP, every acknowledged payment durable.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <iostream>
#include <map>

#include "base/id.h"
#include "bench/batches.h"
#include "bench/fill.h"
#include "bench/process_usage.h"
#include "bench/subject.h"
#include "cli/bench_parts.h"
#include "cli/commands.h"
#include "cli/key_store.h"
#include "cli/open_store.h"
#include "cli/service.h"

namespace payonce {

namespace {

// Enough that no two notices in flight are about the same one.
constexpr std::int64_t notice_payments = 20'000;

struct BenchOptions {
  bench::Asked asked = bench::Asked::payments;
  bench::SubjectOptions subject;
  int connections = 64;
  int rate = 0;  // a closed loop
  int seconds = 10;
  bool is_json = false;
  bool is_store_only = false;
  std::string url;      // a running service instead of one of our own
  std::string api_key;  // for it
};

struct Figures {
  double answers_per_second = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  double p999_ms = 0;
  std::optional<double> cpu_us_per_answer;  // unknown for a service that we did not start
  std::optional<double> written_kb_per_answer;
  std::optional<double> rss_mb;
};

constexpr std::string_view names[] = {"payments", "replays",  "polls",
                                      "pings",    "refusals", "notices"};  // in the order of bench::Asked

Figures figures_from(bench::LoadResult const& load, bench::Usage const& used, std::span<pid_t const> pids) {
  Figures figures;
  auto const answers = static_cast<double>(load.answers);
  figures.answers_per_second = answers / std::chrono::duration<double>(load.measured).count();
  figures.p50_ms = bench::percentile_ms(load.answer_us, 0.5);
  figures.p99_ms = bench::percentile_ms(load.answer_us, 0.99);
  figures.p999_ms = bench::percentile_ms(load.answer_us, 0.999);
  if (!pids.empty() && load.answers > 0) {
    figures.cpu_us_per_answer = static_cast<double>(used.cpu.count()) / answers;
    figures.written_kb_per_answer = static_cast<double>(used.written_bytes) / 1024 / answers;
    figures.rss_mb = bench::resident_mb(pids.front());
  }
  return figures;
}

void print_json(BenchOptions const& options, Figures const& figures) {
  std::string const what{names[static_cast<int>(options.asked)]};
  std::string const one = what.substr(0, what.size() - 1);
  boost::json::object object{{what + "_per_second", figures.answers_per_second},
                             {"p50_ms", figures.p50_ms},
                             {"p99_ms", figures.p99_ms},
                             {"p999_ms", figures.p999_ms},
                             {"cpu_us_per_" + one, nullptr},
                             {"written_kb_per_" + one, nullptr},
                             {"rss_mb", nullptr}};
  if (figures.cpu_us_per_answer) {
    object["cpu_us_per_" + one] = *figures.cpu_us_per_answer;
    object["written_kb_per_" + one] = *figures.written_kb_per_answer;
    object["rss_mb"] = *figures.rss_mb;
  }
  std::cout << boost::json::serialize(object) << '\n';
}

void print_table(BenchOptions const& options, Figures const& figures) {
  std::cout << fmt::format(
                   "{} at once{}, {} s, provider {}. A payment is: order and attempt committed, provider asked,\n"
                   "outcome with three effects committed, answered; over HTTP, each commit durable.\n\n",
                   options.connections, options.rate > 0 ? fmt::format(", {} due per second", options.rate) : "",
                   options.seconds, options.subject.provider)
            << fmt::format("{:<22}{:>10.0f}\n", fmt::format("{}/s", names[static_cast<int>(options.asked)]),
                           figures.answers_per_second)
            << fmt::format("p50                   {:>10.2f} ms\n", figures.p50_ms)
            << fmt::format("p99                   {:>10.2f} ms\n", figures.p99_ms)
            << fmt::format("p99.9                 {:>10.2f} ms\n", figures.p999_ms);
  if (figures.cpu_us_per_answer)
    std::cout << fmt::format("CPU of the service    {:>10.1f} us each\n", *figures.cpu_us_per_answer)
              << fmt::format("written by it         {:>10.1f} KiB each\n", *figures.written_kb_per_answer)
              << fmt::format("memory of the service {:>10.1f} MiB\n", *figures.rss_mb);
}

int print(BenchOptions const& options, bench::LoadResult const& result, bench::Usage const& used,
          std::span<pid_t const> pids) {
  Figures const figures = figures_from(result, used, pids);
  if (result.unexpected > 0) {
    std::cerr << fmt::format("payonce: {} answers were not what was asked for; the first: {}\n", result.unexpected,
                             result.first_unexpected);
    return 1;
  }
  options.is_json ? print_json(options, figures) : print_table(options, figures);
  return 0;
}

int measure(BenchOptions const& options, bench::LoadOptions load, std::vector<pid_t> const& pids) {
  SystemClock const clock;
  SystemRandom random;
  load.asked = options.asked;
  load.connections = options.connections;
  load.rate = options.rate;
  load.duration = std::chrono::seconds{options.seconds};
  load.run_id = mint_suffix(clock.now(), random);
  bench::Usage before;
  auto const result = bench::run_load(load, clock, [&] { before = bench::usage_of(pids); });
  if (!result) return complain(result.error());
  return print(options, *result, bench::usage_of(pids) - before, pids);
}

// Rules and store in this process, on a database that is there.
int measure_batches(BenchOptions const& options) {
  auto const store = open_store(options.subject.database);
  if (!store) return complain(store.error());
  if (auto const migrated = (*store)->migrate(); !migrated) return complain(migrated.error());
  SystemClock const clock;
  SystemRandom random;
  pid_t const self[]{getpid()};
  bench::Usage before;
  auto const result = bench::run_batches(**store,
                                         {.run_id = mint_suffix(clock.now(), random),
                                          .payments = options.connections,
                                          .duration = std::chrono::seconds{options.seconds}},
                                         clock, [&] { before = bench::usage_of(self); });
  return print(options, result, bench::usage_of(self) - before, self);
}

// Payments that are in the books before the bank tells of them.
std::vector<AttemptId> fill_for_notices(std::string const& database) {
  auto const store = open_migrated_store(database);
  if (!store) throw std::runtime_error(store.error().detail);
  SystemClock const clock;
  SystemRandom random;
  return bench::fill(
      **store, {.run_id = mint_suffix(clock.now(), random), .payments = notice_payments, .provider = "sandbox"}, clock);
}

int measure_own(BenchOptions const& options) {
  bench::LoadOptions load;
  bench::SubjectOptions subject_options = options.subject;
  if (options.asked == bench::Asked::notices) {
    subject_options.provider = "sandbox";
    subject_options.fill = [&](std::string const& database) { load.numbers = fill_for_notices(database); };
  }
  auto const subject = bench::Subject::start(subject_options);
  if (!subject) return complain(subject.error());
  load.ports = subject->ports();
  load.api_key = subject->api_key();
  return measure(options, load, subject->pids());
}

int run_bench(BenchOptions const& options) {
  if (options.is_store_only) return measure_batches(options);
  if (options.url.empty()) return measure_own(options);
  if (options.asked == bench::Asked::notices)
    return complain({ErrorCode::invalid_request, "notices are sent to a service of our own only; leave --url out"});
  bench::LoadOptions load;
  load.api_key = options.api_key;
  auto const colon = options.url.rfind(':');
  std::string const prefix = "http://";
  if (!options.url.starts_with(prefix) || colon < prefix.size())
    return complain({ErrorCode::invalid_request, "--url: write http://ADDRESS:PORT"});
  load.host = options.url.substr(prefix.size(), colon - prefix.size());
  load.ports = {static_cast<std::uint16_t>(std::strtoul(options.url.c_str() + colon + 1, nullptr, 10))};
  return measure(options, load, {});
}

}  // namespace

void add_bench(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<BenchOptions>();
  CLI::App* const command = program.add_subcommand("bench", "Measure payments per second over HTTP");
  std::map<std::string, bench::Asked> asked;
  for (int i = 0; std::string_view const name : names) asked[std::string{name}] = static_cast<bench::Asked>(i++);
  command
      ->add_option(
          "--asked", options->asked,
          "What the callers ask for: payments, replays of one, polls of one, pings, refusals (payments of one paid "
          "order), notices (each twice)")
      ->transform(CLI::CheckedTransformer(asked));
  command->add_option("--connections", options->connections, "Callers at once")->check(CLI::Range(1, 10'000));
  command
      ->add_option("--rate", options->rate,
                   "So many per second, whatever becomes of those before, each timed from when it was due; without it "
                   "each caller waits for an answer and asks again")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seconds", options->seconds, "Measured time, after one second of warm-up")
      ->check(CLI::Range(1, 3600));
  command->add_option("--database", options->subject.database, "Database; default: a fresh SQLite file");
  command->add_option("--provider", options->subject.provider, "instant (in process) or sandbox (its own process)")
      ->check(CLI::IsMember({"instant", "sandbox"}));
  command->add_option("--nodes", options->subject.nodes, "Services on the one database (PostgreSQL)")
      ->check(CLI::Range(1, 16));
  command->add_option("--url", options->url, "A running service, http://ADDRESS:PORT, instead of one of our own");
  command->add_option("--api-key", options->api_key, "API key for --url");
  command
      ->add_flag("--store-only", options->is_store_only,
                 "Rules and store alone in this process; --connections is then the size of a batch, and --database "
                 "is needed")
      ->excludes("--rate");
  command->add_flag("--json", options->is_json, "Print one JSON object");
  add_bench_parts(*command, chosen);
  command->callback([options, &chosen] {
    if (!chosen) chosen = [options] { return run_bench(*options); };
  });
}

}  // namespace payonce
