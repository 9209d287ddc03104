// The connector in front of a client that answers by a list, for the tests of this folder.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "payment/call_kind.h"
#include "provider/paypal/paypal_provider.h"
#include "support/manual_loop.h"
#include "support/rules_world.h"

namespace payonce {

class MovableClock final : public Clock {
 public:
  Time now() const override { return test_start + std::chrono::duration_cast<Millis>(passed); }
  std::chrono::nanoseconds monotonic() const override { return std::chrono::hours{1} + passed; }
  std::chrono::nanoseconds passed{0};
};

// Gives out tokens, keeps everything else, and answers it by a list.
class ScriptedClient final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    if (call.url.ends_with("/oauth2/token")) {
      token_calls.push_back(std::move(call));
      if (gives_tokens)
        return done(answered(200, fmt::format(R"({{"access_token":"t{}","expires_in":3600}})", token_calls.size())));
      return done(answered(401, R"({"error":"invalid_client"})"));
    }
    calls.push_back(std::move(call));
    if (answers.empty()) return done({.delivery = Delivery::in_doubt});
    HttpAnswer answer = std::move(answers.front());
    answers.pop_front();
    done(std::move(answer));
  }
  static HttpAnswer answered(int status, std::string body) {
    return {.delivery = Delivery::answered, .status = status, .body = std::move(body)};
  }
  std::vector<HttpCall> calls;
  std::vector<HttpCall> token_calls;
  std::deque<HttpAnswer> answers;
  bool gives_tokens = true;
};

class PaypalProviderTest : public testing::Test {
 protected:
  PaypalProviderTest() {
    settings.name = "paypal";
    settings.api_secret = "secret";
    settings.options = {{"client_id", {"client"}}, {"return_url", {"https://shop.example/back"}}};
    provider = std::move(*make_paypal_provider(settings, {client, loop, clock, random}));
  }
  static ProviderCall call_of(CallKind kind) {
    ProviderCall call{kind, order_key(), attempt_in(AttemptState::requires_action, 1), {}, false};
    call.attempt.provider_ref = "O1";
    call.attempt.expires_at = test_start + 30min;
    call.attempt.tries = 4;
    if (is_about_capture(kind))
      call.capture = Capture{.id = capture_id(1), .amount = usd(1500), .request = "{}", .created_at = test_start};
    if (is_about_refund(kind))
      call.refund = Refund{.id = refund_id(1), .amount = usd(500), .request = "{}", .created_at = test_start};
    return call;
  }
  Answer make(ProviderCall const& call) {
    Answer answer;
    provider->call(call, [&](Answer said) { answer = std::move(said); });
    loop.run_posted();
    return answer;
  }
  void script(std::string const& status, std::string const& captures = "") {
    client.answers.push_back(ScriptedClient::answered(
        200, fmt::format(R"({{"id":"O1","status":"{}","purchase_units":[{{"custom_id":"{}"{}}}]}})", status,
                         attempt_id(1).value, captures)));
  }
  std::string const capture = R"(,"payments":{"captures":[{"id":"C1","status":"COMPLETED",)"
                              R"("amount":{"value":"19.99","currency_code":"USD"}}]})";

  ProviderSettings settings;
  ScriptedClient client;
  test::ManualLoop loop;
  MovableClock clock;
  SeededRandom random{1};
  std::unique_ptr<Provider> provider;
};

}  // namespace payonce
