// `payonce bench`: payments per second over real HTTP, every acknowledged one durable.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <iostream>

#include "base/id.h"
#include "bench/load.h"
#include "bench/process_usage.h"
#include "bench/subject.h"
#include "cli/commands.h"

namespace payonce {

namespace {

struct BenchOptions {
  bench::SubjectOptions subject;
  int connections = 64;
  int seconds = 10;
  bool is_json = false;
  std::string url;      // a running service instead of one of our own
  std::string api_key;  // for it
};

struct Figures {
  double payments_per_second = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  double p999_ms = 0;
  std::optional<double> cpu_us_per_payment;  // unknown for a service that we did not start
  std::optional<double> rss_mb;
};

Figures figures_from(bench::LoadResult const& load, std::chrono::microseconds cpu, pid_t pid) {
  Figures figures;
  figures.payments_per_second =
      static_cast<double>(load.payments) / std::chrono::duration<double>(load.measured).count();
  figures.p50_ms = bench::percentile_ms(load.payment_us, 0.5);
  figures.p99_ms = bench::percentile_ms(load.payment_us, 0.99);
  figures.p999_ms = bench::percentile_ms(load.payment_us, 0.999);
  if (pid > 0 && load.payments > 0) {
    figures.cpu_us_per_payment = static_cast<double>(cpu.count()) / static_cast<double>(load.payments);
    figures.rss_mb = bench::resident_mb(pid);
  }
  return figures;
}

void print_json(Figures const& figures) {
  boost::json::object object{{"payments_per_second", figures.payments_per_second},
                             {"p50_ms", figures.p50_ms},
                             {"p99_ms", figures.p99_ms},
                             {"p999_ms", figures.p999_ms},
                             {"cpu_us_per_payment", nullptr},
                             {"rss_mb", nullptr}};
  if (figures.cpu_us_per_payment) object["cpu_us_per_payment"] = *figures.cpu_us_per_payment;
  if (figures.rss_mb) object["rss_mb"] = *figures.rss_mb;
  std::cout << boost::json::serialize(object) << '\n';
}

void print_table(BenchOptions const& options, Figures const& figures) {
  std::cout << fmt::format(
                   "{} connections, {} s, provider {}. A payment is: order and attempt committed, provider asked,\n"
                   "outcome with three effects committed, answered; over HTTP, each commit durable.\n\n",
                   options.connections, options.seconds, options.subject.provider)
            << fmt::format("payments/s            {:>10.0f}\n", figures.payments_per_second)
            << fmt::format("payment p50           {:>10.2f} ms\n", figures.p50_ms)
            << fmt::format("payment p99           {:>10.2f} ms\n", figures.p99_ms)
            << fmt::format("payment p99.9         {:>10.2f} ms\n", figures.p999_ms);
  if (figures.cpu_us_per_payment)
    std::cout << fmt::format("CPU of the service    {:>10.1f} us per payment\n", *figures.cpu_us_per_payment)
              << fmt::format("memory of the service {:>10.1f} MiB\n", *figures.rss_mb);
}

int measure(BenchOptions const& options, bench::LoadOptions load, pid_t pid) {
  SystemClock const clock;
  SystemRandom random;
  load.connections = options.connections;
  load.duration = std::chrono::seconds{options.seconds};
  load.run_id = mint_suffix(clock.now(), random);
  std::chrono::microseconds cpu_before{0};
  auto const result = bench::run_load(load, clock, [&] { cpu_before = bench::cpu_time(pid); });
  if (!result) return complain(result.error());
  Figures const figures = figures_from(*result, bench::cpu_time(pid) - cpu_before, pid);
  if (result->unexpected > 0) {
    std::cerr << fmt::format("payonce: {} answers were not a paid payment; the first: {}\n", result->unexpected,
                             result->first_unexpected);
    return 1;
  }
  options.is_json ? print_json(figures) : print_table(options, figures);
  return 0;
}

int run_bench(BenchOptions const& options) {
  bench::LoadOptions load;
  load.api_key = options.api_key;
  if (options.url.empty()) {
    auto const subject = bench::Subject::start(options.subject);
    if (!subject) return complain(subject.error());
    load.port = subject->port();
    load.api_key = subject->api_key();
    return measure(options, load, subject->pid());
  }
  auto const colon = options.url.rfind(':');
  std::string const prefix = "http://";
  if (!options.url.starts_with(prefix) || colon < prefix.size())
    return complain({ErrorCode::invalid_request, "--url: write http://ADDRESS:PORT"});
  load.host = options.url.substr(prefix.size(), colon - prefix.size());
  load.port = static_cast<std::uint16_t>(std::strtoul(options.url.c_str() + colon + 1, nullptr, 10));
  return measure(options, load, 0);
}

}  // namespace

void add_bench(CLI::App& program, Chosen& chosen) {
  auto const options = std::make_shared<BenchOptions>();
  CLI::App* const command = program.add_subcommand("bench", "Measure payments per second over HTTP");
  command->add_option("--connections", options->connections, "Callers at once")->check(CLI::Range(1, 10'000));
  command->add_option("--seconds", options->seconds, "Measured time, after one second of warm-up")
      ->check(CLI::Range(1, 3600));
  command->add_option("--database", options->subject.database, "Database; default: a fresh SQLite file");
  command->add_option("--provider", options->subject.provider, "instant (in process) or sandbox (its own process)")
      ->check(CLI::IsMember({"instant", "sandbox"}));
  command->add_option("--url", options->url, "A running service, http://ADDRESS:PORT, instead of one of our own");
  command->add_option("--api-key", options->api_key, "API key for --url");
  command->add_flag("--json", options->is_json, "Print one JSON object");
  command->callback([options, &chosen] { chosen = [options] { return run_bench(*options); }; });
}

}  // namespace payonce
