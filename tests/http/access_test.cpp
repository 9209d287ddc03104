// Who may ask for what, and what a request that is none gets.
#include "http/api_fixture.h"

namespace payonce::test {

TEST_F(HttpApi, AWrongMissingOrRevokedKeyIsRefused) {
  for (std::string const& key : {std::string{}, std::string{"pok_wrong"}, std::string{"x"}, shop_key + "x"}) {
    Answered const answer = call_as(key, "GET", "/v1/orders/A1");
    EXPECT_EQ(answer.status, 401) << key;
    EXPECT_EQ(answer.code(), "unauthorized") << key;
    EXPECT_EQ(answer.header("WWW-Authenticate"), "Bearer") << key;
  }
  EXPECT_EQ(call_as("", "GET", "/v1/orders/A1", "", {{"Authorization", shop_key}}).status, 401) << "without Bearer";
  std::string const second = create_key("shop", "second");
  revoke_key("shop", "second");
  EXPECT_EQ(call_as(second, "GET", "/v1/orders/A1").status, 401);
  EXPECT_EQ(call_as("", "POST", "/v1/payments", R"({"order_id":"A1"})", {{"Idempotency-Key", "k"}}).status, 401);
}

TEST_F(HttpApi, AKeyMadeWhileTheServiceRunsWorksAtOnce) {
  EXPECT_EQ(call_as(create_key("shop", "second"), "GET", "/v1/events").status, 200);
}

TEST_F(HttpApi, WhatBelongsToAnotherMerchantIsNotThere) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  until([&] { return deliveries_of("/ship") == 1; });
  for (auto const& [method, target] : std::vector<std::pair<std::string, std::string>>{
           {"GET", "/v1/orders/A1"},
           {"POST", "/v1/orders/A1/close"},
           {"GET", "/v1/payments/" + id},
           {"POST", "/v1/payments/" + id + "/cancel"},
           {"POST", "/v1/deliveries/" + id + ".ship/resend"},
           {"GET", "/v1/payments/pay_00000000000000000000000000"},
           {"POST", "/v1/deliveries/nonsense/resend"},
       }) {
    Answered const answer = call_as(other_key, method, target);
    EXPECT_EQ(answer.status, 404) << method << target;
    EXPECT_EQ(answer.code(), "not_found");
    EXPECT_EQ(answer.body.find(R"("amount")"), std::string::npos) << answer.body;
  }
  EXPECT_EQ(call_as(other_key, "POST", "/v1/payments/" + id + "/resolve",
                    R"({"outcome":"succeeded","document":"d","reason":"r"})")
                .status,
            404);
  EXPECT_EQ(call_as(other_key, "POST", "/v1/orders/A1/offline-payments",
                    R"({"amount":1999,"currency":"USD","reason":"r","document":"d"})", {{"Idempotency-Key", "k"}})
                .status,
            404);
  EXPECT_EQ(call_as(other_key, "POST", "/v1/payments", R"({"order_id":"A1"})", {{"Idempotency-Key", "k"}}).status, 404);
  EXPECT_TRUE(call_as(other_key, "GET", "/v1/events").list("events").empty());
}

TEST_F(HttpApi, AnUnknownPathAndAWrongMethodAreToldApart) {
  EXPECT_EQ(call("GET", "/v2/payments").status, 404);
  EXPECT_EQ(call("GET", "/v1/orders/A1/").status, 404);
  EXPECT_EQ(call("GET", "/").status, 404);
  Answered const answer = call("DELETE", "/v1/orders/A1");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.header("Allow"), "PUT, GET");
  EXPECT_EQ(call("GET", "/v1/payments").header("Allow"), "POST");
}

TEST_F(HttpApi, AnUnknownParameterOrFieldIsRefusedByItsName) {
  register_order("A1");
  Answered const parameter = call("GET", "/v1/orders/A1?expand=all");
  EXPECT_EQ(parameter.status, 400);
  EXPECT_EQ(parameter.text("field"), "expand");
  EXPECT_EQ(call("GET", "/v1/orders/A1?%FF=1").status, 400) << "also when the name is no UTF-8";
  Answered const field = call("POST", "/v1/payments", R"({"order_id":"A1","amonut":1})", {{"Idempotency-Key", "k"}});
  EXPECT_EQ(field.status, 400);
  EXPECT_EQ(field.code(), "unknown_field");
  EXPECT_EQ(field.text("field"), "amonut");
  EXPECT_EQ(bank_calls("A1"), 0);
}

