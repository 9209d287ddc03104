// What no client shows: faults by key, events over real HTTP, and memory across a restart.
#include <boost/json.hpp>
#include <fstream>
#include <iterator>

#include "sandbox/server_fixture_test.h"
#include "sandbox/stripe/wire.h"

namespace payonce::sandbox {
namespace {

class StripeDialectTest : public SandboxServerTest {
 protected:
  StripeDialectTest() {
    options.keys_path = data_path + "_keys";
    options.stripe_notify_url = "http://127.0.0.1:" + std::to_string(merchant->port()) + "/stripe";
  }
  ~StripeDialectTest() override { std::filesystem::remove_all(options.keys_path); }

  std::string secret(std::string_view name) {
    std::ifstream file{options.keys_path + "/stripe/settings.json"};
    std::string const text{std::istreambuf_iterator<char>{file}, {}};
    return std::string{json::parse(text).at(name).as_string()};
  }
  HttpAnswer pay(std::string const& key, std::string const& more = {}) {
    return call("POST", "/v1/payment_intents",
                "amount=1999&currency=usd&confirm=true&metadata[order_id]=A1&payment_method=pm_card_visa" + more,
                {{"Authorization", "Bearer " + secret("secret_key")}, {"Idempotency-Key", key}});
  }
};

TEST_F(StripeDialectTest, first_answer_under_a_key_survives_a_restart) {
  start();
  HttpAnswer const first = pay("pay_1");
  ASSERT_EQ(first.status, 200) << first.body;
  start();
  HttpAnswer const again = pay("pay_1");
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(again.header("Idempotent-Replayed"), "true");
  EXPECT_EQ(pay("pay_1", "&description=other").status, 400);
  EXPECT_EQ(charges(), 1u);
}

TEST_F(StripeDialectTest, failure_after_the_charge_is_remembered_and_one_before_it_is_not) {
  start();
  fault("create", "answer_500_after");
  EXPECT_EQ(pay("pay_1").status, 500);
  EXPECT_EQ(pay("pay_1").status, 500);
  fault("create", "answer_500_before");
  EXPECT_EQ(pay("pay_2").status, 500);
  EXPECT_EQ(pay("pay_2").status, 200);
  EXPECT_EQ(charges(), 2u);
}

TEST_F(StripeDialectTest, key_is_in_use_while_its_first_request_runs) {
  start();
  fault("create", "late_before", 200);
  HttpAnswer first;
  send("POST", "/v1/payment_intents", "amount=1999&currency=usd&confirm=true&payment_method=pm_card_visa",
       [&](HttpAnswer answer) { first = std::move(answer); },
       {{"Authorization", "Bearer " + secret("secret_key")}, {"Idempotency-Key", "pay_1"}});
  HttpAnswer second = call("GET", "/healthz");
  while (second.status != 409 && first.status == 0) second = pay("pay_1");
  EXPECT_EQ(json::parse(second.body).at_pointer("/error/code").as_string(), "idempotency_key_in_use");
  EXPECT_LE(charges(), 1u);
}

TEST_F(StripeDialectTest, forgetful_bank_charges_under_a_key_again) {
  options.forgetful = true;
  start();
  EXPECT_EQ(pay("pay_1").status, 200);
  EXPECT_EQ(pay("pay_1").status, 200);
  EXPECT_EQ(charges(), 2u);
}

TEST_F(StripeDialectTest, events_are_signed_with_the_secret_of_the_endpoint) {
  start();
  fault("notice", "wrong_amount");
  pay("pay_1");
  await_notices(1);
  std::string const header{notices[0].header("Stripe-Signature").value_or("")};
  std::string const t = header.substr(2, header.find(',') - 2);
  EXPECT_EQ(header, "t=" + t + ",v1=" + hmac_sha256_hex(secret("webhook_secret"), t + "." + notices[0].body));
  EXPECT_EQ(notice(0).at("data").at_pointer("/object/amount_received").as_int64(), 2000);
}

TEST_F(StripeDialectTest, own_dialect_is_spoken_beside_it) {
  start();
  EXPECT_EQ(charge("pay_1").status, 200);
  EXPECT_EQ(refund("ref_1", 5).status, 200);
}

TEST(StripeAmount, units_are_stripes_own_and_come_back_exactly) {
  struct Case {
    std::string_view currency;
    std::int64_t wire;
    std::optional<std::int64_t> minor;
  };
  Case const cases[] = {
      {"usd", 1999, 1999},     {"jpy", 500, 500},           {"isk", 500, 5}, {"isk", 505, std::nullopt},
      {"kwd", 5120, 5120},     {"kwd", 5124, std::nullopt}, {"mga", 7, 700}, {"xyz", 1, std::nullopt},
      {"usd", 0, std::nullopt}};
  for (auto const& [currency, wire, minor] : cases) {
    EXPECT_EQ(stripe::to_minor(wire, currency), minor) << currency << wire;
    if (minor) {
      EXPECT_EQ(stripe::from_minor(*minor, currency), wire) << currency;
    }
  }
}

}  // namespace
}  // namespace payonce::sandbox
