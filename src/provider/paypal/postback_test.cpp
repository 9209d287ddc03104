// An event that PayPal itself is asked about.
#include "provider/paypal/postback.h"

#include <boost/json.hpp>

#include "provider/paypal/provider_fixture_test.h"

namespace payonce {
namespace {

namespace json = boost::json;

class PaypalPostbackTest : public PaypalProviderTest {
 protected:
  PaypalPostbackTest() {
    settings.options["webhook_id"] = {"W1"};
    settings.options["webhook_check"] = {"postback"};
    provider = std::move(*make_paypal_provider(settings, {client, loop, clock, random}));
    event.headers = {{"PAYPAL-TRANSMISSION-ID", "T1"},
                     {"PAYPAL-TRANSMISSION-TIME", "2026-01-05T10:00:00Z"},
                     {"PAYPAL-TRANSMISSION-SIG", "c2ln"},
                     {"PAYPAL-CERT-URL", "https://api.paypal.com/certs/1"},
                     {"PAYPAL-AUTH-ALGO", "SHA256withRSA"}};
    event.body = R"({ "id":"WH-1", "event_type":"CHECKOUT.ORDER.APPROVED","resource":{"id":"O1","n":1.50} })";
  }
  std::optional<bool> vouched(HttpAnswer answer) {
    client.answers = {std::move(answer)};
    std::optional<std::optional<bool>> said;
    provider->vouch(event, [&](std::optional<bool> is_genuine) { said = is_genuine; });
    EXPECT_TRUE(said) << "it must answer";
    return said.value_or(std::nullopt);
  }
  static HttpAnswer verdict(std::string_view status) {
    return ScriptedClient::answered(200, fmt::format(R"({{"verification_status":"{}"}})", status));
  }

  HttpRequest event;
};

TEST_F(PaypalPostbackTest, AnEventIsUnprovenUntilPaypalWasAsked) {
  auto const notice = provider->read_notice(event, test_start);
  ASSERT_TRUE(notice);
  EXPECT_TRUE(notice->is_unproven);
  settings.options["webhook_check"] = {"local"};
  auto const local = std::move(*make_paypal_provider(settings, {client, loop, clock, random}));
  EXPECT_FALSE(local->read_notice(event, test_start)) << "its signature is none";
}

TEST_F(PaypalPostbackTest, OnlyPaypalsYesIsOne) {
  EXPECT_EQ(vouched(verdict("SUCCESS")), true);
  EXPECT_EQ(vouched(verdict("FAILURE")), false);
  for (HttpAnswer const& silence :
       {verdict("MAYBE"), ScriptedClient::answered(500, R"({"verification_status":"SUCCESS"})"),
        ScriptedClient::answered(200, "[]"), HttpAnswer{.delivery = Delivery::in_doubt}})
    EXPECT_EQ(vouched(silence), std::nullopt) << silence.body;
}

TEST_F(PaypalPostbackTest, TheQuestionHoldsTheBytesOfTheEvent) {
  vouched(verdict("SUCCESS"));
  HttpCall const& question = client.calls.at(0);
  EXPECT_EQ(question.method + " " + question.url,
            "POST https://api-m.paypal.com/v1/notifications/verify-webhook-signature");
  EXPECT_EQ(find_header(question.headers, "Authorization"), "Bearer t1");
  EXPECT_THAT(question.body, testing::HasSubstr(R"("webhook_event":)" + event.body + "}"));
  json::object const body = json::parse(question.body).as_object();
  EXPECT_EQ(body.at("webhook_id").as_string(), "W1");
  EXPECT_EQ(body.at("transmission_sig").as_string(), "c2ln");
  EXPECT_EQ(body.at("cert_url").as_string(), "https://api.paypal.com/certs/1");
}

TEST_F(PaypalPostbackTest, WhatIsNoEventIsNotAskedAbout) {
  event.body = R"({"id":"WH-1","resource":{}},"webhook_id":"W2")";
  EXPECT_FALSE(provider->read_notice(event, test_start)) << "nothing can be slipped into the question";
  event.headers.pop_back();
  EXPECT_EQ(provider->read_notice(event, test_start).error().code, ErrorCode::signature_invalid);
  EXPECT_TRUE(client.calls.empty());
}

}  // namespace
}  // namespace payonce
