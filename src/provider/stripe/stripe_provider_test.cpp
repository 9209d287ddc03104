// What the connector puts on the wire, and in which order where one call takes several steps.
#include "provider/stripe/stripe_provider.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <deque>
#include <filesystem>
#include <fstream>

#include "base/crypto.h"
#include "support/manual_loop.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using testing::HasSubstr;

// Keeps what is sent and answers by a list.
class ScriptedClient final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    calls.push_back(std::move(call));
    HttpAnswer answer{.delivery = Delivery::in_doubt};
    if (!bodies.empty()) {
      answer = {.delivery = Delivery::answered, .status = 200, .body = bodies.front()};
      bodies.pop_front();
    }
    done(std::move(answer));
  }
  std::vector<HttpCall> calls;
  std::deque<std::string> bodies;
};

class FixedClock final : public Clock {
 public:
  Time now() const override { return test_start; }
  std::chrono::nanoseconds monotonic() const override { return std::chrono::seconds{1}; }
};

class StripeProviderTest : public testing::Test {
 protected:
  StripeProviderTest() {
    settings.name = "stripe";
    settings.api_secret = "sk_test_1";
    settings.notice_secrets = {"whsec_1"};
    settings.options = {{"api_version", {"2026-10-28.endive"}}};
  }

  std::unique_ptr<Provider> provider() {
    return std::move(*make_stripe_provider(settings, {client, loop, clock, random}));
  }
  static ProviderCall call_of(CallKind kind) {
    ProviderCall call{kind, order_key(), attempt_in(AttemptState::unknown, 1), {}, false};
    call.attempt.first_sent_at = test_start;
    call.attempt.expires_at = test_start + 30min;
    call.attempt.tries = 3;
    return call;
  }
  Answer make(ProviderCall const& call) {
    Answer answer;
    provider()->call(call, [&](Answer said) { answer = std::move(said); });
    return answer;
  }
  std::string create_body(std::string_view method) {
    return provider()->terms().write_create({attempt_id(1), OrderId{"A 1"}, usd(1999), method, test_start});
  }
  static std::string intent(std::string_view status, AttemptId const& id = attempt_id(1)) {
    return fmt::format(R"({{"id":"pi_{0}","status":"{1}","amount_received":1999,"currency":"usd",)"
                       R"("metadata":{{"payonce_payment":"{0}","payonce_confirm":"server"}}}})",
                       id.value, status);
  }
  static std::string list(std::vector<std::string> const& objects, bool has_more) {
    return fmt::format(R"({{"data":[{}],"has_more":{}}})", fmt::join(objects, ","), has_more);
  }

  ProviderSettings settings;
  ScriptedClient client;
  test::ManualLoop loop;
  FixedClock clock;
  SeededRandom random{1};
};

TEST_F(StripeProviderTest, ACreateConfirmedByUs) {
  EXPECT_EQ(create_body("pm_card_visa"),
            "amount=1999&currency=usd&payment_method=pm_card_visa&confirm=true&automatic_payment_methods[enabled]=true&"
            "automatic_payment_methods[allow_redirects]=never&metadata[payonce_payment]=" +
                attempt_id(1).value + "&metadata[payonce_order]=A%201&metadata[payonce_confirm]=server");
}

TEST_F(StripeProviderTest, ACreateConfirmedByTheBuyersPage) {
  EXPECT_THAT(create_body(""), HasSubstr("currency=usd&automatic_payment_methods[enabled]=true&metadata"));
  EXPECT_THAT(create_body("card"), HasSubstr("currency=usd&payment_method_types[0]=card&metadata"));
  EXPECT_THAT(create_body("card"), HasSubstr("metadata[payonce_confirm]=browser"));
}

TEST_F(StripeProviderTest, ACreateConfirmedInTwoSteps) {
  settings.options["confirmation"] = {"manual"};
  settings.options["return_url"] = {"https://shop.example/back"};
  EXPECT_THAT(create_body("pm_1"), HasSubstr("&payment_method_types[0]=card&confirmation_method=manual&return_url="
                                             "https%3A%2F%2Fshop.example%2Fback&"));
}

