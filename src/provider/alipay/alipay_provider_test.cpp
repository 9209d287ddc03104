// What the connector signs and puts on the wire, and the notices it believes.
#include "provider/alipay/alipay_provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "net/url.h"
#include "provider/alipay/keys.h"
#include "provider/alipay/requests.h"
#include "provider/form.h"
#include "support/manual_loop.h"
#include "support/rsa_keys.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

using alipay::Parameters;
using testing::HasSubstr;

class FixedClock final : public Clock {
 public:
  Time now() const override { return test_start; }  // 2025-10-09T08:53:20Z
  std::chrono::nanoseconds monotonic() const override { return std::chrono::seconds{1}; }
};

class KeepingClient final : public HttpClient {
 public:
  void send(HttpCall call, Done) override { calls.push_back(std::move(call)); }
  std::vector<HttpCall> calls;
};

class AlipayProviderTest : public testing::Test {
 protected:
  AlipayProviderTest() {
    settings.name = "alipay";
    settings.account = "2088";
    settings.options = {{"app_id", {"2021"}},
                        {"private_key", {test::rsa_keys(1).private_pem}},
                        {"alipay_public_keys", {test::rsa_keys(2).public_pem}},
                        {"notify_url", {"https://shop.example/v1/notices/alipay"}},
                        {"subject", {"Order"}},
                        {"default_method", {"page"}},
                        {"precreate_product", {"QR_CODE_OFFLINE"}}};
  }
  std::unique_ptr<Provider> provider() {
    auto made = make_alipay_provider(settings, {client, loop, clock, random});
    EXPECT_TRUE(made) << made.error().detail;
    return std::move(*made);
  }
  ProviderCall create_call(Provider const& from, std::string_view method) const {
    ProviderCall call{CallKind::create, order_key(), attempt_in(AttemptState::processing, 1), {}, true};
    call.attempt.method = method;
    call.attempt.amount = cny(8888);
    call.attempt.request =
        from.terms().write_create({attempt_id(1), OrderId{"A/1&2"}, cny(8888), method, test_start + 15min});
    return call;
  }
  Answer create(std::string_view method) {
    auto const alipay = provider();
    Answer answer;
    alipay->call(create_call(*alipay, method), [&](Answer said) { answer = std::move(said); });
    loop.run_posted();
    return answer;
  }

  ProviderSettings settings;
  KeepingClient client;
  test::ManualLoop loop;
  FixedClock clock;
  SeededRandom random{1};
};

// The parameters of a form, after checking that all of them but `sign` are what was signed, as Alipay does.
Parameters checked(std::string const& form) {
  auto const target = parse_target("/?" + form);
  Parameters parameters{target->query.begin(), target->query.end()};
  std::string const sign = base64_decode(parameters["sign"]).value();
  parameters.erase("sign");
  EXPECT_TRUE(RsaPublicKey::parse(test::rsa_keys(1).public_pem)->verify_sha256(alipay::text_to_sign(parameters), sign));
  return parameters;
}

TEST_F(AlipayProviderTest, ThePageIsSignedHereAndNothingIsSent) {
  for (auto const& [method, call, product] : {std::tuple{"page", "alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY"},
                                              std::tuple{"", "alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY"},
                                              std::tuple{"wap", "alipay.trade.wap.pay", "QUICK_WAP_WAY"}}) {
    Answer const answer = create(method);
    EXPECT_EQ(answer.outcome, Outcome::requires_action);
    ASSERT_TRUE(answer.action_url.starts_with("https://openapi.alipay.com/gateway.do?")) << answer.action_url;
    Parameters const parameters = checked(answer.action_url.substr(answer.action_url.find('?') + 1));
    EXPECT_EQ(parameters.at("method"), call);
    EXPECT_EQ(parameters.at("sign_type"), "RSA2");
    EXPECT_EQ(parameters.at("timestamp"), "2025-10-09 16:53:20") << "in Beijing, whatever this machine's zone";
    EXPECT_EQ(parameters.at("biz_content"), R"({"out_trade_no":")" + attempt_id(1).value +
                                                R"(","total_amount":"88.88","subject":"Order A-1-2","product_code":")" +
                                                product + R"(","time_expire":"2025-10-09 17:08:20"})");
    EXPECT_FALSE(parameters.contains("return_url")) << "what is empty is left out";
  }
  EXPECT_TRUE(client.calls.empty());
}

