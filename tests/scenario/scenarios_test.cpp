// Every story in this folder comes to its end as it says.
#include "simulate/scenario.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace payonce::simulate {
namespace {

std::string const stories_folder = std::string{PAYONCE_SOURCE_DIR} + "/tests/scenario/";

std::vector<std::string> stories() {
  std::vector<std::string> names;
  for (auto const& entry : std::filesystem::directory_iterator(stories_folder))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class Scenario : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Each, Scenario, testing::ValuesIn(stories()), [](auto const& info) { return info.param; });

TEST_P(Scenario, EndsAsItSays) {
  std::ifstream file{stories_folder + GetParam() + ".txt"};
  std::string const text{std::istreambuf_iterator<char>{file}, {}};
  auto const result = run_scenario(text, testing::TempDir());
  EXPECT_EQ(result.failure, "") << fmt::format("{}", fmt::join(result.story, "\n"));
}

TEST(ScenarioText, SaysWhichLineIsWrong) {
  EXPECT_EQ(run_scenario("bank sure\nfly away", testing::TempDir()).failure,
            "line 2: \"fly\" is no step of a scenario");
  EXPECT_EQ(run_scenario("bank sure\npass 5 years", testing::TempDir()).failure,
            "line 2: \"5\" is not a time like 30s");
  EXPECT_EQ(run_scenario("bank sure\nnext rain", testing::TempDir()).failure, "line 2: \"rain\" is no trouble");
  EXPECT_EQ(run_scenario("pass 1s", testing::TempDir()).failure, "a scenario names a bank: sure, forgetful or blunt");
}

TEST(ScenarioText, ComparesWhatItExpects) {
  EXPECT_EQ(run_scenario("bank sure\npay 1 k1 sure: FAILED", testing::TempDir()).failure,
            "line 2: pay 1 k1 sure: expected FAILED, is SUCCEEDED");
}

}  // namespace
}  // namespace payonce::simulate
