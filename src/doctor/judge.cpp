#include "doctor/judge.h"

#include <fmt/format.h>

#include <cstdlib>

namespace payonce {

namespace {

using enum CheckVerdict;

// Several nodes share due times: a clock that is off makes work start early or late, and then leases are too short.
constexpr Millis skew_warning{1'000};
constexpr Millis skew_problem{10'000};

constexpr int oldest_version = 130'000;
constexpr int oldest_maintained_version = 140'000;

}  // namespace

Diagnosis judge_version(ServerFacts const& facts) {
  int const number = std::atoi(facts.version_number.value_or("0").c_str());
  // What stands behind it names machines and compilers.
  std::string const shown = facts.version.substr(0, facts.version.find(" on "));
  if (number < oldest_version)
    return {"server version", problem, shown,
            "use PostgreSQL 13 or newer; the feed of events needs its transaction ids"};
  if (!facts.version.starts_with("PostgreSQL "))
    return {"server version", warning, shown,
            "payonce was tested with PostgreSQL itself; run `payonce doctor --conformance` against this one"};
  if (number < oldest_maintained_version)
    return {"server version", warning, shown, "upgrade: this version gets no fixes any more"};
  return {"server version", ok, shown};
}

Diagnosis judge_fsync(ServerFacts const& facts) {
  if (!facts.fsync)
    return {"fsync", warning, "the server has no such setting", "make sure that a commit is on the disk"};
  if (*facts.fsync == "on") return {"fsync", ok, "on"};
  return {"fsync", problem, *facts.fsync + ": a power cut loses acknowledged payments or the whole database",
          "set fsync = on in postgresql.conf and reload"};
}

Diagnosis judge_full_page_writes(ServerFacts const& facts) {
  if (!facts.full_page_writes) return {"full_page_writes", ok, "the server has no such setting"};
  if (*facts.full_page_writes == "on") return {"full_page_writes", ok, "on"};
  return {"full_page_writes", problem, *facts.full_page_writes + ": a power cut can leave pages half written",
          "set full_page_writes = on in postgresql.conf and reload, unless the file system writes pages whole"};
}

Diagnosis judge_synchronous_commit(ServerFacts const& facts) {
  std::string const value = facts.synchronous_commit.value_or("unknown");
  if (value == "off" || value == "local")
    return {"synchronous_commit", warning, value + "; payonce sets it to on for its own sessions",
            "set synchronous_commit = on, so that a hand at the console is as safe as the service"};
  if (value == "remote_write")
    return {"synchronous_commit", warning, value + ": the standby has the commit in memory, not on its disk",
            "set synchronous_commit = on"};
  return {"synchronous_commit", ok, value};
}

Diagnosis judge_standbys(ServerFacts const& facts, Standbys const& standbys) {
  std::string const check = "standby";
  std::string const names = facts.synchronous_standby_names.value_or("");
  if (standbys.hidden > 0)
    return {check, warning, fmt::format("{} connected; this role may not see whether one is synchronous", standbys.all),
            "GRANT pg_read_all_stats to the role, or ask with another one"};
  if (!names.empty() && standbys.synchronous == 0)
    return {check, problem, fmt::format("commits wait for a synchronous standby ({}), and none is connected", names),
            "start the standby, or take its name out of synchronous_standby_names until it is back"};
  if (standbys.synchronous > 0) return {check, ok, fmt::format("{} synchronous", standbys.synchronous)};
  if (standbys.all > 0)
    return {check, warning,
            fmt::format("{} connected, none synchronous: a failover can lose acknowledged payments", standbys.all),
            "set synchronous_standby_names, e.g. to 'ANY 1 (*)'"};
  return {check, ok, "none: payments are as safe as the disk of this one server"};
}

Diagnosis judge_autovacuum(ServerFacts const& facts) {
  if (facts.autovacuum.value_or("on") == "on") return {"autovacuum", ok, "on"};
  return {"autovacuum", warning, "off: tables and indexes grow, and transaction ids run out one day",
          "set autovacuum = on"};
}

Diagnosis judge_collation(ServerFacts const& facts) {
  return {
      "encoding and collation", ok,
      fmt::format("UTF8, {}; keys and ids compare byte by byte whatever it is", facts.collation.value_or("unknown"))};
}

Diagnosis judge_clock(Millis skew, Millis uncertainty) {
  // What is not sure is no reproach.
  Millis const least = std::max(Millis{0}, std::chrono::abs(skew) - uncertainty);
  std::string const finding =
      fmt::format("the server's clock is {} ms {} ours (+- {} ms)", std::chrono::abs(skew).count(),
                  skew < Millis{0} ? "behind" : "ahead of", uncertainty.count());
  std::string const advice = "run chrony or another NTP client on both machines, and on every node";
  if (least >= skew_problem) return {"clocks", problem, finding, advice};
  if (least >= skew_warning) return {"clocks", warning, finding, advice};
  return {"clocks", ok, finding};
}

}  // namespace payonce
