#include "drill/report.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace payonce::drill {
namespace {

Verdict verdict_that_holds() {
  return {.name = "crash-before-call",
          .what = "kill -9 before the call",
          .outcome = {.charges = 1, .refunds = 0, .order_state = "PAID", .effects = 3},
          .holds = true,
          .why = {},
          .folder = {}};
}

Verdict verdict_that_does_not() {
  Verdict verdict = verdict_that_holds();
  verdict.outcome.charges = 2;
  verdict.holds = false;
  verdict.why = "the bank \"charged\" twice\nreally";
  verdict.folder = "kept-here";
  return verdict;
}

TEST(DrillReportTest, JsonIsAnArrayWithOneLinePerFailure) {
  std::string const text = to_json({verdict_that_holds(), verdict_that_does_not()});
  auto const rows = boost::json::parse(text).as_array();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("name").as_string(), "crash-before-call");
  EXPECT_EQ(rows[0].at("charges").as_int64(), 1);
  EXPECT_EQ(rows[0].at("order_state").as_string(), "PAID");
  EXPECT_EQ(rows[0].at("effects").as_int64(), 3);
  EXPECT_EQ(rows[0].at("verdict").as_string(), "holds");
  EXPECT_EQ(rows[1].at("verdict").as_string(), "violated");
  EXPECT_EQ(rows[1].at("why").as_string(), "the bank \"charged\" twice\nreally");
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
}

TEST(DrillReportTest, JsonOfNothingIsAnEmptyArray) { EXPECT_TRUE(boost::json::parse(to_json({})).as_array().empty()); }

TEST(DrillReportTest, WhatIsNotApplicableSaysSoAndHasNoNumbers) {
  Verdict const verdict{.name = "refund-at-the-desk",
                        .what = "money is given back at the desk",
                        .outcome = {},
                        .is_applicable = false,
                        .why = "it has no desk",
                        .folder = {}};
  auto const row = boost::json::parse(to_json({verdict})).at(0).as_object();
  EXPECT_EQ(row.at("verdict").as_string(), "not applicable");
  EXPECT_EQ(row.at("why").as_string(), "it has no desk");
  EXPECT_FALSE(row.contains("charges"));
  EXPECT_TRUE(table_line(verdict).contains("not applicable: it has no desk"));
}

TEST(DrillReportTest, ALineSaysWhyAndWhereWhenItDoesNotHold) {
  EXPECT_FALSE(table_line(verdict_that_holds()).contains("VIOLATED"));
  std::string const line = table_line(verdict_that_does_not());
  EXPECT_TRUE(line.contains("VIOLATED"));
  EXPECT_TRUE(line.contains("charged"));
  EXPECT_TRUE(line.contains("kept-here"));
}

}  // namespace
}  // namespace payonce::drill
