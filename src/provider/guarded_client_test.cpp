#include "provider/guarded_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/manual_loop.h"

namespace payonce {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class MovableClock final : public Clock {
 public:
  Time now() const override { return Time{1'000'000s} + std::chrono::duration_cast<Millis>(passed); }
  std::chrono::nanoseconds monotonic() const override { return passed; }
  std::chrono::nanoseconds passed = 1h;
};

// Holds what it is given until the test answers it.
class HoldingClient final : public HttpClient {
 public:
  void send(HttpCall, Done done) override { held.push_back(std::move(done)); }
  void answer(HttpAnswer answer) {
    Done done = std::move(held.front());
    held.erase(held.begin());
    done(std::move(answer));
  }
  std::vector<Done> held;
};

HttpAnswer status(int code, HttpHeaders headers = {}) {
  return {.delivery = Delivery::answered, .status = code, .headers = std::move(headers)};
}

class GuardedClientTest : public testing::Test {
 protected:
  // The answers, in the order in which they came.
  void send(int times = 1) {
    for (int i = 0; i < times; ++i)
      guarded->send({}, [this](HttpAnswer answer) { answers.push_back(std::move(answer)); });
    loop.run_posted();
  }
  void fail_in_a_row(int times) {
    for (int i = 0; i < times; ++i) {
      send();
      http.answer(status(500));
    }
  }
  bool goes_out() {
    std::size_t const before = http.held.size();
    send();
    return http.held.size() == before + 1;
  }

  std::unique_ptr<GuardedClient> make() {
    return std::make_unique<GuardedClient>(http, loop, clock, GuardedClient::Options{"bank", 4, 3, 5s});
  }

  test::ManualLoop loop;
  MovableClock clock;
  HoldingClient http;
  std::unique_ptr<GuardedClient> guarded = make();
  std::vector<HttpAnswer> answers;
};

TEST_F(GuardedClientTest, ItIsCrowdedWhileAllItMayHaveIsInFlight) {
  send(3);
  EXPECT_FALSE(guarded->is_crowded());
  send();
  EXPECT_TRUE(guarded->is_crowded());
  http.answer(status(200));
  EXPECT_FALSE(guarded->is_crowded());
}

TEST_F(GuardedClientTest, ADeadProviderGetsABoundedCrowdThatOneAnswerDissolves) {
  fail_in_a_row(3);
  EXPECT_FALSE(guarded->is_crowded()) << "a few may begin and wait for recovery";
  send(3);
  EXPECT_FALSE(guarded->is_crowded());
  send();
  EXPECT_TRUE(guarded->is_crowded());
  clock.passed += 5s;
  ASSERT_TRUE(goes_out());
  http.answer(status(503));
  EXPECT_TRUE(guarded->is_crowded());
  clock.passed += 10s;
  ASSERT_TRUE(goes_out());
  http.answer(status(200));
  EXPECT_FALSE(guarded->is_crowded());
}

TEST_F(GuardedClientTest, WhatIsOverTheLimitIsNeverSent) {
  send(5);
  EXPECT_EQ(http.held.size(), 4U);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].delivery, Delivery::never_sent);
  EXPECT_THAT(answers[0].error, HasSubstr("4 calls to provider bank"));
  EXPECT_EQ(guarded->health().calls_in_flight, 4);
  http.answer(status(200));
  EXPECT_TRUE(goes_out());
}

TEST_F(GuardedClientTest, TheBreakerOpensAfterFailuresInARow) {
  fail_in_a_row(2);
  send();
  http.answer(status(402));  // a refusal is an answer like any other
  fail_in_a_row(2);
  EXPECT_TRUE(goes_out());
  http.answer({.delivery = Delivery::in_doubt});
  EXPECT_EQ(guarded->health().breaker, BreakerState::open);
  answers.clear();
  send(2);
  EXPECT_TRUE(http.held.empty());
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].delivery, Delivery::never_sent);
  EXPECT_THAT(answers[0].error, HasSubstr("its breaker is open"));
}

TEST_F(GuardedClientTest, OneProbeGoesOutAndDecides) {
  fail_in_a_row(3);
  clock.passed += 5s;
  EXPECT_EQ(guarded->health().breaker, BreakerState::probing);
  EXPECT_TRUE(goes_out());
  EXPECT_FALSE(goes_out()) << "one probe at a time";
  http.answer(status(503));
  EXPECT_EQ(guarded->health().breaker, BreakerState::open);
  clock.passed += 5s;
  EXPECT_FALSE(goes_out()) << "the pause has doubled";
  clock.passed += 5s;
  EXPECT_TRUE(goes_out());
  http.answer(status(404));
  EXPECT_EQ(guarded->health().breaker, BreakerState::closed);
  EXPECT_TRUE(goes_out());
  EXPECT_TRUE(goes_out());
}

TEST_F(GuardedClientTest, ThePauseHasAnEnd) {
  fail_in_a_row(3);
  for (int i = 0; i < 20; ++i) {
    clock.passed += 60s;
    ASSERT_TRUE(goes_out()) << i;
    http.answer(status(500));
  }
}

TEST_F(GuardedClientTest, CallsThatLeftBeforeItOpenedDoNotLengthenThePause) {
  send(4);
  for (int i = 0; i < 4; ++i) http.answer(status(500));
  clock.passed += 5s;
  EXPECT_TRUE(goes_out());
}

TEST_F(GuardedClientTest, AskedForAPauseItKeepsIt) {
  for (HttpHeaders const& headers :
       {HttpHeaders{{"Retry-After", "30"}}, HttpHeaders{{"retry-after", "Mon, 12 Jan 1970 14:47:10 GMT"}}}) {
    guarded = make();
    clock.passed = 1h;
    send();
    http.answer(status(429, headers));
    EXPECT_FALSE(goes_out());
    clock.passed += 29s;
    EXPECT_FALSE(goes_out());
    clock.passed += 1s;
    EXPECT_TRUE(goes_out());
    http.answer(status(200));
  }
  EXPECT_EQ(guarded->health().breaker, BreakerState::closed);
}

TEST_F(GuardedClientTest, NobodyPausesForLongerThanAMinuteOrForNonsense) {
  send();
  http.answer(status(503, {{"Retry-After", "86400"}}));
  clock.passed += 60s;
  EXPECT_TRUE(goes_out());
  for (auto const* const nonsense : {"soon", "-5", "", "9999999999999", "12x"}) {
    http.answer(status(429, {{"Retry-After", nonsense}}));
    EXPECT_TRUE(goes_out()) << nonsense;
    http.answer(status(200));
    send();
  }
}

TEST_F(GuardedClientTest, ComparesClocks) {
  EXPECT_FALSE(guarded->health().clock_ahead);
  clock.passed = 0s;
  send();
  http.answer(status(200, {{"Date", "Mon, 12 Jan 1970 13:45:40 GMT"}}));
  EXPECT_EQ(guarded->health().clock_ahead, Millis{60s});
  send();
  http.answer(status(200, {{"Date", "yesterday"}}));
  EXPECT_EQ(guarded->health().clock_ahead, Millis{60s}) << "what can't be read says nothing";
}

TEST_F(GuardedClientTest, AnAnswerAfterItIsGoneStillArrives) {
  auto gone = std::make_unique<GuardedClient>(http, loop, clock, GuardedClient::Options{"bank"});
  int told = 0;
  gone->send({}, [&](HttpAnswer) { ++told; });
  gone.reset();
  http.answer(status(200));
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace payonce