TEST_F(HttpApi, ABodyIsOneJsonObject) {
  for (auto const* const body : {"", "{", "[]", "1", "\"text\"", "{} {}", "{\"amount\":1,}", "{\"a\":\"\xFF\"}",
                                 "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}"}) {
    Answered const answer = call("PUT", "/v1/orders/A1", body);
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(answer.code(), "invalid_json") << body;
  }
}

TEST_F(HttpApi, ABodyOfAnotherTypeIsRefused) {
  std::string const body = R"({"amount":1,"currency":"USD"})";
  Answered const answer = call("PUT", "/v1/orders/A1", body, {{"Content-Type", "text/plain"}});
  EXPECT_EQ(answer.status, 415);
  EXPECT_EQ(answer.code(), "unsupported_media_type");
  EXPECT_EQ(call("PUT", "/v1/orders/A1", body, {{"Content-Type", "application/json; charset=utf-8"}}).status, 201);
}

TEST_F(HttpApi, WhatIsTooLargeIsRefusedBeforeAnyoneReadsIt) {
  Answered const answer = call("PUT", "/v1/orders/A1", std::string(64 * 1024 + 1, ' '));
  EXPECT_EQ(answer.status, 413);
  EXPECT_EQ(answer.code(), "payload_too_large");
  EXPECT_EQ(call("PUT", "/v1/orders/A1", std::string(64 * 1024, ' ')).code(), "invalid_json");
  EXPECT_EQ(call_as("", "POST", "/v1/notices/sandbox", std::string(256 * 1024, ' ')).status, 401)
      << "notices may be larger";
  EXPECT_EQ(call_as("", "POST", "/v1/notices/sandbox", std::string(256 * 1024 + 1, ' ')).status, 413);
  EXPECT_EQ(call("GET", "/v1/events?after=" + std::string(2048, '1')).status, 414);
  EXPECT_EQ(call("GET", "/v1/events", "", {{"X-Filler", std::string(16 * 1024, 'x')}}).status, 431);
  EXPECT_EQ(call("PUT", "/v1/orders/A1", "{}", {{"Expect", "a wonder"}}).status, 417);
}

TEST_F(HttpApi, TextsHaveTheirLimits) {
  register_order("A1");
  auto const with = [&](std::string const& field, std::string const& value) {
    json::object const body{{"order_id", "A1"}, {field, value}};
    return call("POST", "/v1/payments", json::serialize(body), {{"Idempotency-Key", "k"}});
  };
  EXPECT_EQ(with("method", std::string(256, 'm')).text("field"), "method");
  EXPECT_EQ(with("provider", std::string(33, 'p')).text("field"), "provider");
  EXPECT_EQ(with("method", "a\nb").text("field"), "method");
  EXPECT_EQ(with("method", "").text("field"), "method");
  json::object metadata;
  for (int i = 0; i < 21; ++i) metadata[std::to_string(i)] = "x";
  EXPECT_EQ(call("POST", "/v1/payments", json::serialize(json::object{{"order_id", "A1"}, {"metadata", metadata}}),
                 {{"Idempotency-Key", "k"}})
                .text("field"),
            "metadata");
}

TEST_F(HttpApi, TheRequestIdOfTheCallerComesBackIfItIsUsable) {
  EXPECT_EQ(call("GET", "/v1/orders/A1", "", {{"X-Request-Id", "mine-1"}}).header("X-Request-Id"), "mine-1");
  EXPECT_EQ(call("GET", "/v1/orders/A1", "", {{"X-Request-Id", "mine-1"}}).text("request_id"), "mine-1");
  for (std::string const& id : {std::string{"two words"}, std::string{"quo\"te"}, std::string(129, 'x')})
    EXPECT_EQ(call("GET", "/healthz", "", {{"X-Request-Id", id}}).header("X-Request-Id").size(), 26u) << id;
}

TEST_F(HttpApi, HealthReadinessAndMetricsNeedNoKey) {
  EXPECT_EQ(call_as("", "GET", "/healthz").text("status"), "ok");
  EXPECT_EQ(call_as("", "GET", "/readyz").text("status"), "ready");
  register_order("A1");
  pay("A1", "k-1");
  std::string const metrics = call_as("", "GET", "/metrics").body;
  EXPECT_NE(metrics.find("/v1/payments"), std::string::npos) << metrics;
  EXPECT_NE(metrics.find("succeeded"), std::string::npos) << metrics;
  EXPECT_EQ(metrics.find("A1"), std::string::npos) << "no order's name becomes a label";
}

}  // namespace payonce::test
