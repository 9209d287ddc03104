#include "net/url.h"

#include <gtest/gtest.h>

namespace payonce {
namespace {

using Segments = std::vector<std::string>;
using Query = std::vector<std::pair<std::string, std::string>>;

TEST(Url, TakesPathAndQueryApart) {
  auto const target = parse_target("/v1/payments/pay_1?wait=5&after=a%2Bb&flag&q=one+two&q=");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/v1/payments/pay_1");
  EXPECT_EQ(target->segments, (Segments{"v1", "payments", "pay_1"}));
  EXPECT_EQ(target->query, (Query{{"wait", "5"}, {"after", "a+b"}, {"flag", ""}, {"q", "one two"}, {"q", ""}}));
  EXPECT_EQ(target->parameter("q"), "one two");
  EXPECT_EQ(target->parameter("Q"), std::nullopt);
}

TEST(Url, DecodesEachSegmentByItself) {
  EXPECT_EQ(parse_target("/v1/orders/2026%2F07%2f1%20%E5%95%86")->segments, (Segments{"v1", "orders", "2026/07/1 商"}));
  EXPECT_EQ(parse_target("/v1/orders/a%252Fb")->segments, (Segments{"v1", "orders", "a%2Fb"}));
}

TEST(Url, KeepsEmptyAndDotSegments) {
  EXPECT_EQ(parse_target("/")->segments, Segments{});
  EXPECT_EQ(parse_target("/a/")->segments, (Segments{"a", ""}));
  EXPECT_EQ(parse_target("/a//b")->segments, (Segments{"a", "", "b"}));
  EXPECT_EQ(parse_target("/a/../b")->segments, (Segments{"a", "..", "b"}));
  EXPECT_EQ(parse_target("//a")->segments, (Segments{"", "a"}));
}

TEST(Url, RefusesWhatIsBroken) {
  for (auto const* bad : {"", "v1", "*", "/%", "/%2", "/%zz", "/a?b=%", "/a b", "/a#b", "/\xe5\x95\x86", "/%00",
                          "/a?b=%00", "http://host/a"}) {
    auto const target = parse_target(bad);
    ASSERT_FALSE(target) << bad;
    EXPECT_EQ(target.error().code, ErrorCode::invalid_request) << bad;
  }
}

TEST(Url, KnowsTheAddressesOfThisMachine) {
  for (auto const* own :
       {"http://127.0.0.1:8090", "https://127.8.8.8/gateway.do", "http://localhost/x", "http://[::1]:1/"})
    EXPECT_TRUE(is_on_this_machine(own)) << own;
  for (auto const* other :
       {"", "127.0.0.1", "http://localhost.example", "https://127.0.0.1.example/", "http://127.0.0.1@bank.example/",
        "http://bank.example/127.0.0.1", "https://10.0.0.1", "ftp://127.0.0.1", "http://[::2]/"})
    EXPECT_FALSE(is_on_this_machine(other)) << other;
}

}  // namespace
}  // namespace payonce
