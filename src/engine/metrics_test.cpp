// What is counted comes out under its name and labels.
#include "engine/metrics.h"

#include <gtest/gtest.h>

namespace payonce {

namespace {

using namespace std::chrono_literals;

bool says(Metrics const& metrics, std::string_view line) {
  return metrics.text().contains("\n" + std::string{line} + "\n");
}

}  // namespace

TEST(Metrics, CountRequestsAndCallsByWhatCameOfThem) {
  Metrics metrics;
  for (int const status : {201, 201, 409}) metrics.request("/v1/payments", status, 3ms);
  EXPECT_TRUE(says(metrics, R"(payonce_requests_total{route="/v1/payments",status="201"} 2)"));
  EXPECT_TRUE(says(metrics, R"(payonce_requests_total{route="/v1/payments",status="409"} 1)"));
  EXPECT_TRUE(says(metrics, R"(payonce_request_seconds_count{route="/v1/payments"} 3)"));
  for (Outcome const outcome : {Outcome::succeeded, Outcome::in_doubt, Outcome::in_doubt})
    metrics.provider_call("sure", CallKind::create, outcome, 20ms);
  EXPECT_TRUE(says(metrics, R"(payonce_provider_calls_total{call="create",outcome="in_doubt",provider="sure"} 2)"));
  EXPECT_TRUE(says(metrics, R"(payonce_provider_call_seconds_count{call="create",provider="sure"} 3)"));
}

TEST(Metrics, TellHowAProviderIs) {
  Metrics metrics;
  metrics.provider_health("sure", {BreakerState::closed, 2, std::nullopt});
  EXPECT_TRUE(says(metrics, R"(payonce_provider_breaker{provider="sure"} 0)"));
  EXPECT_TRUE(says(metrics, R"(payonce_provider_calls_in_flight{provider="sure"} 2)"));
  EXPECT_FALSE(metrics.text().contains("clock_ahead_seconds{")) << "nothing is known of its clock";
  metrics.provider_health("sure", {BreakerState::probing, 1, 1500ms});
  EXPECT_TRUE(says(metrics, R"(payonce_provider_breaker{provider="sure"} 1)"));
  EXPECT_TRUE(says(metrics, R"(payonce_provider_clock_ahead_seconds{provider="sure"} 1.5)"));
  metrics.provider_health("sure", {BreakerState::open, 0, std::nullopt});
  EXPECT_TRUE(says(metrics, R"(payonce_provider_breaker{provider="sure"} 2)"));
}

TEST(Metrics, TellHowLongTheOldestUnknownHasBeenSo) {
  Metrics metrics;
  Time const now{1'760'000'000'000ms};
  Reader::Backlog waiting;
  waiting.unknown = 3;
  waiting.oldest_unknown = now - 90s;
  metrics.backlog(waiting, now);
  EXPECT_TRUE(says(metrics, "payonce_oldest_unknown_seconds 90"));
  EXPECT_TRUE(says(metrics, R"(payonce_backlog{kind="unknown"} 3)"));
  metrics.backlog({}, now);
  EXPECT_TRUE(says(metrics, "payonce_oldest_unknown_seconds 0"));
}

}  // namespace payonce
