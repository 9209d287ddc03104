#include "drill/run_drill.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "base/id.h"
#include "drill/failure.h"
#include "drill/patience.h"
#include "drill/report.h"
#include "store/postgres/scratch_schema.h"

namespace payonce {

using namespace drill;

namespace {

namespace fs = std::filesystem;
constexpr std::string_view forgetful_suffix = "@forgetful";

// One line of the report: a failure at one kind of bank.
struct Entry {
  Failure const* failure;
  bool is_forgetful;

  std::string name() const { return std::string{failure->name} + std::string{is_forgetful ? forgetful_suffix : ""}; }
};

std::vector<Entry> all_entries() {
  std::vector<Entry> entries;
  for (Failure const& failure : failures()) entries.push_back({&failure, false});
  for (Failure const& failure : failures())
    if (failure.at_forgetful_bank == AtForgetfulBank::too) entries.push_back({&failure, true});
  return entries;
}

// The folder of one failure; gone with this object unless it is kept.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "payonce-drill-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
    expect(!path_.empty(), "a folder for temporary files can be made");
  }
  ~Folder() {
    std::error_code ignored;
    if (!is_kept_) fs::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;

  std::string const& path() const { return path_; }
  std::string const& keep() {
    is_kept_ = true;
    return path_;
  }

 private:
  std::string path_;
  bool is_kept_ = false;
};

std::string difference(OrderOutcome const& outcome, Expected const& expected) {
  bool const is_equal = outcome.charges == expected.charges && outcome.refunds == expected.refunds &&
                        outcome.order_state == expected.order_state && outcome.effects == expected.effects;
  if (is_equal) return {};
  return fmt::format("expected {} charges, {} refunds, order {}, {} effects", expected.charges, expected.refunds,
                     expected.order_state, expected.effects);
}

// What could be seen until a scenario throws stays in the verdict.
void run_in_world(Entry const& entry, World& world, Verdict& verdict) {
  world.open();
  entry.failure->run(world);
  verdict.outcome = world.settle();
  verdict.why = difference(verdict.outcome, entry.failure->expected);
  world.close(entry.failure->expected.charges > 1);
}

// The database of one failure: a file in its folder, or a schema that is gone with this object unless it is kept.
class Database {
 public:
  Database(DrillOptions const& options, std::string const& folder) : url_("sqlite:" + folder + "/shop.db") {
    if (options.database.empty()) return;
    SystemRandom random;
    auto schema = ScratchSchema::create(options.database, "drill_" + mint_suffix(SystemClock{}.now(), random));
    if (!schema) throw ScenarioFailed{schema.error().detail};
    schema_.emplace(std::move(*schema));
    url_ = schema_->url();
  }
  std::string const& url() const { return url_; }
  void keep() {
    if (schema_) schema_->keep();
  }

 private:
  std::string url_;
  std::optional<ScratchSchema> schema_;
};

Verdict judge(Entry const& entry, DrillOptions const& options) {
  Verdict verdict{.name = entry.name(), .what = entry.failure->what, .outcome = {}, .why = {}, .folder = {}};
  try {
    Folder folder;
    Database database{options, folder.path()};
    try {
      World world{{.folder = folder.path(),
                   .is_forgetful = entry.is_forgetful,
                   .call_timeout = entry.failure->call_timeout,
                   .database = database.url(),
                   .nodes = options.nodes}};
      run_in_world(entry, world, verdict);
    } catch (std::exception const& error) {
      verdict.why += (verdict.why.empty() ? "" : "; ") + std::string{error.what()};
    }
    verdict.holds = verdict.why.empty();
    if (options.keep_folders || (!verdict.holds && !is_interrupted())) {
      verdict.folder = folder.keep();
      database.keep();
    }
  } catch (std::exception const& error) {
    verdict.why = error.what();
  }
  return verdict;
}

// Runs several entries at once and hands each verdict on in the order of the entries.
class Crew {
 public:
  Crew(std::vector<Entry> entries, DrillOptions const& options)
      : entries_(std::move(entries)), options_(options), verdicts_(entries_.size()) {}

  std::vector<Verdict> run() {
    {
      std::vector<std::jthread> workers;
      for (int i = 0; i < options_.at_once; ++i) workers.emplace_back([this] { work(); });
    }
    std::vector<Verdict> done;
    for (auto& verdict : verdicts_)
      if (verdict) done.push_back(std::move(*verdict));
    return done;
  }

 private:
  void work() {
    for (std::size_t mine = next_++; mine < entries_.size() && !is_interrupted(); mine = next_++) {
      Verdict verdict = judge(entries_[mine], options_);
      if (is_interrupted()) return;  // it says nothing about the failure
      std::lock_guard const lock{mutex_};
      verdicts_[mine] = std::move(verdict);
      if (!options_.as_json) print_what_is_next();
    }
  }
  void print_what_is_next() {
    for (; printed_ < verdicts_.size() && verdicts_[printed_]; ++printed_)
      std::cout << table_line(*verdicts_[printed_]) << std::flush;
  }

  std::vector<Entry> const entries_;
  DrillOptions const& options_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::vector<std::optional<Verdict>> verdicts_;  // guarded by mutex_
  std::size_t printed_ = 0;                       // guarded by mutex_
};

// The entries that were asked for; nothing, with a message, when one does not exist.
std::optional<std::vector<Entry>> chosen_entries(std::vector<std::string> const& only) {
  std::vector<Entry> const all = all_entries();
  if (only.empty()) return all;
  std::vector<Entry> chosen;
  for (std::string const& name : only) {
    auto const found = std::ranges::find(all, name, &Entry::name);
    if (found == all.end()) {
      std::cerr << fmt::format("payonce: there is no failure \"{}\"; payonce drill --list names them\n", name);
      return std::nullopt;
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace

int run_drill(DrillOptions const& options) {
  auto entries = chosen_entries(options.only);
  if (!entries) return 2;
  for (int const number : {SIGINT, SIGTERM}) std::signal(number, [](int) { interrupt_all_waits(); });
  std::size_t const count = entries->size();
  if (!options.as_json) std::cout << table_head() << std::flush;
  std::vector<Verdict> const verdicts = Crew{std::move(*entries), options}.run();
  auto const held = static_cast<std::size_t>(std::ranges::count_if(verdicts, &Verdict::holds));
  if (options.as_json)
    std::cout << to_json(verdicts);
  else
    std::cout << fmt::format("\n{}{} of {} hold\n", is_interrupted() ? "interrupted; " : "", held, count);
  return held == count ? 0 : 1;
}

void list_drill() {
  for (Entry const& entry : all_entries()) std::cout << fmt::format("{:<42} {}\n", entry.name(), entry.failure->what);
}

}  // namespace payonce
