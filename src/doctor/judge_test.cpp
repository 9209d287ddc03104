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
    EXPECT_EQ(judge(healthy()).verdict, CheckVerdict::ok) << judge(healthy()).check;
  EXPECT_EQ(judge_standbys(healthy(), {}).verdict, CheckVerdict::ok);
  EXPECT_EQ(judge_version(healthy()).finding, "PostgreSQL 15.10 (Debian)");
}

TEST(Doctor, WhatLosesPaymentsIsAProblemAndComesWithAdvice) {
  ServerFacts facts = healthy();
  facts.fsync = "off";
  facts.full_page_writes = "off";
  facts.version_number = "120022";
  for (auto const judge : {judge_version, judge_fsync, judge_full_page_writes}) {
    EXPECT_EQ(judge(facts).verdict, CheckVerdict::problem) << judge(facts).check;
    EXPECT_FALSE(judge(facts).advice.empty());
  }
}

TEST(Doctor, WeakCommitsAreAWarning) {
  ServerFacts facts = healthy();
  for (char const* const value : {"off", "local", "remote_write"}) {
    facts.synchronous_commit = value;
    EXPECT_EQ(judge_synchronous_commit(facts).verdict, CheckVerdict::warning) << value;
  }
  facts.synchronous_commit = "remote_apply";
  EXPECT_EQ(judge_synchronous_commit(facts).verdict, CheckVerdict::ok);
}

TEST(Doctor, StandbysAreJudgedByWhatIsExpectedAndWhatIsThere) {
  ServerFacts facts = healthy();
  EXPECT_EQ(judge_standbys(facts, {.all = 1}).verdict, CheckVerdict::warning) << "not synchronous";
  EXPECT_EQ(judge_standbys(facts, {.all = 1, .hidden = 1}).verdict, CheckVerdict::warning);
  facts.synchronous_standby_names = "ANY 1 (*)";
  EXPECT_EQ(judge_standbys(facts, {.all = 0}).verdict, CheckVerdict::problem) << "commits wait for ever";
  EXPECT_EQ(judge_standbys(facts, {.all = 1, .synchronous = 1}).verdict, CheckVerdict::ok);
}

TEST(Doctor, ClocksMayDifferByASecondAndAreNotReproachedForASlowAnswer) {
  using Expected = std::vector<std::tuple<int, int, CheckVerdict>>;
  for (auto const& [skew, uncertainty, verdict] : Expected{{0, 1, CheckVerdict::ok},
                                                           {999, 0, CheckVerdict::ok},
                                                           {1'000, 0, CheckVerdict::warning},
                                                           {-1'000, 0, CheckVerdict::warning},
                                                           {1'500, 600, CheckVerdict::ok},
                                                           {9'999, 0, CheckVerdict::warning},
                                                           {10'000, 0, CheckVerdict::problem},
                                                           {-10'001, 1, CheckVerdict::problem},
                                                           {3'600'000, 30'000, CheckVerdict::problem}})
    EXPECT_EQ(judge_clock(Millis{skew}, Millis{uncertainty}).verdict, verdict) << skew << " +- " << uncertainty;
}

TEST(Doctor, OnlyAProblemMakesADatabaseUnhealthy) {
  EXPECT_TRUE(is_healthy({{"a", CheckVerdict::ok, ""}, {"b", CheckVerdict::warning, ""}}));
  EXPECT_FALSE(is_healthy({{"a", CheckVerdict::ok, ""}, {"b", CheckVerdict::problem, ""}}));
}

}  // namespace payonce
