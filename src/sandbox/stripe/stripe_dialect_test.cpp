// What no client shows: faults by key, events over real HTTP, and memory across a restart.
#include <boost/json.hpp>

#include "sandbox/dialect_fixture_test.h"
#include "sandbox/stripe/wire.h"

namespace payonce::sandbox {
namespace {

class StripeDialectTest : public DialectTest {
 protected:
  StripeDialectTest() { options.stripe_notify_url = merchant_url("/stripe"); }

  std::string secret(std::string_view name) const { return setting("stripe", name); }
  HttpAnswer pay(std::string const& key, std::string const& more = {}) {
    return call("POST", "/v1/payment_intents",
                "amount=1999&currency=usd&confirm=true&metadata[order_id]=A1&payment_method=pm_card_visa" + more,
                {{"Authorization", "Bearer " + secret("secret_key")}, {"Idempotency-Key", key}});
  }
  HttpAnswer go_on(std::string const& id, std::string_view verb, std::string const& key, std::string body = {}) {
    return call("POST", fmt::format("/v1/payment_intents/{}/{}", id, verb), std::move(body),
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

TEST_F(StripeDialectTest, held_money_is_captured_once_and_the_rest_is_let_go) {
  start();
  HttpAnswer const held = pay("pay_1", "&capture_method=manual");
  EXPECT_EQ(text_at(held, "/status"), "requires_capture");
  EXPECT_EQ(ledger().at("charges").at(0).at("captured").as_int64(), 0);
  std::string const id = text_at(held, "/id");
  fault("capture", "drop_after");
  EXPECT_EQ(go_on(id, "capture", "cap_1", "amount_to_capture=1500").status, 0);
  EXPECT_EQ(object(go_on(id, "capture", "cap_1", "amount_to_capture=1500")).at("amount_received").as_int64(), 1500);
  EXPECT_EQ(text_at(go_on(id, "capture", "cap_2"), "/error/code"), "payment_intent_unexpected_state");
  EXPECT_EQ(ledger().at("charges").at(0).at("amount").as_int64(), 1999);
  EXPECT_EQ(ledger().at("charges").at(0).at("captured").as_int64(), 1500);
  await_notices(2);
  EXPECT_EQ(notice(0).at("type").as_string(), "payment_intent.amount_capturable_updated");
  EXPECT_EQ(notice(1).at("data").at_pointer("/object/amount_received").as_int64(), 1500);
  EXPECT_EQ(notice(1).at("data").at_pointer("/object/amount").as_int64(), 1999);
}

TEST_F(StripeDialectTest, held_money_is_let_go_by_a_cancel_or_by_its_time) {
  start();
  std::string const given_up = text_at(pay("pay_1", "&capture_method=manual"), "/id");
  EXPECT_EQ(text_at(go_on(given_up, "cancel", "c_1"), "/status"), "canceled");
  fault("create", "short_hold");
  std::string const ended = text_at(pay("pay_2", "&capture_method=manual"), "/id");
  await_notices(4);
  HttpAnswer const late = go_on(ended, "capture", "cap_1");
  EXPECT_EQ(text_at(late, "/error/payment_intent/status"), "canceled");
  EXPECT_EQ(ledger().at("by_order").at("A1").at("charged").as_int64(), 0);
}

TEST_F(StripeDialectTest, capture_that_is_refused_leaves_the_hold) {
  start();
  std::string const id = text_at(pay("pay_1", "&capture_method=manual"), "/id");
  fault("capture", "decline");
  EXPECT_EQ(text_at(go_on(id, "capture", "cap_1"), "/error/code"), "charge_expired_for_capture");
  EXPECT_EQ(text_at(go_on(id, "capture", "cap_2", "amount_to_capture=2000"), "/error/code"), "amount_too_large");
  EXPECT_EQ(text_at(go_on(id, "capture", "cap_3"), "/status"), "succeeded");
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