TEST_F(StripeProviderTest, SignsInAndNamesItsVersionAndKey) {
  settings.account = "acct_1";
  ProviderCall call = call_of(CallKind::create);
  call.attempt.request = "amount=1";
  make(call);
  HttpCall const& sent = client.calls.at(0);
  EXPECT_EQ(sent.method + " " + sent.url, "POST https://api.stripe.com/v1/payment_intents");
  EXPECT_EQ(sent.body, "amount=1");
  EXPECT_EQ(find_header(sent.headers, "Authorization"), "Bearer sk_test_1");
  EXPECT_EQ(find_header(sent.headers, "Stripe-Version"), "2026-10-28.endive");
  EXPECT_EQ(find_header(sent.headers, "Stripe-Account"), "acct_1");
  EXPECT_EQ(find_header(sent.headers, "Idempotency-Key"), attempt_id(1).value);
}

TEST_F(StripeProviderTest, FindsAPaymentWhoseIdNeverReachedUs) {
  client.bodies = {list({intent("succeeded", attempt_id(7)), intent("processing", attempt_id(8))}, true),
                   list({intent("succeeded")}, true)};
  Answer const answer = make(call_of(CallKind::query));
  EXPECT_EQ(answer.outcome, Outcome::succeeded);
  EXPECT_EQ(answer.provider_ref, "pi_" + attempt_id(1).value);
  ASSERT_EQ(client.calls.size(), 2U);
  EXPECT_THAT(client.calls[0].url, HasSubstr("/v1/payment_intents?created%5Bgte%5D=1759999400&limit=100"));
  EXPECT_THAT(client.calls[1].url, HasSubstr("&starting_after=pi_" + attempt_id(8).value));
}

TEST_F(StripeProviderTest, SaysNotFoundOnlyAtTheEndOfTheList) {
  client.bodies = {list({intent("succeeded", attempt_id(7))}, false)};
  EXPECT_EQ(make(call_of(CallKind::query)).outcome, Outcome::not_found);
  client.bodies = {list({intent("succeeded", attempt_id(7))}, true)};
  EXPECT_EQ(make(call_of(CallKind::query)).outcome, Outcome::in_doubt) << "the second page did not come";
  client.bodies.assign(20, list({intent("succeeded", attempt_id(7))}, true));
  EXPECT_EQ(make(call_of(CallKind::query)).outcome, Outcome::in_doubt) << "an endless list";
}

TEST_F(StripeProviderTest, ClosesWhatItFound) {
  client.bodies = {list({intent("requires_action")}, false), intent("canceled")};
  EXPECT_EQ(make(call_of(CallKind::close)).outcome, Outcome::declined);
  ASSERT_EQ(client.calls.size(), 2U);
  EXPECT_THAT(client.calls[1].url, HasSubstr("/v1/payment_intents/pi_" + attempt_id(1).value + "/cancel"));
  EXPECT_EQ(find_header(client.calls[1].headers, "Idempotency-Key"), attempt_id(1).value + "-cancel-3");
}

TEST_F(StripeProviderTest, ConfirmsWhatTheBuyerAgreedToUnlessItIsGivenUp) {
  settings.options["confirmation"] = {"manual"};
  ProviderCall call = call_of(CallKind::query);
  call.attempt.provider_ref = "pi_1";
  client.bodies = {intent("requires_confirmation"), intent("succeeded")};
  EXPECT_EQ(make(call).outcome, Outcome::succeeded);
  EXPECT_THAT(client.calls.at(1).url, HasSubstr("/confirm"));
  for (auto const give_up : {+[](Attempt& attempt) { attempt.cancel_requested = true; },
                             +[](Attempt& attempt) { attempt.expires_at = test_start; }}) {
    ProviderCall given_up = call;
    give_up(given_up.attempt);
    client.calls.clear();
    client.bodies = {intent("requires_confirmation"), intent("succeeded")};
    EXPECT_EQ(make(given_up).outcome, Outcome::pending);
    EXPECT_EQ(client.calls.size(), 1U);
  }
}

TEST_F(StripeProviderTest, FindsARefundAmongThoseOfItsPayment) {
  ProviderCall call = call_of(CallKind::query_refund);
  call.attempt.provider_ref = "pi_1";
  call.refund = Refund{.id = refund_id(1), .amount = usd(500)};
  client.bodies = {list({}, false)};
  EXPECT_EQ(make(call).outcome, Outcome::not_found);
  EXPECT_THAT(client.calls.at(0).url, HasSubstr("/v1/refunds?payment_intent=pi_1&limit=100"));
}