TEST_F(AlipayProviderTest, TheAppGetsAString) {
  Answer const answer = create("app");
  EXPECT_EQ(checked(answer.action_url).at("method"), "alipay.trade.app.pay");
}

TEST_F(AlipayProviderTest, AQrCodeIsAskedFor) {
  create("precreate");
  HttpCall const& sent = client.calls.at(0);
  EXPECT_EQ(sent.method, "POST");
  std::string const query = sent.url.substr(sent.url.find('?') + 1);
  Parameters const parameters = checked(query + "&" + sent.body);
  EXPECT_EQ(parameters.at("method"), "alipay.trade.precreate");
  EXPECT_THAT(parameters.at("biz_content"), HasSubstr("QR_CODE_OFFLINE"));
  EXPECT_TRUE(sent.body.starts_with("biz_content=")) << "the rest is in the query";
  EXPECT_EQ(sent.body.find('&'), std::string::npos);
}

TEST_F(AlipayProviderTest, AMethodItDoesNotHaveSendsNothing) {
  Answer const answer = create("barcode");
  EXPECT_EQ(answer.outcome, Outcome::declined);
  EXPECT_EQ(answer.code, "method_unknown");
  EXPECT_TRUE(client.calls.empty());
}

TEST_F(AlipayProviderTest, TakesYuanOnly) {
  auto const alipay = provider();
  EXPECT_EQ(alipay->terms().refuses(cny(1)), "");
  EXPECT_EQ(alipay->terms().refuses(cny(10'000'000'000)), "");
  EXPECT_NE(alipay->terms().refuses(cny(10'000'000'001)), "");
  EXPECT_NE(alipay->terms().refuses(usd(100)), "");
}

TEST_F(AlipayProviderTest, SaysWhichKeyIsMissing) {
  for (auto const* const option : {"private_key", "alipay_public_keys"}) {
    ProviderSettings without = settings;
    without.options.erase(option);
    auto const made = make_alipay_provider(without, {client, loop, clock, random});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().detail, HasSubstr(option));
  }
}

// The command: printf 'CN=Test App,OU=支付,O=Test, Inc,C=CN20988295479420645121' | md5sum
TEST(AlipaySerial, IsAlipaysOwnNumberOfACertificate) {
  Certificate certificate{.issuer = "CN=Test App,OU=支付,O=Test, Inc,C=CN",
                          .serial_decimal = "20988295479420645121",
                          .serial_hex = {},
                          .is_signed_by_rsa = true,
                          .not_before = {},
                          .not_after = {},
                          .public_key = *RsaPublicKey::parse(test::rsa_keys(1).public_pem)};
  std::string const serial = "72f3bd0c1a3e24b4ef0b9a52f5ef95c9";
  EXPECT_EQ(alipay::serial_of(certificate), serial);
  Certificate other = certificate;
  other.is_signed_by_rsa = false;
  EXPECT_EQ(alipay::serial_of_roots({certificate, other, certificate}), serial + "_" + serial);
}

using Values = std::vector<std::pair<std::string, std::string>>;

Values paid_notice() {
  return {{"app_id", "2021"},
          {"fund_bill_list", R"([{"amount":"0.01","fundChannel":"ALIPAYACCOUNT"}])"},
          {"notify_id", "n-1"},
          {"out_trade_no", attempt_id(1).value},
          {"passback_params", ""},
          {"seller_id", "2088"},
          {"subject", "订单 & \"1\" + 1"},
          {"total_amount", "88.00"},
          {"trade_status", "TRADE_SUCCESS"}};
}

HttpRequest signed_notice(Values values, bool with_type = false) {
  if (with_type) values.push_back({"sign_type", "RSA2"});
  Parameters sorted{values.begin(), values.end()};
  std::string const sign =
      base64_encode(RsaPrivateKey::parse(test::rsa_keys(2).private_pem)->sign_sha256(alipay::text_to_sign(sorted)));
  if (!with_type) values.push_back({"sign_type", "RSA2"});
  values.push_back({"sign", sign});
  Form form;
  for (auto const& [name, value] : values) form.add(name, value);
  return {.method = "POST", .target = "/", .body = form.text()};
}

TEST_F(AlipayProviderTest, C43_NoticesAreCheckedOverValuesDecodedOnce) {
  auto const alipay = provider();
  for (bool const with_type : {false, true}) {
    auto const notice = alipay->read_notice(signed_notice(paid_notice(), with_type), test_start);
    ASSERT_TRUE(notice) << notice.error().detail;
    EXPECT_EQ(notice->event_id, "n-1");
    EXPECT_EQ(notice->number, attempt_id(1).value);
    EXPECT_EQ(notice->answer.outcome, Outcome::succeeded);
    EXPECT_EQ(notice->answer.amount, cny(8800));
    EXPECT_EQ(notice->answer.misfit, "");
  }
  Values escaped = paid_notice();
  escaped[1].second = "[{&quot;amount&quot;:&quot;0.01&quot;}]";
  EXPECT_TRUE(alipay->read_notice(signed_notice(escaped), test_start)) << "it was signed that way";
  HttpRequest raw_plus = signed_notice(paid_notice());
  for (auto at = raw_plus.body.find("%2B"); at != std::string::npos; at = raw_plus.body.find("%2B", at))
    raw_plus.body.replace(at, 3, "+");
  EXPECT_EQ(alipay->read_notice(raw_plus, test_start).error().code, ErrorCode::signature_invalid);
}

TEST_F(AlipayProviderTest, C37_NoticesOfASecondLife) {
  auto const alipay = provider();
  auto const read = [&](Values const& more) {
    Values values = paid_notice();
    for (auto const& [name, value] : more) {
      std::erase_if(values, [&](auto const& one) { return one.first == name; });
      values.push_back({name, value});
    }
    return *alipay->read_notice(signed_notice(values), test_start);
  };
  EXPECT_EQ(read({{"trade_status", "TRADE_FINISHED"}}).answer.outcome, Outcome::succeeded);
  EXPECT_EQ(read({{"trade_status", "TRADE_CLOSED"}}).answer.outcome, Outcome::declined);
  EXPECT_EQ(read({{"trade_status", "WAIT_BUYER_PAY"}}).answer.outcome, Outcome::requires_action);
  Notice const part = read({{"refund_fee", "30.00"}, {"gmt_refund", "2026-01-05"}, {"out_biz_no", "ref_1"}});
  EXPECT_EQ(part.refund_number, "ref_1");
  EXPECT_EQ(part.answer.outcome, Outcome::pending) << "the refund is asked about";
  Notice const whole = read({{"trade_status", "TRADE_CLOSED"}, {"refund_fee", "88.00"}});
  EXPECT_EQ(whole.number, "") << "no news about the payment, and never its failure";
  EXPECT_NE(read({{"app_id", "2022"}}).answer.misfit, "");
  EXPECT_NE(read({{"seller_id", "2089"}}).answer.misfit, "");
  EXPECT_NE(read({{"total_amount", "88"}, {"trade_status", "TRADE_SUCCESS"}}).answer.amount, cny(8801));
  EXPECT_NE(read({{"total_amount", "x"}}).answer.misfit, "");
}

TEST_F(AlipayProviderTest, C38_AcknowledgesInSevenLetters) {
  EXPECT_EQ(provider()->acknowledge(true).body, "success");
  EXPECT_EQ(provider()->acknowledge(false).body, "fail");
}

}  // namespace
}  // namespace payonce
