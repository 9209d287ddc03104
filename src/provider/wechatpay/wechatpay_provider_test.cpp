// What the connector signs and puts on the wire, and the notices it believes.
#include "provider/wechatpay/wechatpay_provider.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/crypto.h"
#include "base/rsa.h"
#include "provider/json_fields.h"
#include "support/manual_loop.h"
#include "support/rsa_keys.h"
#include "support/rules_world.h"

namespace payonce {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

class FixedClock final : public Clock {
 public:
  Time now() const override { return test_start; }  // 2025-10-09T08:53:20Z
  std::chrono::nanoseconds monotonic() const override { return std::chrono::seconds{1}; }
};

HttpHeaders signed_headers(std::string_view body) {
  auto const wechat = RsaPrivateKey::parse(test::rsa_keys(2).private_pem);
  return {{"Wechatpay-Timestamp", "1760000000"},
          {"Wechatpay-Nonce", "n"},
          {"Wechatpay-Serial", "PUB_KEY_ID_1"},
          {"Wechatpay-Signature", base64_encode(wechat->sign_sha256(fmt::format("1760000000\nn\n{}\n", body)))}};
}

// Keeps what is sent and answers by a list of bodies.
class ScriptedClient final : public HttpClient {
 public:
  void send(HttpCall call, Done done) override {
    calls.push_back(std::move(call));
    if (answers.empty()) return done({.delivery = Delivery::in_doubt});
    auto [status, body] = answers.front();
    answers.erase(answers.begin());
    HttpHeaders headers = signed_headers(body);
    done({.delivery = Delivery::answered, .status = status, .headers = std::move(headers), .body = std::move(body)});
  }
  std::vector<HttpCall> calls;
  std::vector<std::pair<int, std::string>> answers;
};

class WechatPayProviderTest : public testing::Test {
 protected:
  WechatPayProviderTest() {
    settings.name = "wechatpay";
    settings.options = {{"app_id", {"wx1"}},
                        {"mch_id", {"1900000001"}},
                        {"merchant_serial", {"5157F09E"}},
                        {"private_key", {test::rsa_keys(1).private_pem}},
                        {"api_v3_key", {"0123456789abcdef0123456789abcdef"}},
                        {"public_key_id", {"PUB_KEY_ID_1"}},
                        {"public_key", {test::rsa_keys(2).public_pem}},
                        {"notify_url", {"https://shop.example/n"}},
                        {"description", {"订单"}},
                        {"default_method", {"native"}}};
  }
  std::unique_ptr<Provider> provider() {
    auto made = make_wechatpay_provider(settings, {client, loop, clock, random});
    EXPECT_TRUE(made) << made.error().detail;
    return std::move(*made);
  }
  Answer create(std::string_view method) {
    auto const wechat = provider();
    ProviderCall call{CallKind::create, order_key(), attempt_in(AttemptState::processing, 1), {}, true};
    call.attempt.request =
        wechat->terms().write_create({attempt_id(1), OrderId{"A1"}, cny(8888), method, test_start + 15min});
    Answer answer;
    wechat->call(call, [&](Answer said) { answer = std::move(said); });
    loop.run_posted();
    return answer;
  }
  Answer make(CallKind kind) {
    ProviderCall const call{kind, order_key(), attempt_in(AttemptState::unknown, 1), {}, false};
    Answer answer;
    provider()->call(call, [&](Answer said) { answer = std::move(said); });
    return answer;
  }

