// Effects on their way to the shop, and the feed of events.
#include <fmt/format.h>

#include "base/crypto.h"
#include "http/api_fixture.h"

namespace payonce::test {

namespace {

std::string header(HttpRequest const& request, std::string_view name) {
  return std::string{request.header(name).value_or("")};
}

// As the receiver checks it, by the Standard Webhooks specification.
bool is_signed_with(HttpRequest const& request, std::string const& secret) {
  std::string const text =
      header(request, "webhook-id") + "." + header(request, "webhook-timestamp") + "." + request.body;
  std::string const wanted = "v1," + base64_encode(hmac_sha256(secret, text));
  std::string const all = " " + header(request, "webhook-signature") + " ";
  return all.find(" " + wanted + " ") != std::string::npos;
}

}  // namespace

TEST_F(HttpApi, EffectsOfAPaidOrderComeOnceEachAndSigned) {
  register_order("A1");
  std::string const id = pay("A1", "k-1").text("id");
  until([&] { return deliveries.size() >= 2; });
  pass(500ms);
  ASSERT_EQ(deliveries.size(), 2u);
  for (HttpRequest const& delivery : deliveries) {
    EXPECT_EQ(header(delivery, "webhook-id"), id + "." + delivery.target.substr(1));
    EXPECT_TRUE(is_signed_with(delivery, std::string(32, 's')));
    json::value const body = json::parse(delivery.body);
    EXPECT_EQ(body.at("type").as_string(), "order.paid");
    EXPECT_EQ(body.at("data").at("order_id").as_string(), "A1");
    EXPECT_EQ(body.at("data").at("amount").as_int64(), 1999);
  }
  for (auto const& effect : list_of("A1", "effects")) EXPECT_EQ(effect.at("state").as_string(), "DELIVERED");
}

TEST_F(HttpApi, BothSecretsSignWhileTheyAreRotated) {
  stop_service();
  std::string const next(32, 'n');
  settings.merchants.at(0).effects.at(0).secrets.push_back(next);
  start_service();
  register_order("A1");
  pay("A1", "k-1");
  until([&] { return deliveries_of("/ship") == 1; });
  for (HttpRequest const& delivery : deliveries) {
    EXPECT_TRUE(is_signed_with(delivery, std::string(32, 's')));
    EXPECT_EQ(is_signed_with(delivery, next), delivery.target == "/ship");
  }
}

TEST_F(HttpApi, ABrokenEffectKeepsItsIdAndHoldsUpNoOther) {
  register_order("A1");
  register_order("A2");
  shop_status["/points"] = 500;
  pay("A1", "k-1");
  pay("A2", "k-2");
  until([&] { return deliveries_of("/ship") == 2 && deliveries_of("/points") >= 4; });
  std::map<std::string, std::pair<int, std::string>> by_id;
  for (HttpRequest const& delivery : deliveries) {
    if (delivery.target != "/points") continue;
    auto& [count, body] = by_id[header(delivery, "webhook-id")];
    if (++count > 1) {
      EXPECT_EQ(body, delivery.body) << "a retry says the same";
    }
    body = delivery.body;
  }
  EXPECT_EQ(by_id.size(), 2u);
  for (auto const& effect : list_of("A1", "effects")) {
    bool const is_broken = effect.at("effect").as_string() == "points";
    EXPECT_EQ(effect.at("state").as_string(), is_broken ? "PENDING" : "DELIVERED");
    if (is_broken) {
      EXPECT_EQ(effect.at("last_error").as_string(), "the receiver answered 500");
    }
  }
}

TEST_F(HttpApi, ADeadDeliveryIsShownAndCanBeSentAgain) {
  register_order("A1");
  shop_status["/points"] = 410;
  std::string const id = pay("A1", "k-1").text("id");
  json::array dead;
  until([&] { return !(dead = call("GET", "/v1/deliveries").list("deliveries")).empty(); });
  ASSERT_EQ(dead.size(), 1u);
  EXPECT_EQ(dead.at(0).at("id").as_string(), id + ".points");
  EXPECT_EQ(dead.at(0).at("state").as_string(), "DEAD");
  EXPECT_TRUE(call_as(other_key, "GET", "/v1/deliveries").list("deliveries").empty());

  shop_status.clear();
  auto const before = deliveries_of("/points");
  EXPECT_EQ(call("POST", "/v1/deliveries/" + id + ".points/resend").status, 202);
  until([&] { return deliveries_of("/points") == before + 1; });
  EXPECT_EQ(header(deliveries.back(), "webhook-id"), id + ".points");
  until([&] { return call("GET", "/v1/deliveries").list("deliveries").empty(); });
}

TEST_F(HttpApi, AnUndeliveredEffectSurvivesARestart) {
  register_order("A1");
  shop_status["/ship"] = 503;
  pay("A1", "k-1");
  until([&] { return deliveries_of("/ship") >= 1; });
  stop_service();
  shop_status.clear();
  start_service();
  until([&] {
    for (auto const& effect : list_of("A1", "effects"))
      if (effect.at("state").as_string() != "DELIVERED") return false;
    return true;
  });
}

TEST_F(HttpApi, TheFeedPagesWithoutGapOrRepeat) {
  for (int i = 0; i < 6; ++i) {
    std::string const order_id = fmt::format("A{}", i);
    register_order(order_id);
    pay(order_id, "k-" + order_id);
  }
  auto const all = call("GET", "/v1/events").list("events");
  EXPECT_EQ(all.size(), 18u) << "registered, created and succeeded, six times";
  json::array paged;
  std::string after = "0";
  while (true) {
    json::object const page = call("GET", "/v1/events?limit=4&after=" + after).object();
    auto const& events = page.at("events").as_array();
    after = page.at("next").as_string().c_str();
    if (events.empty()) break;
    EXPECT_LE(events.size(), 4u);
    paged.insert(paged.end(), events.begin(), events.end());
  }
  EXPECT_EQ(paged, all);
  EXPECT_EQ(after, all.back().at("cursor").as_string());
  register_order("B1");
  auto const news = call("GET", "/v1/events?after=" + after).list("events");
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(news.at(0).at("type").as_string(), "order.registered");
}

TEST_F(HttpApi, TheFeedRefusesParametersThatAreNoNumbers) {
  for (auto const* const query : {"after=x", "after=-1", "limit=501", "limit=", "after=99999999999999999999"})
    EXPECT_EQ(call("GET", std::string{"/v1/events?"} + query).status, 400) << query;
}

}  // namespace payonce::test