TEST_F(StripeProviderTest, TakesANewKeyWithoutARestart) {
  std::string const path = testing::TempDir() + "stripe_key_" + std::to_string(::getpid());
  auto const write = [&](std::string_view text) { std::ofstream{path} << text; };
  write("sk_test_old\n");
  settings.api_secret = *Secret::from_file(path);
  auto const connector = provider();
  write("sk_test_newer\n");
  connector->call(call_of(CallKind::create), [](Answer const&) {});
  EXPECT_EQ(find_header(client.calls.at(0).headers, "Authorization"), "Bearer sk_test_newer");
  std::filesystem::remove(path);
  connector->call(call_of(CallKind::create), [](Answer const&) {});
  EXPECT_EQ(find_header(client.calls.at(1).headers, "Authorization"), "Bearer sk_test_newer") << "it is kept";
}

HttpRequest event(std::string const& body, std::string_view secret = "whsec_1") {
  std::string const signed_text = "1760000000." + body;
  return {.method = "POST",
          .target = "/",
          .headers = {{"Stripe-Signature", "t=1760000000,v1=" + hmac_sha256_hex(secret, signed_text)}},
          .body = body};
}

TEST_F(StripeProviderTest, ReadsEvents) {
  auto const stripe = provider();
  auto const read = [&](std::string const& object, std::string const& more = "") {
    return *stripe->read_notice(event(R"({"id":"evt_1","type":"t")" + more + R"(,"data":{"object":)" + object + "}}"),
                                test_start);
  };
  std::string intent_object = intent("canceled");
  intent_object.insert(1, R"("object":"payment_intent",)");
  Notice const canceled = read(intent_object);
  EXPECT_EQ(canceled.number, attempt_id(1).value);
  EXPECT_EQ(canceled.answer.outcome, Outcome::declined);
  EXPECT_EQ(canceled.answer.code, "t");

  Notice const refund =
      read(fmt::format(R"({{"object":"refund","id":"re_1","status":"failed","amount":500,"currency":"usd",)"
                       R"("metadata":{{"payonce_refund":"{}","payonce_payment":"{}"}}}})",
                       refund_id(1).value, attempt_id(1).value));
  EXPECT_EQ(refund.refund_number, refund_id(1).value);
  EXPECT_EQ(refund.answer.outcome, Outcome::declined);

  EXPECT_EQ(read(R"({"object":"payout","id":"po_1"})").number, "") << "kept, and about nothing of ours";
  settings.account = "acct_1";
  auto const connected = provider();
  auto const foreign = connected->read_notice(
      event(R"({"id":"evt_2","account":"acct_2","data":{"object":)" + intent_object + "}}"), test_start);
  EXPECT_NE(foreign->answer.misfit, "");
}

TEST_F(StripeProviderTest, LearnsOurNumberFromTheIntent) {
  auto const stripe = provider();
  auto const named = [&] {
    std::optional<Notice> answer{std::in_place};
    Notice notice;
    notice.about = "pi_1";
    stripe->name_number(notice, [&](std::optional<Notice> said) { answer = std::move(said); });
    return answer;
  };
  client.bodies = {intent("succeeded"), R"({"id":"pi_1","metadata":{"order_id":"7"}})"};
  EXPECT_EQ(named()->number, attempt_id(1).value);
  EXPECT_EQ(client.calls.at(0).url, "https://api.stripe.com/v1/payment_intents/pi_1");
  EXPECT_EQ(named()->number, "") << "another system's payment";
  EXPECT_FALSE(named()) << "nobody answered: to be sent again";
}

TEST_F(StripeProviderTest, NeedsAKey) {
  settings.api_secret = Secret{};
  EXPECT_FALSE(make_stripe_provider(settings, {client, loop, clock, random}));
}

// The vector of Stripe's own signing in its node library: the secret is the key as it stands, not decoded.
TEST(StripeSignature, FixedVector) {
  EXPECT_EQ(hmac_sha256_hex("whsec_test_secret_0123456789", R"(1700000000.{"id":"evt_1","object":"event"})"),
            "0f06c232d18bc676bfacfc5240a2cfe4559e99421aacd50637b2ba2c7262e338");
}

}  // namespace
}  // namespace payonce