  ProviderSettings settings;
  ScriptedClient client;
  test::ManualLoop loop;
  FixedClock clock;
  SeededRandom random{1};
};

// The value of one part of the Authorization header.
std::string part(std::string_view header, std::string_view name) {
  auto const at = header.find(fmt::format("{}=\"", name)) + name.size() + 2;
  return std::string{header.substr(at, header.find('"', at) - at)};
}

bool is_ours(std::string_view text, std::string_view signature_base64) {
  return RsaPublicKey::parse(test::rsa_keys(1).public_pem)
      ->verify_sha256(text, base64_decode(signature_base64).value_or(""));
}

TEST_F(WechatPayProviderTest, SignsTheRequestAsItLeaves) {
  client.answers = {{200, R"({"code_url":"weixin://wxpay/bizpayurl?pr=1"})"}};
  Answer const answer = create("");
  EXPECT_EQ(answer.outcome, Outcome::requires_action);
  EXPECT_EQ(answer.action_url, "weixin://wxpay/bizpayurl?pr=1");
  HttpCall const& sent = client.calls.at(0);
  EXPECT_EQ(sent.url, "https://api.mch.weixin.qq.com/v3/pay/transactions/native");
  EXPECT_EQ(sent.body, R"({"appid":"wx1","mchid":"1900000001","description":"订单 A1","out_trade_no":")" +
                           attempt_id(1).value +
                           R"(","time_expire":"2025-10-09T17:08:20+08:00","attach":"native A1",)"
                           R"("notify_url":"https://shop.example/n","amount":{"total":8888,"currency":"CNY"}})");
  std::string const header{*find_header(sent.headers, "Authorization")};
  EXPECT_TRUE(header.starts_with("WECHATPAY2-SHA256-RSA2048 mchid=\"1900000001\",")) << header;
  EXPECT_EQ(part(header, "serial_no"), "5157F09E");
  EXPECT_EQ(part(header, "timestamp"), "1760000000");
  EXPECT_TRUE(is_ours(
      fmt::format("POST\n/v3/pay/transactions/native\n1760000000\n{}\n{}\n", part(header, "nonce_str"), sent.body),
      part(header, "signature")));
  EXPECT_EQ(find_header(sent.headers, "Wechatpay-Serial"), "PUB_KEY_ID_1");
  EXPECT_TRUE(find_header(sent.headers, "User-Agent"));
}

TEST_F(WechatPayProviderTest, AQuestionIsSignedWithItsQueryAndAnEmptyBody) {
  make(CallKind::query);
  HttpCall const& sent = client.calls.at(0);
  std::string const path = "/v3/pay/transactions/out-trade-no/" + attempt_id(1).value + "?mchid=1900000001";
  EXPECT_EQ(sent.url, "https://api.mch.weixin.qq.com" + path);
  std::string const header{*find_header(sent.headers, "Authorization")};
  EXPECT_TRUE(
      is_ours(fmt::format("GET\n{}\n1760000000\n{}\n\n", path, part(header, "nonce_str")), part(header, "signature")));
}

TEST_F(WechatPayProviderTest, AMiniProgramGetsItsOwnSignature) {
  client.answers = {{200, R"({"prepay_id":"wx26"})"}};
  Answer const answer = create("jsapi:oUpF8");
  EXPECT_THAT(client.calls.at(0).body, HasSubstr(R"("payer":{"openid":"oUpF8"})"));
  auto const given = json::parse(answer.action_url).as_object();
  EXPECT_EQ(text_at(given, "package"), "prepay_id=wx26");
  EXPECT_TRUE(
      is_ours(fmt::format("wx1\n{}\n{}\nprepay_id=wx26\n", text_at(given, "timeStamp"), text_at(given, "nonceStr")),
              text_at(given, "paySign")));
}

TEST_F(WechatPayProviderTest, AnAppGetsItsOwnSignature) {
  client.answers = {{200, R"({"prepay_id":"wx26"})"}};
  auto const given = json::parse(create("app").action_url).as_object();
  EXPECT_TRUE(is_ours(fmt::format("wx1\n{}\n{}\nwx26\n", text_at(given, "timestamp"), text_at(given, "noncestr")),
                      text_at(given, "sign")));
}

TEST_F(WechatPayProviderTest, ABrowserOnAPhoneNamesItsAddress) {
  client.answers = {{200, R"({"h5_url":"https://wx.tenpay.com/x"})"}};
  EXPECT_EQ(create("h5:203.0.113.5").action_url, "https://wx.tenpay.com/x");
  EXPECT_THAT(client.calls.at(0).body,
              HasSubstr(R"("scene_info":{"payer_client_ip":"203.0.113.5","h5_info":{"type":"Wap"}})"));
  EXPECT_TRUE(client.calls.at(0).url.ends_with("/h5"));
}

TEST_F(WechatPayProviderTest, AMethodItDoesNotHaveSendsNothing) {
  EXPECT_EQ(create("barcode").outcome, Outcome::declined);
  EXPECT_TRUE(client.calls.empty());
}

TEST_F(WechatPayProviderTest, WhatCantBeClosedIsAskedAbout) {
  std::string const paid = R"({"appid":"wx1","mchid":"1900000001","out_trade_no":")" + attempt_id(1).value +
                           R"(","trade_state":"SUCCESS","amount":{"total":1999,"currency":"CNY"}})";
  client.answers = {{403, R"({"code":"TRADE_ERROR"})"}, {200, paid}};
  EXPECT_EQ(make(CallKind::close).outcome, Outcome::succeeded);
  client.answers = {{404, R"({"code":"ORDER_NOT_EXIST"})"}};
  EXPECT_EQ(make(CallKind::close).outcome, Outcome::not_found) << "which proves nothing before its time is over";
}

TEST_F(WechatPayProviderTest, SaysWhatIsMissing) {
  for (auto const& [option, named] :
       {std::pair{"private_key", "private_key"}, std::pair{"api_v3_key", "api_v3_key"},
        std::pair{"public_key", "public_key"}, std::pair{"public_key_id", "platform_certificates"}}) {
    ProviderSettings without = settings;
    without.options.erase(option);
    auto const made = make_wechatpay_provider(without, {client, loop, clock, random});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().detail, HasSubstr(named));
  }
}

TEST_F(WechatPayProviderTest, C44_AProbeIsRefusedAndNothingElse) {
  HttpRequest probe{.method = "POST", .target = "/", .headers = signed_headers("{}"), .body = "{}"};
  for (auto const& value : {"WECHATPAY/SIGNTEST/" + std::string(25, 'A'), std::string{"not base64"}, std::string{},
                            std::string(10'240, 'x')}) {
    probe.headers.back().value = value;
    auto const notice = provider()->read_notice(probe, test_start);
    ASSERT_FALSE(notice);
    EXPECT_EQ(notice.error().code, ErrorCode::signature_invalid);
  }
}

TEST_F(WechatPayProviderTest, ASignedNoticeThatCantBeOpenedIsRefused) {
  std::string const body =
      R"({"id":"1","event_type":"TRANSACTION.SUCCESS","resource":{"algorithm":"AEAD_AES_256_GCM",)"
      R"("ciphertext":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","nonce":"abcdefghijkl","associated_data":"t"}})";
  auto const notice = provider()->read_notice(
      {.method = "POST", .target = "/", .headers = signed_headers(body), .body = body}, test_start);
  ASSERT_FALSE(notice);
  EXPECT_EQ(notice.error().code, ErrorCode::invalid_request);
}

TEST_F(WechatPayProviderTest, TakesYuanOnly) {
  EXPECT_EQ(provider()->terms().refuses(cny(1)), "");
  EXPECT_NE(provider()->terms().refuses(usd(1)), "");
}

}  // namespace
}  // namespace payonce
