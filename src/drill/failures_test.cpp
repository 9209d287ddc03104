#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "drill/failure.h"
#include "provider/registry.h"

namespace payonce::drill {
namespace {

TEST(DrillFailuresTest, EachHasANameOfItsOwnInKebabCase) {
  std::set<std::string_view> names;
  for (Failure const& failure : failures()) {
    EXPECT_TRUE(names.insert(failure.name).second) << failure.name;
    EXPECT_TRUE(std::ranges::all_of(failure.name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    })) << failure.name;
    EXPECT_FALSE(failure.what.empty()) << failure.name;
  }
}

TEST(DrillFailuresTest, EveryChargeBeyondTheFirstIsGivenBack) {
  for (Failure const& failure : failures()) {
    bool const is_about_refunds = failure.name.starts_with("refund");
    if (failure.expected.order_state == "CLOSED") {
      EXPECT_EQ(failure.expected.charges + failure.expected.refunds + failure.expected.effects, 0) << failure.name;
      continue;
    }
    EXPECT_EQ(failure.expected.charges - (is_about_refunds ? 0 : failure.expected.refunds), 1) << failure.name;
    EXPECT_EQ(is_about_refunds, failure.expected.charges == 1 && failure.expected.refunds > 0) << failure.name;
    EXPECT_EQ(failure.expected.order_state, "PAID") << failure.name;
    EXPECT_EQ(failure.expected.effects, 3) << failure.name;
  }
}

TEST(DrillFailuresTest, AForgetfulBankIsLeftOutOnlyWhereTheSecondChargeIsTheBanksOwnOrNeverAsked) {
  std::set<std::string_view> left_out;
  for (Failure const& failure : failures())
    if (failure.at_forgetful_bank == AtForgetfulBank::not_applicable) left_out.insert(failure.name);
  EXPECT_EQ(left_out, (std::set<std::string_view>{"late-success-after-decline", "surplus-told-three-times",
                                                  "worker-dies-after-charge"}));
}

TEST(DrillChannelsTest, EachIsAConnectorOfThatName) {
  std::set<std::string_view> kinds;
  for (Channel const& channel : channels()) {
    EXPECT_NE(find_connector(channel.kind), nullptr) << channel.kind;
    EXPECT_TRUE(kinds.insert(channel.kind).second) << channel.kind;
  }
}

TEST(DrillChannelsTest, WhatAProviderCanNotHaveIsAFailureThatIsThereAndHasItsReason) {
  for (Channel const& channel : channels())
    for (NotApplicable const& line : channel.not_applicable) {
      EXPECT_NE(std::ranges::find(failures(), line.failure, &Failure::name), failures().end()) << line.failure;
      EXPECT_FALSE(line.why.empty()) << line.failure;
      EXPECT_EQ(channel.why_not(line.failure, false), line.why);
    }
}

TEST(DrillChannelsTest, TheBankItselfCanHaveThemAllAndOnlyItForgets) {
  for (Failure const& failure : failures())
    for (Channel const& channel : channels()) {
      bool const is_bank = channel.kind == "sandbox";
      if (is_bank) {
        EXPECT_EQ(channel.why_not(failure.name, false), "") << failure.name;
      }
      EXPECT_EQ(channel.why_not(failure.name, true).empty(), is_bank) << channel.kind;
    }
}

}  // namespace
}  // namespace payonce::drill
