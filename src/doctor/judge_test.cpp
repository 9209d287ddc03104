#include "doctor/judge.h"

#include <gtest/gtest.h>

namespace payonce {

namespace {

ServerFacts healthy() {
  return {.version_number = "150010",
          .fsync = "on",
          .full_page_writes = "on",
          .synchronous_commit = "on",
          .synchronous_standby_names = "",
          .autovacuum = "on",
          .collation = "en_US.UTF-8",
          .schema = "public",
          .version = "PostgreSQL 15.10 (Debian) on x86_64-pc-linux-gnu, compiled by gcc"};
}

}  // namespace

TEST(Doctor, AHealthyServerIsFine) {
  for (auto const judge : {judge_version, judge_fsync, judge_full_page_writes, judge_synchronous_commit,
                           judge_autovacuum, judge_collation})
    EXPECT_EQ(judge(healthy()).verdict, Verdict::ok) << judge(healthy()).check;
  EXPECT_EQ(judge_standbys(healthy(), {}).verdict, Verdict::ok);
  EXPECT_EQ(judge_version(healthy()).finding, "PostgreSQL 15.10 (Debian)");
}

TEST(Doctor, WhatLosesPaymentsIsAProblemAndComesWithAdvice) {
  ServerFacts facts = healthy();
  facts.fsync = "off";
  facts.full_page_writes = "off";
  facts.version_number = "120022";
  for (auto const judge : {judge_version, judge_fsync, judge_full_page_writes}) {
    EXPECT_EQ(judge(facts).verdict, Verdict::problem) << judge(facts).check;
    EXPECT_FALSE(judge(facts).advice.empty());
  }
}

TEST(Doctor, WeakCommitsAreAWarning) {
  ServerFacts facts = healthy();
  for (char const* const value : {"off", "local", "remote_write"}) {
    facts.synchronous_commit = value;
    EXPECT_EQ(judge_synchronous_commit(facts).verdict, Verdict::warning) << value;
  }
  facts.synchronous_commit = "remote_apply";
  EXPECT_EQ(judge_synchronous_commit(facts).verdict, Verdict::ok);
}

TEST(Doctor, StandbysAreJudgedByWhatIsExpectedAndWhatIsThere) {
  ServerFacts facts = healthy();
  EXPECT_EQ(judge_standbys(facts, {.all = 1}).verdict, Verdict::warning) << "not synchronous";
  EXPECT_EQ(judge_standbys(facts, {.all = 1, .hidden = 1}).verdict, Verdict::warning);
  facts.synchronous_standby_names = "ANY 1 (*)";
  EXPECT_EQ(judge_standbys(facts, {.all = 0}).verdict, Verdict::problem) << "commits wait for ever";
  EXPECT_EQ(judge_standbys(facts, {.all = 1, .synchronous = 1}).verdict, Verdict::ok);
}

TEST(Doctor, ClocksMayDifferByASecondAndAreNotReproachedForASlowAnswer) {
  using Expected = std::vector<std::tuple<int, int, Verdict>>;
  for (auto const& [skew, uncertainty, verdict] : Expected{{0, 1, Verdict::ok},
                                                           {999, 0, Verdict::ok},
                                                           {1'000, 0, Verdict::warning},
                                                           {-1'000, 0, Verdict::warning},
                                                           {1'500, 600, Verdict::ok},
                                                           {9'999, 0, Verdict::warning},
                                                           {10'000, 0, Verdict::problem},
                                                           {-10'001, 1, Verdict::problem},
                                                           {3'600'000, 30'000, Verdict::problem}})
    EXPECT_EQ(judge_clock(Millis{skew}, Millis{uncertainty}).verdict, verdict) << skew << " +- " << uncertainty;
}

TEST(Doctor, OnlyAProblemMakesADatabaseUnhealthy) {
  EXPECT_TRUE(is_healthy({{"a", Verdict::ok, ""}, {"b", Verdict::warning, ""}}));
  EXPECT_FALSE(is_healthy({{"a", Verdict::ok, ""}, {"b", Verdict::problem, ""}}));
}

}  // namespace payonce
