// What the connector puts on the wire, when it captures, its token, and the events it believes.
#include "provider/paypal/notice.h"
#include "provider/paypal/provider_fixture_test.h"

namespace payonce {
namespace {

using testing::HasSubstr;

TEST_F(PaypalProviderTest, ACreateNamesItsNumberTwiceAndIsSentUnderIt) {
  ProviderCall call = call_of(CallKind::create);
  call.attempt.request = provider->terms().write_create({attempt_id(1), OrderId{"A1"}, usd(1999), "", test_start});
  EXPECT_THAT(call.attempt.request, HasSubstr(R"("custom_id":")" + attempt_id(1).value + R"(","invoice_id":")"));
  EXPECT_THAT(call.attempt.request, HasSubstr(R"("amount":{"currency_code":"USD","value":"19.99"})"));
  EXPECT_THAT(call.attempt.request, HasSubstr(R"("return_url":"https://shop.example/back")"));
  make(call);
  HttpCall const& sent = client.calls.at(0);
  EXPECT_EQ(sent.url, "https://api-m.paypal.com/v2/checkout/orders");
  EXPECT_EQ(sent.body, call.attempt.request);
  EXPECT_EQ(find_header(sent.headers, "PayPal-Request-Id"), attempt_id(1).value);
  EXPECT_EQ(find_header(sent.headers, "Authorization"), "Bearer t1");
  EXPECT_EQ(find_header(client.token_calls.at(0).headers, "Authorization"), "Basic Y2xpZW50OnNlY3JldA==");
}

TEST_F(PaypalProviderTest, KeepsItsTokenWhileItIsGood) {
  for (int i = 0; i < 3; ++i) make(call_of(CallKind::close));
  EXPECT_EQ(client.token_calls.size(), 1U);
  clock.passed = 59min;
  make(call_of(CallKind::close));
  EXPECT_EQ(client.token_calls.size(), 2U) << "not in its last minute";
}

TEST_F(PaypalProviderTest, ATokenThatIsRefusedIsRenewedOnce) {
  client.answers = {ScriptedClient::answered(401, R"({"error":"invalid_token"})")};
  script("VOIDED");
  EXPECT_EQ(make(call_of(CallKind::close)).outcome, Outcome::declined);
  EXPECT_EQ(find_header(client.calls.at(1).headers, "Authorization"), "Bearer t2");
  client.calls.clear();
  client.answers.assign(5, ScriptedClient::answered(401, R"({"error":"invalid_token"})"));
  EXPECT_EQ(make(call_of(CallKind::close)).outcome, Outcome::in_doubt);
  EXPECT_EQ(client.calls.size(), 2U);
}

TEST_F(PaypalProviderTest, WithoutATokenNothingIsSent) {
  client.gives_tokens = false;
  EXPECT_EQ(make(call_of(CallKind::create)).outcome, Outcome::not_sent);
  EXPECT_TRUE(client.calls.empty());
}

TEST_F(PaypalProviderTest, CapturesWhatTheBuyerAgreedTo) {
  script("APPROVED");
  script("COMPLETED", capture);
  Answer const answer = make(call_of(CallKind::query));
  EXPECT_EQ(answer.outcome, Outcome::succeeded);
  EXPECT_EQ(answer.amount, usd(1999));
  ASSERT_EQ(client.calls.size(), 2U);
  EXPECT_THAT(client.calls[1].url, HasSubstr("/v2/checkout/orders/O1/capture"));
  EXPECT_EQ(client.calls[1].body, "{}");
  EXPECT_EQ(find_header(client.calls[1].headers, "PayPal-Request-Id"), attempt_id(1).value + "-capture-4");
}

TEST_F(PaypalProviderTest, NeverCapturesWhatIsGivenUpOrOverOrOnlyLookedAt) {
  ProviderCall canceled = call_of(CallKind::query);
  canceled.attempt.cancel_requested = true;
  ProviderCall over = call_of(CallKind::query);
  over.attempt.expires_at = test_start;
  for (ProviderCall const& call : {canceled, over, call_of(CallKind::close)}) {
    client.calls.clear();
    client.answers.clear();
    script("APPROVED");
    script("COMPLETED", capture);
    EXPECT_EQ(make(call).outcome, Outcome::pending);
    EXPECT_EQ(client.calls.size(), 1U);
  }
}

TEST_F(PaypalProviderTest, AnOrderWhoseIdNeverCameIsNotFound) {
  ProviderCall call = call_of(CallKind::query);
  call.attempt.provider_ref.clear();
  EXPECT_EQ(make(call).outcome, Outcome::not_found);
  EXPECT_TRUE(client.calls.empty());
  EXPECT_FALSE(provider->terms().finds_by_number);
}

TEST_F(PaypalProviderTest, RefundsTheCaptureUnderTheRefundsNumber) {
  script("COMPLETED", capture);
  make(call_of(CallKind::refund));
  ASSERT_EQ(client.calls.size(), 2U);
  EXPECT_THAT(client.calls[1].url, HasSubstr("/v2/payments/captures/C1/refund"));
  EXPECT_EQ(find_header(client.calls[1].headers, "PayPal-Request-Id"), refund_id(1).value);
  script("COMPLETED");
  EXPECT_EQ(make(call_of(CallKind::refund)).outcome, Outcome::not_sent) << "without a capture there is nothing to send";
}

TEST_F(PaypalProviderTest, ARefundIsRepeatedOnlyWhilePaypalKnowsItsNumber) {
  EXPECT_EQ(make(call_of(CallKind::query_refund)).outcome, Outcome::not_found);
  clock.passed = 41 * 24h;
  EXPECT_EQ(make(call_of(CallKind::query_refund)).outcome, Outcome::in_doubt);
}

TEST_F(PaypalProviderTest, NeedsItsCredentials) {
  settings.api_secret = Secret{};
  EXPECT_FALSE(make_paypal_provider(settings, {client, loop, clock, random}));
}

// The values of node's zlib.crc32.
TEST(PaypalCrc, FixedVectors) {
  EXPECT_EQ(paypal::crc32("123456789"), 3'421'780'262U);
  EXPECT_EQ(paypal::crc32(R"({"id":"evt_1","object":"event"})"), 2'443'126'153U);
  EXPECT_EQ(paypal::crc32(""), 0U);
}

TEST(PaypalCertificate, ComesFromPaypalOnly) {
  for (auto const* const good : {"https://api.paypal.com/v1/notifications/certs/CERT-1",
                                 "https://api.sandbox.paypal.com/x", "https://api-m.paypal.com"})
    EXPECT_TRUE(paypal::is_paypal_address(good)) << good;
  for (auto const* const bad :
       {"http://api.paypal.com/x", "https://paypal.com.evil.example/x", "https://evilpaypal.com/x",
        "https://.paypal.com", "https://evil.example/.paypal.com", "https://evil.example?.paypal.com",
        "https://a@evil.example#.paypal.com", "https://api.paypal.com:8443/x", "https://evil.example\\.paypal.com",
        "file:///etc/x.paypal.com", ""})
    EXPECT_FALSE(paypal::is_paypal_address(bad)) << bad;
}

TEST(PaypalEvent, IsReadByItsType) {
  auto const read = [](std::string_view type, std::string const& resource) {
    return *paypal::parse_event(fmt::format(R"({{"id":"WH-1","event_type":"{}","resource":{}}})", type, resource));
  };
  std::string const payment = attempt_id(1).value;
  Notice const approved =
      read("CHECKOUT.ORDER.APPROVED",
           R"({"id":"O1","status":"APPROVED","purchase_units":[{"custom_id":")" + payment + R"("}]})");
  EXPECT_EQ(approved.number, payment);
  EXPECT_EQ(approved.answer.outcome, Outcome::pending) << "no money has moved";
  for (auto const* const type : {"PAYMENT.CAPTURE.DENIED", "PAYMENT.CAPTURE.DECLINED"})
    EXPECT_EQ(read(type, R"({"id":"C1","status":"DECLINED","custom_id":")" + payment + "\"}").answer.outcome,
              Outcome::declined);
  Notice const refund = read("PAYMENT.CAPTURE.REFUNDED", R"({"id":"R1","status":"COMPLETED","custom_id":")" + payment +
                                                             ":" + refund_id(1).value + "\"}");
  EXPECT_EQ(refund.number, payment);
  EXPECT_EQ(refund.refund_number, refund_id(1).value);
  Notice const outside = read("PAYMENT.CAPTURE.REFUNDED",
                              R"({"id":"R2","status":"COMPLETED","amount":{"value":"5.00","currency_code":"USD"},)"
                              R"("links":[{"rel":"self","href":"https://x/R2"},{"rel":"up","href":"https://x/C1"}]})");
  EXPECT_EQ(outside.number, "") << "made on PayPal's pages";
  EXPECT_EQ(outside.about, "C1");
  EXPECT_EQ(outside.refund_number, "R2");
  EXPECT_EQ(outside.answer.amount, usd(500));
  EXPECT_EQ(read("BILLING.PLAN.CREATED", R"({"id":"P1"})").number, "") << "kept, and about nothing of ours";
  EXPECT_FALSE(paypal::parse_event("{}"));
}

TEST(PaypalEvent, ADisputeEndsAsItsOutcomeSays) {
  auto const read = [](std::string_view type, std::string_view custom, std::string_view code) {
    return *paypal::parse_event(
        fmt::format(R"({{"id":"WH-1","event_type":"CUSTOMER.DISPUTE.{}","resource":{{"dispute_id":"PP-D-1",)"
                    R"("disputed_transactions":[{{"seller_transaction_id":"C1","custom":"{}"}}],)"
                    R"("dispute_outcome":{{"outcome_code":"{}"}}}}}})",
                    type, custom, code));
  };
  std::string const payment = attempt_id(1).value;
  Notice const opened = read("CREATED", payment, "");
  EXPECT_EQ(opened.number, payment);
  EXPECT_EQ(opened.answer.outcome, Outcome::dispute_opened);
  EXPECT_EQ(read("CREATED", "", "").about, "C1") << "the capture tells whose it is";
  EXPECT_EQ(read("UPDATED", payment, "").answer.outcome, Outcome::pending);
  EXPECT_EQ(read("RESOLVED", payment, "RESOLVED_BUYER_FAVOUR").answer.outcome, Outcome::dispute_lost);
  for (auto const* const code : {"RESOLVED_SELLER_FAVOUR", "CANCELED_BY_BUYER"})
    EXPECT_EQ(read("RESOLVED", payment, code).answer.outcome, Outcome::dispute_won) << code;
  for (auto const* const code : {"RESOLVED_WITH_PAYOUT", "ACCEPTED", "DENIED", "NONE", ""}) {
    Notice const unclear = read("RESOLVED", payment, code);
    EXPECT_EQ(unclear.answer.outcome, Outcome::pending) << code;
    EXPECT_NE(unclear.answer.misfit, "") << "a person looks who has the money";
  }
}

}  // namespace
}  // namespace payonce
