// What /metrics says of each provider: its calls and what came of them, how long they took, and its breaker.
#include <gmock/gmock.h>

#include "http/api_fixture.h"

namespace payonce::test {
namespace {

using testing::HasSubstr;

class HttpProviderMetrics : public HttpApi {
 protected:
  std::string metrics() { return call_as("", "GET", "/metrics").body; }
};

TEST_F(HttpProviderMetrics, CallsAreCountedByOutcomeAndTimed) {
  register_order("A1");
  fault("create", "answer_500_after");
  fault("notice", "never");
  await_state(pay("A1", "k-1").text("id"), "SUCCEEDED");
  std::string const told = metrics();
  EXPECT_THAT(told,
              HasSubstr(R"(payonce_provider_calls_total{call="create",outcome="in_doubt",provider="sandbox"} 1)"));
  EXPECT_THAT(told,
              HasSubstr(R"(payonce_provider_calls_total{call="query",outcome="succeeded",provider="sandbox"} 1)"));
  EXPECT_THAT(told, HasSubstr(R"(payonce_provider_call_seconds_count{call="create",provider="sandbox"} 1)"));
  EXPECT_THAT(told, HasSubstr(R"(payonce_provider_breaker{provider="sandbox"} 0)"));
  EXPECT_THAT(told, HasSubstr(R"(payonce_provider_calls_in_flight{provider="sandbox"} 0)"));
}

TEST_F(HttpProviderMetrics, ABreakerThatOpenedIsSeenAndIsTheProvidersOwn) {
  settings.providers[0].breaker_failures = 2;
  settings.providers[0].breaker_pause = 60s;
  restart_service();
  register_order("A1");
  fault("create", "answer_503_before", -1, 20);
  fault("query", "answer_503_before", -1, 20);
  pay("A1", "k-1", {}, "wait=0");
  until([&] { return metrics().find(R"(payonce_provider_breaker{provider="sandbox"} 2)") != std::string::npos; });
  EXPECT_THAT(metrics(), HasSubstr(R"(payonce_provider_breaker{provider="instant"} 0)"));
  register_order("A2");
  json::object const instant{{"order_id", "A2"}, {"provider", "instant"}};
  Answered const paid = call("POST", "/v1/payments", json::serialize(instant), {{"Idempotency-Key", "k-2"}});
  EXPECT_EQ(paid.text("state"), "SUCCEEDED") << "a sick provider is nobody else's trouble";
}

}  // namespace
}  // namespace payonce::test
