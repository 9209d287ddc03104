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
#include "process/own_server.h"
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
  std::string_view why_not = {};  // why the provider can't have it; empty if it can

  std::string name() const { return std::string{failure->name} + std::string{is_forgetful ? forgetful_suffix : ""}; }
};

std::vector<Entry> all_entries(Channel const& channel) {
  std::vector<Entry> entries;
  auto const add = [&](Failure const& failure, bool is_forgetful) {
    entries.push_back({&failure, is_forgetful, channel.why_not(failure.name, is_forgetful)});
  };
  for (Failure const& failure : failures()) add(failure, false);
  for (Failure const& failure : failures())
    if (failure.at_forgetful_bank == AtForgetfulBank::too) add(failure, true);
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

// The folder of a bank's keys, made by the bank itself: keys take seconds, and all banks of a drill have the same.
class Keys {
 public:
  explicit Keys(Channel const& channel) {
    if (!channel.has_keys) return;
    folder_.emplace();
    auto bank = start_own_server({"sandbox", "--port", "0", "--keys", path()}, {.log_file = folder_->path() + "/log"});
    expect(bank.has_value(), "a bank can make its keys");
    bank->process.stop(Millis{5'000});
  }
  std::string path() const { return folder_ ? folder_->path() + "/keys" : std::string{}; }

 private:
  std::optional<Folder> folder_;
};

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

// What all failures of one drill share.
struct Setting {
  DrillOptions const& options;
  Channel const& channel;
  Keys const& keys;
};

Verdict judge(Entry const& entry, Setting const& setting) {
  DrillOptions const& options = setting.options;
  Verdict verdict{.name = entry.name(), .what = entry.failure->what, .outcome = {}, .why = {}, .folder = {}};
  verdict.is_applicable = entry.why_not.empty();
  verdict.why = entry.why_not;
  if (!verdict.is_applicable) return verdict;
  try {
    Folder folder;
    Database database{options, folder.path()};
    try {
      World world{{.folder = folder.path(),
                   .channel = setting.channel,
                   .keys = setting.keys.path(),
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
  Crew(std::vector<Entry> entries, Setting const& setting)
      : entries_(std::move(entries)), setting_(setting), verdicts_(entries_.size()) {}

  std::vector<Verdict> run() {
    {
      std::vector<std::jthread> workers;
      for (int i = 0; i < setting_.options.at_once; ++i) workers.emplace_back([this] { work(); });
    }
    std::vector<Verdict> done;
    for (auto& verdict : verdicts_)
      if (verdict) done.push_back(std::move(*verdict));
    return done;
  }

 private:
  void work() {
    for (std::size_t mine = next_++; mine < entries_.size() && !is_interrupted(); mine = next_++) {
      Verdict verdict = judge(entries_[mine], setting_);
      if (is_interrupted()) return;  // it says nothing about the failure
      std::lock_guard const lock{mutex_};
      verdicts_[mine] = std::move(verdict);
      if (!setting_.options.as_json) print_what_is_next();
    }
  }
  void print_what_is_next() {
    for (; printed_ < verdicts_.size() && verdicts_[printed_]; ++printed_)
      std::cout << table_line(*verdicts_[printed_]) << std::flush;
  }

  std::vector<Entry> const entries_;
  Setting const& setting_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::vector<std::optional<Verdict>> verdicts_;  // guarded by mutex_
  std::size_t printed_ = 0;                       // guarded by mutex_
};

// The entries that were asked for; nothing, with a message, when one does not exist.
std::optional<std::vector<Entry>> chosen_entries(Channel const& channel, std::vector<std::string> const& only) {
  std::vector<Entry> const all = all_entries(channel);
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

std::vector<std::string> drill_providers() {
  std::vector<std::string> names;
  for (Channel const& channel : channels()) names.emplace_back(channel.kind);
  return names;
}

int run_drill(DrillOptions const& options) {
  Channel const& channel = *find_channel(options.provider);
  auto entries = chosen_entries(channel, options.only);
  if (!entries) return 2;
  for (int const number : {SIGINT, SIGTERM}) std::signal(number, [](int) { interrupt_all_waits(); });
  auto const applicable = std::ranges::count_if(*entries, [](Entry const& entry) { return entry.why_not.empty(); });
  auto const others = std::ssize(*entries) - applicable;
  Keys const keys{channel};
  Setting const setting{options, channel, keys};
  if (!options.as_json) std::cout << table_head() << std::flush;
  std::vector<Verdict> const verdicts = Crew{std::move(*entries), setting}.run();
  auto const held = std::ranges::count_if(verdicts, &Verdict::holds);
  if (options.as_json)
    std::cout << to_json(verdicts);
  else
    std::cout << fmt::format("\n{}{} of {} hold{}\n", is_interrupted() ? "interrupted; " : "", held, applicable,
                             others > 0 ? fmt::format("; {} are not applicable", others) : "");
  return held == applicable ? 0 : 1;
}

void list_drill(std::string const& provider) {
  for (Entry const& entry : all_entries(*find_channel(provider))) {
    std::cout << fmt::format("{:<42} {}\n", entry.name(), entry.failure->what);
    if (!entry.why_not.empty()) std::cout << fmt::format("{:<42} not applicable: {}\n", "", entry.why_not);
  }
}

}  // namespace payonce
