// What makes two requests under one key the same request, and which field is named when they are not.
#include "payment/fingerprint.h"

#include <gtest/gtest.h>

#include <set>

#include "support/rules_world.h"

namespace payonce {
namespace {

MoneyFields const base{"PA-1001", "sure", "tok_a", 1999, "USD"};

TEST(Fingerprint, EachFieldChangesIt) {
  std::set<std::string> prints{
      fingerprint(base),
      fingerprint({"PA-1002", "sure", "tok_a", 1999, "USD"}),
      fingerprint({"pa-1001", "sure", "tok_a", 1999, "USD"}),
      fingerprint({"PA-1001", "blunt", "tok_a", 1999, "USD"}),
      fingerprint({"PA-1001", "sure", "tok_b", 1999, "USD"}),
      fingerprint({"PA-1001", "sure", "", 1999, "USD"}),
      fingerprint({"PA-1001", "sure", "tok_a", 2000, "USD"}),
      fingerprint({"PA-1001", "sure", "tok_a", 1999, "CNY"}),
      fingerprint({"PA-1001", "sure", "tok_a", 1999, "USD", "deposit"}),
  };
  EXPECT_EQ(prints.size(), 9U);
}

TEST(Fingerprint, IsTheSameForEver) {
  // Stored with attempts: a change of this value would turn every replay across an upgrade into a refusal.
  EXPECT_EQ(fingerprint(base), fingerprint(base));
  EXPECT_EQ(fingerprint(base), "26e8a8b75ed58bb4a729496762554f26b400fcd6785123e94cbf22c15f2f4ee8");
  EXPECT_EQ(fingerprint({"PA-1001", "sure", "", 80, "JPY"}),
            "17ceb822d4e372da601fdcd85634fb7f2b8b17256d867133beef9bfa0e68330a");
}

TEST(Fingerprint, NoTextCanMoveFromOneFieldToTheNext) {
  std::set<std::string> prints{
      fingerprint({"ab", "c", "d", 1, "USD"}),    fingerprint({"a", "bc", "d", 1, "USD"}),
      fingerprint({"a", "b", "cd", 1, "USD"}),    fingerprint({"", "abc", "d", 1, "USD"}),
      fingerprint({"a;1:b", "c", "d", 1, "USD"}), fingerprint({"a", "b;1:c", "d", 1, "USD"}),
      fingerprint({"a", "b", "c;1:d", 1, "USD"}), fingerprint({"a", "b", "c;1", 1, "USD"}),
      fingerprint({"a", "b", "c", 11, "USD"}),    fingerprint({"a", "b", "c;11", 1, "USD"}),
  };
  EXPECT_EQ(prints.size(), 10U);
}

class FirstDifference : public testing::Test {
 protected:
  std::string_view difference() const { return first_difference(OrderId{"PA-1001"}, stored, request); }

  Attempt stored = [] {
    Attempt attempt = attempt_in(AttemptState::processing, 1);
    attempt.method = "tok_a";
    attempt.fingerprint = fingerprint(money_fields(OrderId{"PA-1001"}, attempt));
    return attempt;
  }();
  BeginAttempt request = beginning(2, "k-1", "sure", "tok_a");
};

TEST_F(FirstDifference, IsNoneForTheSameRequest) {
  EXPECT_EQ(difference(), "");
  request.amount_minor = 1999;
  request.currency = "USD";
  EXPECT_EQ(difference(), "") << "naming what was left out before is the same request";
  request.provider.clear();
  EXPECT_EQ(difference(), "") << "the default provider is what the first request resolved it to";
}

TEST_F(FirstDifference, IsNoneForOtherMetadata) {
  request.metadata = R"({"table":"7"})";
  EXPECT_EQ(difference(), "");
}

TEST_F(FirstDifference, NamesTheField) {
  request.key = order_key("PA-1002");
  EXPECT_EQ(difference(), "order_id");
  request.key = order_key();
  request.amount_minor = 1;
  EXPECT_EQ(difference(), "amount");
  request.amount_minor = {};
  request.currency = "usd";
  EXPECT_EQ(difference(), "currency");
  request.currency = {};
  request.provider = "blunt";
  EXPECT_EQ(difference(), "provider");
  request.provider = "sure";
  request.method = "tok_b";
  EXPECT_EQ(difference(), "method");
  request.method = "";
  EXPECT_EQ(difference(), "method") << "another way to pay is another request, also when it is the default";
  request.method = "tok_a";
  request.part = "deposit";
  EXPECT_EQ(difference(), "part");
}

TEST_F(FirstDifference, NamesTheFirstOfSeveral) {
  request.amount_minor = 1;
  request.currency = "CNY";
  request.method = "tok_b";
  EXPECT_EQ(difference(), "amount");
}

}  // namespace
}  // namespace payonce
