#include "http/prefer.h"

#include <gtest/gtest.h>

namespace payonce {

namespace {

using namespace std::chrono_literals;

Preferences preferences(std::initializer_list<char const*> lines) {
  HttpRequest request;
  for (auto const* line : lines) request.headers.push_back({"Prefer", line});
  return read_preferences(request);
}

}  // namespace

TEST(Prefer, WithoutAPreferenceThereAreDefaults) {
  EXPECT_EQ(preferences({}).wait, 10s);
  EXPECT_FALSE(preferences({}).is_strict);
}

TEST(Prefer, ReadsWaitAndHandlingInAnyForm) {
  EXPECT_EQ(preferences({"wait=0"}).wait, 0s);
  EXPECT_EQ(preferences({"respond-async, wait=5"}).wait, 5s);
  EXPECT_EQ(preferences({"wait=5 ,handling=strict"}).wait, 5s);
  EXPECT_TRUE(preferences({"wait=5 ,handling=strict"}).is_strict);
  EXPECT_TRUE(preferences({"wait=5", "handling=strict"}).is_strict) << "header lines add up";
  EXPECT_FALSE(preferences({"handling=lenient"}).is_strict);
}

TEST(Prefer, ALongWaitIsShortenedAndNonsenseIgnored) {
  EXPECT_EQ(preferences({"wait=61"}).wait, 60s);
  EXPECT_EQ(preferences({"wait=2147483647"}).wait, 60s);
  for (auto const* nonsense : {"wait=", "wait=-1", "wait=1.5", "wait=x", "wait=99999999999", "wait", ",", "", "=,=="})
    EXPECT_EQ(preferences({nonsense}).wait, 10s) << nonsense;
}

TEST(ReadWait, IsStrict) {
  EXPECT_EQ(read_wait(std::nullopt), Millis{0});
  EXPECT_EQ(read_wait("60"), Millis{60'000});
  for (auto const* text : {"", "61", "-1", "1 ", "1s"}) {
    auto const wait = read_wait(text);
    ASSERT_FALSE(wait) << text;
    EXPECT_EQ(wait.error().field, "wait");
  }
}

}  // namespace payonce
