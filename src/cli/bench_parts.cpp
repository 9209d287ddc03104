#include "cli/bench_parts.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <iostream>
#include <memory>
#include <thread>

#include "base/id.h"
#include "bench/fill.h"
#include "bench/process_usage.h"
#include "bench/receiver.h"
#include "bench/subject.h"
#include "bench/waits.h"
#include "cli/key_store.h"

namespace payonce {

namespace {

using namespace std::chrono_literals;
using Object = boost::json::object;

struct PartOptions {
  std::string database;
  std::int64_t payments = 100'000;
  int connections = 10'000;
  int seconds = 10;
};

constexpr auto look_every = 20ms;
constexpr auto patience = 30min;

// One line for people and programs alike.
int print(Object const& figures) {
  std::cout << boost::json::serialize(figures) << '\n';
  return 0;
}

double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::unique_ptr<Store> open(std::string const& database) {
  auto store = open_migrated_store(database);
  if (!store) throw std::runtime_error(store.error().detail);
  return std::move(*store);
}

bench::FillOptions filling(PartOptions const& options, bench::Filled as) {
  SystemRandom random;
  return {.run_id = mint_suffix(SystemClock{}.now(), random), .payments = options.payments, .as = as};
}

int run_fill(PartOptions const& options) {
  if (options.database.empty()) return complain({ErrorCode::invalid_request, "name the database by --database"});
  SystemClock const clock;
  auto const store = open(options.database);
  auto const start = clock.monotonic();
  bench::fill(*store, filling(options, bench::Filled::paid), clock);
  double const taken = seconds_of(clock.monotonic() - start);
  return print(
      {{"payments", options.payments}, {"payments_per_second", static_cast<double>(options.payments) / taken}});
}

int run_start(PartOptions const& options) {
  auto const subject = bench::Subject::start({.database = options.database});
  if (!subject) return complain(subject.error());
  return print({{"start_ms", subject->start_time().count()}, {"rss_mb", bench::resident_mb(subject->pids().front())}});
}

// How long the service takes until `is_done`, and what it uses for each thing.
int print_work(bench::Subject const& subject, std::string const& things, std::int64_t count,
               std::function<bool()> const& is_done) {
  SystemClock const clock;
  auto const start = clock.monotonic();
  while (!is_done()) {
    if (clock.monotonic() - start > patience) return complain({ErrorCode::unavailable, "it did not end"});
    std::this_thread::sleep_for(look_every);
  }
  // The service works from its start on, and it listens after that.
  auto const taken = clock.monotonic() - start + std::chrono::nanoseconds{subject.start_time()};
  auto const used = bench::usage_of(subject.pids());
  return print({{things, count},
                {"seconds", seconds_of(taken)},
                {"per_second", static_cast<double>(count) / seconds_of(taken)},
                {"cpu_us_each", static_cast<double>(used.cpu.count()) / static_cast<double>(count)},
                {"rss_mb", bench::resident_mb(subject.pids().front())}});
}

// Payments that a crash left behind, against a provider that answers at once.
int run_recovery(PartOptions const& options) {
  SystemClock const clock;
  auto const subject =
      bench::Subject::start({.database = options.database, .fill = [&](std::string const& database) {
                               bench::fill(*open(database), filling(options, bench::Filled::unanswered), clock);
                             }});
  if (!subject) return complain(subject.error());
  auto const store = open(subject->database());
  auto const reader = store->open_reader();
  auto const one_year = clock.now() + 24h * 365;
  return print_work(*subject, "attempts", options.payments, [&] { return reader->due_attempts(one_year, 1).empty(); });
}

int run_effects(PartOptions const& options) {
  SystemClock const clock;
  auto const receiver = bench::Receiver::start();
  if (!receiver) return complain(receiver.error());
  auto const subject = bench::Subject::start(
      {.database = options.database, .deliver_to = (*receiver)->url(), .fill = [&](std::string const& database) {
         bench::fill(*open(database), filling(options, bench::Filled::owing), clock);
       }});
  if (!subject) return complain(subject.error());
  std::int64_t const effects = options.payments * 3;
  return print_work(*subject, "effects", effects, [&] { return (*receiver)->taken() >= effects; });
}

int run_waits(PartOptions const& options) {
  SystemClock const clock;
  std::string number;
  auto const subject = bench::Subject::start({.database = options.database, .fill = [&](std::string const& database) {
                                                auto one = filling(options, bench::Filled::unanswered);
                                                one.payments = 1;
                                                one.due_at = clock.now() + 1h;
                                                number = bench::fill(*open(database), one, clock).front().value;
                                              }});
  if (!subject) return complain(subject.error());
  auto const pids = subject->pids();
  bench::Usage before;
  auto const waiting = bench::run_waits({.port = subject->ports().front(),
                                         .api_key = subject->api_key(),
                                         .number = number,
                                         .connections = options.connections,
                                         .duration = std::chrono::seconds{options.seconds}},
                                        clock, [&] { before = bench::usage_of(pids); });
  if (!waiting) return complain(waiting.error());
  auto const used = bench::usage_of(pids) - before;
  if (*waiting != options.connections)
    return complain({ErrorCode::unavailable, fmt::format("{} of {} waited to the end", *waiting, options.connections)});
  return print({{"waiting", *waiting},
                {"cpu_share", seconds_of(used.cpu) / options.seconds},
                {"rss_mb", bench::resident_mb(pids.front())}});
}

}  // namespace

void add_bench_parts(CLI::App& bench, Chosen& chosen) {
  auto const options = std::make_shared<PartOptions>();
  auto const add = [&](char const* name, char const* text, int (*run)(PartOptions const&)) {
    CLI::App* const part = bench.add_subcommand(name, text);
    part->add_option("--database", options->database, "Database; default: a fresh SQLite file");
    part->callback([options, run, &chosen] { chosen = [options, run] { return run(*options); }; });
    return part;
  };
  auto const add_payments = [&](CLI::App* part) {
    part->add_option("--payments", options->payments, "How many")->check(CLI::Range(1, 1'000'000'000));
  };
  add_payments(add("fill", "Put paid payments into a database, with all their rows", run_fill));
  add("start", "How long the service takes to listen", run_start);
  add_payments(add("recovery", "How fast payments that a crash left behind are found out about", run_recovery));
  add_payments(add("effects", "How fast the effects of paid payments are delivered to a fast receiver", run_effects));
  CLI::App* const waits = add("waits", "What buyers cost who wait for a payment that does not end", run_waits);
  waits->add_option("--connections", options->connections, "How many")->check(CLI::Range(1, 50'000));
  waits->add_option("--seconds", options->seconds, "Measured time")->check(CLI::Range(1, 50));
}

}  // namespace payonce
