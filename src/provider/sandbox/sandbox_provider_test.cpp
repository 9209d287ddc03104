// What the connector puts on the wire.
#include "provider/sandbox/sandbox_provider.h"

#include <gtest/gtest.h>

#include "support/rules_world.h"

namespace payonce {
namespace {

// Keeps the calls and answers each with nothing usable.
class RecordingClient final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    calls.push_back(std::move(call));
    done(HttpAnswer{});
  }
  std::vector<HttpCall> calls;
};

ProviderSettings settings() {
  ProviderSettings settings;
  settings.name = "sandbox";
  settings.url = "http://bank";
  settings.account = "account";
  settings.api_secret = "secret";
  return settings;
}

ProviderCall create_call(Provider const& provider) {
  ProviderCall call{CallKind::create, order_key(), attempt_in(AttemptState::processing, 1), std::nullopt, true};
  call.attempt.request = provider.terms().write_create(
      {call.attempt.id, call.key.order, call.attempt.amount, call.attempt.method, call.attempt.expires_at});
  return call;
}

TEST(C06EveryTryOfOneAttempt, CarriesTheSameKeyAndTheSameBytes) {
  RecordingClient client;
  auto const provider = make_sandbox_provider(settings(), client);
  ASSERT_TRUE(provider);
  ProviderCall const call = create_call(**provider);
  Outcome told = Outcome::succeeded;
  for (int i = 0; i < 3; ++i) (*provider)->call(call, [&](Answer const& answer) { told = answer.outcome; });
  EXPECT_EQ(told, Outcome::in_doubt);
  ASSERT_EQ(client.calls.size(), 3u);
  for (HttpCall const& sent : client.calls) {
    EXPECT_EQ(find_header(sent.headers, "Idempotency-Key"), call.attempt.id.value);
    EXPECT_EQ(count_headers(sent.headers, "Idempotency-Key"), 1u);
    EXPECT_EQ(sent.body, call.attempt.request);
  }
}

TEST(SandboxProvider, LetsNobodyRepeatACreateOfAForgetfulBank) {
  RecordingClient client;
  ProviderSettings forgetful = settings();
  forgetful.is_forgetful = true;
  auto const provider = make_sandbox_provider(forgetful, client);
  (*provider)->call(create_call(**provider), [](Answer const&) {});
  EXPECT_FALSE(client.calls.at(0).idempotent) << "a kept connection that turns out dead would send it twice";
  EXPECT_FALSE((*provider)->terms().create_is_idempotent);
}

TEST(SandboxProvider, NeedsAnAddress) {
  RecordingClient client;
  ProviderSettings nowhere = settings();
  nowhere.url.clear();
  EXPECT_FALSE(make_sandbox_provider(nowhere, client));
}

}  // namespace
}  // namespace payonce
